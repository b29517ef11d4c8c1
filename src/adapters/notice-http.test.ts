import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { createAddressPolicy } from '../base/address-policy.ts';
import type { NoticeCall, NoticeClient, NoticeReply } from '../ports/notice-client.ts';
import { startRawServer, startServer, until, type TestServer } from './http-fixture.ts';
import { createNoticeHttpClient, type NoticeHttpOptions } from './notice-http.ts';

const OK = 'HTTP/1.1 204 No Content\r\n\r\n';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function client(options: Partial<NoticeHttpOptions> = {}): NoticeClient {
  const created = createNoticeHttpClient({
    isAddressAllowed: () => true,
    connectionsMax: 4,
    pipeliningMax: 32,
    inFlightMax: 64,
    now: () => performance.now(),
    ...options,
  });
  closers.push(() => created.close());
  return created;
}

async function server(...args: Parameters<typeof startServer>): Promise<TestServer> {
  const started = await startServer(...args);
  closers.push(() => started.close());
  return started;
}

async function rawServer(misbehave: (socket: Socket) => void): Promise<TestServer> {
  const started = await startRawServer(misbehave);
  closers.push(() => started.close());
  return started;
}

type TestCall = Partial<Omit<NoticeCall, 'deadlineMs'>> & { readonly withinMs?: number };

/** Calls and waits; throws if the client settles twice, or before `call` has returned. */
function call(calling: NoticeClient, url: string, differs: TestCall = {}): Promise<NoticeReply> {
  const { withinMs = 2000, ...fields } = differs;
  return new Promise((resolve) => {
    let settled = 0;
    let returned = false;
    const deadlineMs = performance.now() + withinMs;
    calling.call({ url, id: 'n-1', bodyBytesMax: 0, ...fields, deadlineMs }, (reply) => {
      settled += 1;
      if (!returned || settled > 1) throw new Error('settled twice, or before call returned');
      resolve(reply);
    });
    returned = true;
  });
}

function callMany(calling: NoticeClient, url: string, count: number): Promise<NoticeReply[]> {
  return Promise.all(Array.from({ length: count }, () => call(calling, url)));
}

function answer(status: number, body = ''): NoticeReply {
  return { kind: 'answer', status, body };
}

describe('a notice', () => {
  test('is a GET with its id, to the path and query of its address', async () => {
    let seen: IncomingMessage | undefined;
    const { origin } = await server((request, response) => {
      seen = request;
      response.writeHead(204).end();
    });
    const url = `${origin}/win?price=2.51&x=%20é#top`;
    assert.deepEqual(await call(client(), url, { id: 'a1-0-billing' }), answer(204));
    assert.equal(`${seen?.method} ${seen?.url}`, 'GET /win?price=2.51&x=%20%C3%A9');
    assert.deepEqual(seen?.headers, {
      host: origin.slice('http://'.length),
      connection: 'keep-alive',
      'x-notice-id': 'a1-0-billing',
    });
  });

  test('may be a POST with headers and a body of its own', async () => {
    let seen: IncomingMessage | undefined;
    let sent = '';
    const { origin } = await server((request, response, body) => {
      seen = request;
      sent = body.toString();
      response.writeHead(201).end('thanks');
    });
    const post = { headers: ['content-type', 'application/json'], body: '{"name":"Zoë"}' };
    assert.deepEqual(await call(client(), `${origin}/hook`, { post }), answer(201));
    assert.deepEqual([seen?.method, sent], ['POST', post.body]);
    const { 'content-type': type, 'content-length': length } = seen?.headers ?? {};
    assert.deepEqual(
      [type, length, seen?.headers['x-notice-id']],
      ['application/json', '15', undefined],
    );
  });

  test('goes over kept connections, no more of them than allowed', async () => {
    const { origin, ...seen } = await counted();
    const calling = client();
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual(await callMany(calling, origin, 8), Array(8).fill(answer(204)));
    }
    assert.ok(seen.connections() <= 4, `${seen.connections()} connections`);
    assert.equal(seen.requests(), 24);
  });

  test('follows no redirect', async () => {
    let elsewhere = 0;
    const { origin } = await server((request, response) => {
      if (request.url !== '/') elsewhere += 1;
      response.writeHead(302, { location: `${origin}/elsewhere` }).end();
    });
    assert.deepEqual(await call(client(), origin), answer(302));
    assert.equal(elsewhere, 0);
  });

  test('to an inside address is refused in every spelling, unless its range is allowed', async () => {
    const { origin, requests } = await counted();
    const { port } = new URL(origin);
    const hosts = [
      '127.0.0.1',
      '0177.0.0.1',
      '2130706433',
      '0x7f.1',
      '127.1',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      'localhost',
      '１２７.0.0.1',
    ];
    const guarded = client({ isAddressAllowed: createAddressPolicy([]) });
    for (const host of hosts) {
      const reply = await call(guarded, `http://${host}:${port}/`);
      assert.deepEqual(reply, { kind: 'error', code: 'ERR_ADDRESS_REFUSED' }, host);
      const secure = await call(guarded, `https://${host}:${port}/`);
      assert.deepEqual(secure, { kind: 'error', code: 'ERR_ADDRESS_REFUSED' }, host);
    }
    assert.equal(requests(), 0);
    const allowed = client({ isAddressAllowed: createAddressPolicy(['127.0.0.0/8']) });
    for (const host of ['0177.0.0.1', '2130706433']) {
      assert.deepEqual(await call(allowed, `http://${host}:${port}/`), answer(204), host);
    }
  });

  test('to what is no address that may be called is an error', async () => {
    const calling = client();
    for (const url of ['', 'win', 'ftp://127.0.0.1/', 'http://', 'http://a:b@127.0.0.1/']) {
      assert.deepEqual(await call(calling, url), { kind: 'error', code: 'ERR_INVALID_URL' }, url);
    }
  });

  test('whose deadline has passed is not sent', async () => {
    const { origin, requests } = await counted();
    assert.deepEqual(await call(client(), origin, { withinMs: 0 }), { kind: 'timeout' });
    assert.equal(requests(), 0);
  });

  test('to a port where nobody listens is an error at once', async () => {
    const gone = await startServer(() => {});
    await gone.close();
    const calling = client();
    const refused = { kind: 'error', code: 'ECONNREFUSED' };
    assert.deepEqual(
      await callMany(calling, gone.origin, 8),
      Array.from({ length: 8 }, () => refused),
    );
  });
});

