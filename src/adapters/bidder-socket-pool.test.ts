import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';

import type { BidderClient } from '../ports/bidder-client.ts';
import { createBidderSocketClient } from './bidder-socket.ts';
import { ask } from './http-bidder-fixture.ts';
import { until } from './http-fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

interface Seen {
  readonly endpoint: string;
  readonly client: BidderClient;
  /** What came in, a piece for each time that something was read. */
  readonly pieces: string[];
  readonly sockets: Socket[];
}

/** A bidder that answers each piece, and a client whose clock can be set. */
async function open(t: TestContext, now = (): number => performance.now()): Promise<Seen> {
  const pieces: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      pieces.push(piece.toString('latin1'));
      socket.write(OK);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo;
  const client = createBidderSocketClient({
    isAddressAllowed: () => true,
    connectionsMax: 2,
    inFlightMax: 2,
    lateGraceMs: 100,
    now,
  });
  t.after(async () => {
    await client.close();
    server.close();
  });
  return { endpoint: `http://127.0.0.1:${port}/bid?a=b`, client, pieces, sockets };
}

test('a request is written in one piece, head and body, in ASCII alone', async (t) => {
  const { endpoint, client, pieces } = await open(t);
  const body = JSON.stringify({ keywords: `é€𝄞 ${'x'.repeat(2_000)}` });
  const call = { body, headers: { 'X-Key': 'a b' }, openrtbVersion: '2.2' } as const;
  assert.equal((await ask(client, endpoint, call)).kind, 'answer');
  const [request = '', ...others] = pieces;
  assert.deepEqual(others, []);
  const [head = '', sent = ''] = request.split('\r\n\r\n');
  assert.deepEqual(head.split('\r\n'), [
    'POST /bid?a=b HTTP/1.1',
    `host: ${new URL(endpoint).host}`,
    'connection: keep-alive',
    'content-type: application/json',
    'x-openrtb-version: 2.2',
    'X-Key: a b',
    `content-length: ${sent.length}`,
  ]);
  assert.match(sent, /^[\x20-\x7e]+$/);
  assert.match(sent, /"\\u00e9\\u20ac\\ud834\\udd1e /);
  assert.deepEqual(JSON.parse(sent), JSON.parse(body));
});

test('a gzipped request is written in one piece', async (t) => {
  const { endpoint, client, pieces } = await open(t);
  const body = JSON.stringify('x'.repeat(2_000));
  assert.equal((await ask(client, endpoint, { body, gzip: true })).kind, 'answer');
  assert.equal(pieces.length, 1);
  assert.match(pieces[0] ?? '', /content-encoding: gzip\r\ncontent-length: \d+\r\n\r\n./s);
});

test('a connection that was idle for longer than servers keep one is not used again', async (t) => {
  let skippedMs = 0;
  const { endpoint, client, sockets } = await open(t, () => performance.now() + skippedMs);
  const asked = async (): Promise<void> => {
    const reply = await ask(client, endpoint, { withinMs: 60_000 });
    assert.equal(reply.kind, 'answer');
    await until(() => client.inFlight(endpoint) === 0, 'the connection is free');
  };
  for (const skipMs of [0, 3_000, 5_000]) {
    skippedMs += skipMs;
    // Each finds the connections as the one before has left them.
    // oxlint-disable-next-line no-await-in-loop
    await asked();
  }
  assert.equal(sockets.length, 2);
});

test('an empty line on an idle connection costs it', async (t) => {
  const { endpoint, client, sockets } = await open(t);
  await ask(client, endpoint);
  const [first] = sockets;
  assert.ok(first !== undefined);
  first.write('\r\n');
  await once(first, 'close');
  assert.equal((await ask(client, endpoint)).kind, 'answer');
  assert.equal(sockets.length, 2);
});

test('calls of one turn that find no connection open one each, and no more', async (t) => {
  const { endpoint, client, sockets } = await open(t);
  await Promise.all([ask(client, endpoint), ask(client, endpoint)]);
  await Promise.all([ask(client, endpoint), ask(client, endpoint)]);
  assert.equal(sockets.length, 2);
});
