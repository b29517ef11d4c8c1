import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { aRequest } from '../exchange/fixtures.ts';
import type { BidderClient } from '../ports/bidder-client.ts';
import { serveEdge, type ServedEdge } from './server-fixture.ts';

const BODY = JSON.stringify(aRequest());
const HEAD =
  'POST /openrtb2/auction HTTP/1.1\r\nhost: exchange\r\ncontent-type: application/json\r\n';
const REQUEST = `${HEAD}content-length: ${BODY.length}\r\n\r\n${BODY}`;

/** An exchange that holds one auction at a time, whose only bidder answers when the test says so. */
async function serveOne(
  t: TestContext,
): Promise<ServedEdge & { answer: () => void; asked: () => Promise<void> }> {
  const calls: (() => void)[] = [];
  let news = Promise.withResolvers<void>();
  const client: BidderClient = {
    ask: (_, settle) => {
      calls.push(() => settle({ kind: 'answer', status: 204, body: '' }));
      news.resolve();
      news = Promise.withResolvers<void>();
    },
    inFlight: () => 0,
    close: () => Promise.resolve(),
  };
  const served = await serveEdge(t, { parts: { client }, auctionsMax: 1 });
  return { ...served, answer: () => calls.shift()?.(), asked: () => news.promise };
}

test('a refusal is 503, says when to come back and keeps the connection, and is counted by its reason', async (t) => {
  const { port, answer, asked, metrics } = await serveOne(t);
  const isAsked = asked();
  const first = await open(port);
  first.socket.write(REQUEST);
  await isAsked;
  const second = await open(port);
  for (let index = 0; index < 3; index += 1) {
    second.socket.write(REQUEST);
    const text = await second.next();
    assert.match(text, /^HTTP\/1\.1 503 Service Unavailable\r\n/);
    assert.match(text, /\r\nretry-after: 1\r\n/);
    assert.match(text, /\r\nconnection: keep-alive\r\n/);
    assert.match(text, /\r\n\r\n\{"code":"overloaded",.*\}$/);
  }
  answer();
  assert.match(await first.next(), /^HTTP\/1\.1 204 /);
  // Pressed as it is, it looks at the body first, and then takes it on.
  const isAskedAgain = asked();
  second.socket.write(REQUEST.slice(0, -10));
  second.socket.write(REQUEST.slice(-10));
  await isAskedAgain;
  answer();
  assert.match(await second.next(), /^HTTP\/1\.1 204 /);
  assert.match(await metrics(), /rialto_auctions_refused_total\{reason="full"\} 3\n/);
  assert.match(await metrics(), /rialto_auctions_total\{outcome="overloaded"\} 3\n/);
});

test('a refusal waits for the answers before it on the same connection', async (t) => {
  const { port, answer, asked } = await serveOne(t);
  const isAsked = asked();
  const { socket, next } = await open(port);
  socket.write(REQUEST + REQUEST);
  await isAsked;
  answer();
  const text = await next();
  const both = text.includes('503') ? text : text + (await next());
  assert.match(both, /^HTTP\/1\.1 204 [^]*HTTP\/1\.1 503 /);
});

test('an auction that is under way when the process drains is answered, and ends its connection', async (t) => {
  const { port, answer, asked, edge } = await serveOne(t);
  const isAsked = asked();
  const { socket, next } = await open(port);
  const isClosed = once(socket, 'close');
  socket.write(REQUEST);
  await isAsked;
  const isDrained = edge.drain();
  answer();
  assert.match(await next(), /^HTTP\/1\.1 204 [^]*\r\nconnection: close\r\n/i);
  await isClosed;
  await isDrained;
});

test('a page, and who wants the connection closed, are refused as by any other error', async (t) => {
  const { port, asked } = await serveOne(t);
  const isAsked = asked();
  const { socket } = await open(port);
  socket.write(REQUEST);
  await isAsked;
  for (const [header, answer] of [
    ['origin: https://planet.example', /access-control-allow-origin: https:\/\/planet\.example/],
    ['connection: close', /connection: close/i],
  ] as const) {
    const other = await open(port);
    other.socket.write(REQUEST.replace('\r\n\r\n', `\r\n${header}\r\n\r\n`));
    const text = await other.next();
    assert.match(text, /^HTTP\/1\.1 503 /);
    assert.match(text, answer);
  }
});

test('while it is pressed, a request without a body is invalid and one that ends early is nothing', async (t) => {
  const { port, answer, asked, outcomes } = await serveOne(t);
  const isAsked = asked();
  const first = await open(port);
  first.socket.write(REQUEST);
  await isAsked;
  const other = await open(port);
  other.socket.write(REQUEST);
  assert.match(await other.next(), /^HTTP\/1\.1 503 /);
  answer();
  assert.match(await first.next(), /^HTTP\/1\.1 204 /);
  other.socket.write(`${HEAD}content-length: 0\r\n\r\n`);
  assert.match(await other.next(), /^HTTP\/1\.1 400 /);
  const gone = await open(port);
  gone.socket.write(`${HEAD}content-length: 10\r\n\r\n`);
  gone.socket.destroy();
  while ((await outcomes())['aborted'] !== 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  assert.deepEqual(await outcomes(), { unfilled: 1, overloaded: 1, invalid: 1, aborted: 1 });
});

test('a tag that there is no time for is answered as if nobody had bought', async (t) => {
  const { port, url, asked } = await serveOne(t);
  const isAsked = asked();
  const { socket } = await open(port);
  socket.write(REQUEST);
  await isAsked;
  const statusOf = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
  assert.equal(await statusOf('/ad/4001?format=json'), 204);
  assert.equal(await statusOf('/ad/4001'), 200);
});

interface Opened {
  readonly socket: Socket;
  /** What comes next; mostly a whole answer. */
  readonly next: () => Promise<string>;
}

async function open(port: number): Promise<Opened> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const next = async (): Promise<string> => {
    const [data]: unknown[] = await once(socket, 'data');
    return String(data);
  };
  return { socket, next };
}