describe('the answer', () => {
  test('is its status where no body is wanted, and little of the body is read', async () => {
    const { origin, connections } = await server((request, response) => {
      const size = request.url === '/large' ? 1e6 : 1e4;
      response.writeHead(200, { 'content-length': size }).end('x'.repeat(size));
    }).then((started) => ({ origin: started.origin, connections: () => started.connections }));
    const calling = client();
    for (let n = 0; n < 3; n += 1) {
      assert.deepEqual(await call(calling, `${origin}/small`), answer(200));
    }
    assert.equal(connections(), 1);
    assert.deepEqual(await call(calling, `${origin}/large`), answer(200));
    assert.deepEqual(await call(calling, `${origin}/small`), answer(200));
    assert.equal(connections(), 2);
  });

  test('comes with its body where that is wanted, gzipped or not, up to the limit', async () => {
    const { origin } = await server((request, response) => {
      const [, kind = '', size] = (request.url ?? '').split('/');
      const text = 'é'.repeat(Number(size) / 2);
      if (kind === 'gzip') response.writeHead(200, { 'content-encoding': 'gzip' });
      else if (kind === 'br') response.writeHead(200, { 'content-encoding': 'br' });
      else if (kind === 'length') response.writeHead(200, { 'content-length': Number(size) });
      else if (kind === 'other') response.writeHead(404);
      const bytes = kind === 'gzip' ? gzipSync(text) : Buffer.from(text);
      // In two pieces, cut within a character.
      response.write(bytes.subarray(0, 7));
      response.end(bytes.subarray(7));
    });
    const calling = client();
    const wanted = { bodyBytesMax: 1000 };
    const oversized = { kind: 'oversized', bytesMax: 1000 };
    for (const [path, reply] of [
      ['plain/1000', answer(200, 'é'.repeat(500))],
      ['length/1000', answer(200, 'é'.repeat(500))],
      ['gzip/1000', answer(200, 'é'.repeat(500))],
      ['plain/1002', oversized],
      ['length/1002', oversized],
      ['gzip/1002', oversized],
      ['other/10', answer(404)],
      ['br/10', { kind: 'error', code: 'ERR_CONTENT_ENCODING' }],
      ['plain/0', answer(200)],
    ] as const) {
      assert.deepEqual(await call(calling, `${origin}/${path}`, wanted), reply, path);
    }
  });

  test('that drips is given up at the deadline, whether its body is wanted or not', async () => {
    const drip = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(timer));
    });
    const calling = client();
    const startMs = performance.now();
    const wanted = { withinMs: 100, bodyBytesMax: 2000 };
    assert.deepEqual(await call(calling, drip.origin, wanted), { kind: 'timeout' });
    const tookMs = performance.now() - startMs;
    assert.ok(tookMs > 95, `${tookMs} ms`);
    assert.deepEqual(await call(calling, drip.origin, { withinMs: 100 }), answer(200));
    await until(() => drip.open === 0, 'no connection is kept for the rest');
  });

  test('that never comes is a timeout, and whoever waits behind it is sent again', async () => {
    let heads = 0;
    const { origin } = await rawServer((socket) => {
      heads += 1;
      // The first connection hangs; the second one answers what comes.
      if (heads > 1) socket.write(OK);
    });
    const calling = client();
    const hanging = call(calling, origin, { withinMs: 100 });
    const behind = call(calling, origin, { withinMs: 1000 });
    assert.deepEqual(await hanging, { kind: 'timeout' });
    assert.deepEqual(await behind, answer(204));
  });

  test('that is none ends the connection and fails the notice', async () => {
    const { origin } = await rawServer((socket) => socket.write('HTTP/1.1 huh\r\n\r\n'));
    const reply = await call(client(), origin);
    assert.deepEqual(reply, { kind: 'error', code: 'HTTPParserError' });
  });

  test('that nobody asked for ends the connection', async () => {
    const odd = await rawServer((socket) => socket.write(OK + OK));
    const calling = client();
    assert.deepEqual(await call(calling, odd.origin), answer(204));
    await until(() => odd.open === 0, 'the connection is given up');
    assert.deepEqual(await call(calling, odd.origin), answer(204));
  });

  test('is waited for in vain where the connection is closed without one', async () => {
    const rude = await rawServer((socket) => socket.destroy());
    const reply = await call(client(), rude.origin);
    assert.equal(reply.kind, 'error');
    assert.equal(rude.requests, 1);
  });
});

describe('many notices', () => {
  test('to a server that ends each connection after one answer all arrive', async () => {
    const { origin } = await server((_request, response) => {
      response.writeHead(204, { connection: 'close' }).end();
    });
    assert.deepEqual(await callMany(client(), origin, 8), Array(8).fill(answer(204)));
  });

  test('need not wait for one another on a connection, up to what is allowed', async () => {
    const waiting: (() => void)[] = [];
    const { origin } = await server((_request, response) => {
      waiting.push(() => response.writeHead(204).end());
      if (waiting.length === 3) for (const respond of waiting) respond();
    });
    const calling = client({ connectionsMax: 1, pipeliningMax: 3 });
    assert.deepEqual(await callMany(calling, origin, 3), Array(3).fill(answer(204)));
  });

  test('beyond what an origin takes are told that it is busy, and so are those beyond all', async () => {
    const hanging = await rawServer(() => {});
    const calling = client({ connectionsMax: 1, pipeliningMax: 8, inFlightMax: 10 });
    const short = { withinMs: 150 };
    const calls = Array.from({ length: 9 }, () => call(calling, hanging.origin, short));
    const replies = await Promise.all(calls);
    assert.deepEqual(replies.map(({ kind }) => kind).sort(), ['busy', ...Array(8).fill('timeout')]);
    // What was given up lets go of its connection a moment later.
    while ((await call(calling, hanging.origin, short)).kind === 'busy') await sleep(5);
    const other = await rawServer(() => {});
    const all = [hanging.origin, ...Array<string>(10).fill(other.origin)];
    const kinds = (await Promise.all(all.map((url) => call(calling, url, short)))).map(
      ({ kind }) => kind,
    );
    assert.equal(kinds.filter((kind) => kind === 'busy').length, 2);
  });

  test('to many origins keep connections to a bounded number of them', async () => {
    const servers = await Promise.all([counted(), counted(), counted(), counted(), counted()]);
    const calling = client({ originsMax: 2 });
    for (const { origin } of servers) assert.deepEqual(await call(calling, origin), answer(204));
    const open = (): number => servers.reduce((sum, each) => sum + each.open(), 0);
    await until(() => open() <= 2, 'idle origins are forgotten');
  });
});

test('a client that is closed ends what is open, and takes nothing more', async () => {
  const hanging = await rawServer(() => {});
  const calling = client();
  const waiting = call(calling, hanging.origin);
  await until(() => hanging.requests === 1, 'it is on its way');
  await calling.close();
  const closed = { kind: 'error', code: 'UND_ERR_DESTROYED' };
  assert.deepEqual(await waiting, closed);
  assert.deepEqual(await call(calling, hanging.origin), closed);
  await until(() => hanging.open === 0, 'the connection is closed');
});

/** A server that says 204 to everything, on every address of this machine. */
async function counted() {
  const started = await server((_request, response) => response.writeHead(204).end());
  return {
    origin: started.origin,
    connections: () => started.connections,
    open: () => started.open,
    requests: () => started.requests,
  };
}
