import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { request as send } from 'undici';
import { aSnapshot } from '../auction/eligibility-fixtures.ts';
import type { ExchangeParts } from '../exchange/exchange.ts';
import { aMarket, anAdSpace, aPublisher, aRequest } from '../exchange/fixtures.ts';
import { serveEdge, type EdgeSetting } from './server-fixture.ts';

async function ask(
  url: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
  query = '',
) {
  const answer = await send(`${url}/openrtb2/auction${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

const REQUEST = JSON.stringify(aRequest());

test('each ad request is counted once, whatever becomes of it', async (t) => {
  const { url, outcomes } = await serveEdge(t);
  assert.equal((await ask(url, REQUEST)).status, 204);
  assert.equal((await ask(url, '{')).status, 400);
  assert.equal((await ask(url, '{}')).status, 400);
  assert.equal((await ask(url, REQUEST, { 'content-type': 'text/html' })).status, 415);
  assert.equal((await ask(url, ' '.repeat(300_000))).status, 413);
  assert.deepEqual(await outcomes(), { unfilled: 1, invalid: 4 });
});

test('a request may be gzipped, as its header says in any case, or as its address says', async (t) => {
  const { url, outcomes } = await serveEdge(t);
  const zipped = gzipSync(REQUEST);
  const statusOf = async (coding: string, body: string | Buffer, query = ''): Promise<number> =>
    (await ask(url, body, coding === '' ? {} : { 'content-encoding': coding }, query)).status;
  for (const coding of ['gzip', 'GZIP', 'x-gzip'])
    assert.equal(await statusOf(coding, zipped), 204);
  for (const coding of ['', 'identity', 'Identity'])
    assert.equal(await statusOf(coding, REQUEST), 204);
  assert.equal(await statusOf('', zipped, '?gzip=1'), 204);
  assert.equal(await statusOf('gzip', zipped, '?gzip=1'), 204);
  for (const coding of ['br', 'deflate', 'gzip, gzip', 'zstd']) {
    assert.equal(await statusOf(coding, zipped), 415, coding);
  }
  assert.equal(await statusOf('gzip', REQUEST), 400);
  assert.equal(await statusOf('', REQUEST, '?gzip=1'), 400);
  assert.equal(await statusOf('gzip', gzipSync(' '.repeat(300_000))), 413);
  assert.deepEqual(await outcomes(), { unfilled: 8, invalid: 7 });
});

test('half a surrogate pair does not leave', async (t) => {
  const { url } = await serveEdge(t);
  const { text } = await ask(
    url,
    '{"id": "1", "imp": [{"id": "1", "tagid": "\\ud800", "banner": {}}]}',
  );
  assert.match(text, /there is no/);
  assert.ok(!text.includes('\\ud'), text);
});

test('an ad request that is nested too deeply is refused before anybody is asked', async (t) => {
  const { url, outcomes } = await serveEdge(t);
  const nested = (levels: number): string =>
    REQUEST.replace(/}$/, `,"device":{"ext":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}}`);
  assert.equal((await ask(url, nested(62))).status, 204);
  for (const levels of [63, 2_000, 40_000]) {
    const { status, text } = await ask(url, nested(levels));
    assert.equal(status, 400, `${levels} levels`);
    assert.match(text, /"code":"invalid_json".*JSON may be nested 64 levels deep, not deeper/);
  }
  assert.deepEqual(await outcomes(), { unfilled: 1, invalid: 3 });
});

test('an exchange without configuration, journal or room is 503 and says when to come back', async (t) => {
  const cases = [
    [{ market: false }, 'not_ready'],
    [{ auctionsMax: 0 }, 'overloaded'],
    [
      { parts: { money: { append: (_, done) => done?.(new Error('full')) } } },
      'journal_unavailable',
    ],
  ] satisfies [EdgeSetting, string][];
  for (const [setting, code] of cases) {
    const { url } = await serveEdge(t, setting);
    const { status, headers, text } = await ask(url, REQUEST);
    assert.deepEqual(
      [status, headers['retry-after'], headers['cache-control']],
      [503, '1', 'no-store'],
    );
    assert.match(text, new RegExp(`"code":"${code}"`));
  }
});

test('while nothing can be recorded the exchange is not ready, and lives', async (t) => {
  let obstacle: Error | null = new Error('full');
  const { url } = await serveEdge(t, { parts: { unwritable: () => obstacle } });
  const statusOf = async (path: string): Promise<number> => {
    const { statusCode, body } = await send(`${url}${path}`);
    await body.dump();
    return statusCode;
  };
  assert.deepEqual([await statusOf('/readyz'), await statusOf('/livez')], [503, 200]);
  assert.match((await ask(url, REQUEST)).text, /"code":"journal_unavailable"/);
  obstacle = null;
  assert.equal(await statusOf('/readyz'), 200);
  assert.equal((await ask(url, REQUEST)).status, 204);
});

test('a fault of the exchange is 500 without its words, and the next request is served', async (t) => {
  let faults = 1;
  const createAuctionId = (): string => {
    if (faults-- > 0) throw new Error('a secret');
    return 'auction';
  };
  const { url, outcomes } = await serveEdge(t, { parts: { createAuctionId } });
  const { status, text } = await ask(url, REQUEST);
  assert.equal(status, 500);
  assert.doesNotMatch(text, /secret/);
  assert.equal((await ask(url, REQUEST)).status, 204);
  assert.deepEqual(await outcomes(), { internal: 1, unfilled: 1 });
});

test('each request of a tag is counted once, and refused in the ways of an auction', async (t) => {
  const { url, outcomes } = await serveEdge(t);
  const get = async (path: string, from = url) => {
    const { statusCode, headers, body } = await send(`${from}${path}`);
    await body.dump();
    return [statusCode, headers['retry-after']];
  };
  assert.deepEqual(await get('/ad/4001?format=json'), [204, undefined]);
  assert.deepEqual(await get('/ad/4001/'), [200, undefined]);
  assert.deepEqual(await get('/ad/9'), [400, undefined]);
  assert.deepEqual(await get('/ad/4001?lat=x'), [400, undefined]);
  assert.deepEqual(await outcomes(), { unfilled: 2, invalid: 2 });
  const full = { append: (_: string, done?: (error: Error) => void) => done?.(new Error('full')) };
  const settings: EdgeSetting[] = [{ market: false }, { parts: { money: full } }];
  for (const setting of settings) {
    assert.deepEqual(await get('/ad/4001', (await serveEdge(t, setting)).url), [503, '1']);
  }
});

test('an ad space that is not active is refused as one of its parameters is', async (t) => {
  const { url } = await serveEdge(t, { market: await aMarket(anAdSpace({ status: 'PAUSED' })) });
  const { statusCode, body } = await send(`${url}/ad/4001`);
  assert.equal(statusCode, 400);
  assert.match(
    await body.text(),
    /"pointer":"ad_space","message":"ad space \\"4001\\" is not active"/,
  );
});

test('a fault is logged without the query, which has the data of a user', async (t) => {
  const lines: string[] = [];
  const { url } = await serveEdge(t, {
    parts: {
      createAuctionId: () => {
        throw new Error('broken');
      },
    },
    log: { write: (line: string) => void lines.push(line) },
  });
  const { statusCode, body } = await send(`${url}/ad/4001?ifa=whose`);
  await body.dump();
  assert.equal(statusCode, 500);
  assert.match(lines.join(''), /"path":"\/ad\/4001"/);
  assert.doesNotMatch(lines.join(''), /whose/);
});

test('a preflight allows a page to post, and answers carry its origin', async (t) => {
  const { url } = await serveEdge(t);
  const origin = 'https://planet.example';
  const preflight = await send(`${url}/openrtb2/auction`, {
    method: 'OPTIONS',
    headers: { origin },
  });
  assert.equal(preflight.statusCode, 204);
  assert.equal(preflight.headers['access-control-allow-origin'], origin);
  assert.equal(preflight.headers['access-control-allow-methods'], 'POST, OPTIONS');
  assert.equal(preflight.headers['access-control-max-age'], '86400');
  const refused = await ask(url, '{', { origin, 'content-type': 'text/plain' });
  assert.deepEqual(
    [refused.status, refused.headers['access-control-allow-origin'], refused.headers['vary']],
    [400, origin, 'origin'],
  );
  assert.equal((await ask(url, REQUEST)).headers['access-control-allow-origin'], undefined);
});

test('a body without a declared length is read up to the limit', async (t) => {
  const { port } = await serveEdge(t);
  const socket = await opened(port);
  socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
  const chunk = 'x'.repeat(64 * 1024);
  for (let sent = 0; sent < 5; sent += 1)
    socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  assert.match(await firstAnswer(socket), /^HTTP\/1\.1 413 .*connection: close/is);
});

test('a client that goes away before its answer or within its request harms nobody', async (t) => {
  const asked = Promise.withResolvers<() => void>();
  const client: ExchangeParts['client'] = {
    ask: (_, settle) => asked.resolve(() => settle({ kind: 'timeout' })),
    inFlight: () => 0,
    close: () => Promise.resolve(),
  };
  const { port, outcomes } = await serveEdge(t, { parts: { client } });
  const impatient = await opened(port);
  impatient.write(`${HEAD}content-length: ${REQUEST.length}\r\n\r\n${REQUEST}`);
  const settle = await asked.promise;
  impatient.destroy();
  const half = await opened(port);
  half.write(`${HEAD}content-length: 100\r\n\r\n{`);
  await pause(50);
  half.destroy();
  await pause(50);
  settle();
  await pause(50);
  assert.deepEqual(await outcomes(), { aborted: 1, unfilled: 1 });
});

test('a client that does not finish its headers is cut off', async (t) => {
  const { port } = await serveEdge(t);
  const socket = await opened(port);
  socket.write('POST /openrtb2/auction HTTP/1.1\r\nhost: ex');
  assert.match(await firstAnswer(socket), /^HTTP\/1\.1 408 /);
});

test('a draining server answers on connections that it has, closes them, and takes no new ones', async (t) => {
  const { edge, port } = await serveEdge(t);
  const kept = await opened(port);
  const silent = await opened(port);
  const request = `${HEAD}content-length: ${REQUEST.length}\r\n\r\n${REQUEST}`;
  kept.write(request);
  assert.match(await firstAnswer(kept), /^HTTP\/1\.1 204 .*connection: keep-alive/is);
  const drained = edge.drain();
  kept.write(request);
  assert.match(await firstAnswer(kept), /^HTTP\/1\.1 204 .*connection: close/is);
  const late = connect(port, '127.0.0.1');
  const [error]: unknown[] = await once(late, 'error').catch((refused: unknown) => [refused]);
  assert.ok(error instanceof Error);
  // A connection on which nothing was ever sent must not keep the process.
  const closed = once(silent, 'close');
  await Promise.all([drained, closed]);
});

test('a draining server answers all of what came together on a connection before it closes', async (t) => {
  const { edge, exchange, port } = await serveEdge(t);
  const { promise: drains, resolve: drain } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: late, resolve: comeLate } = Promise.withResolvers<void>();
  const hold = exchange.hold.bind(exchange);
  let held = 0;
  t.mock.method(exchange, 'hold', async (...asked: Parameters<typeof hold>) => {
    held += 1;
    if (held === 2) arrive();
    if (held === 3) comeLate();
    await drains;
    return hold(...asked);
  });
  const socket = await opened(port);
  const request = `${HEAD}content-length: ${REQUEST.length}\r\n\r\n${REQUEST}`;
  let answers = '';
  socket.on('data', (data) => (answers += String(data)));
  const closed = once(socket, 'close');
  socket.write(request + request);
  await arrived;
  const drained = edge.drain();
  socket.write(request);
  await late;
  drain();
  await Promise.all([drained, closed]);
  const connections = answers.matchAll(/^connection: (\S+)/gim);
  assert.deepEqual(
    Array.from(connections, ([, connection]) => connection),
    ['keep-alive', 'keep-alive', 'close'],
  );
});

const HEAD =
  'POST /openrtb2/auction HTTP/1.1\r\nhost: exchange\r\ncontent-type: application/json\r\n';

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** What comes first on a connection: an answer's head, and mostly its body. */
async function firstAnswer(socket: Socket): Promise<string> {
  const [data]: unknown[] = await once(socket, 'data');
  return String(data);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

test('sellers.json is public, short-lived, written anew with the market, and 404 without a domain', async (t) => {
  const { url, exchange } = await serveEdge(t);
  const sellers = () => send(`${url}/sellers.json`);
  const missing = await sellers();
  assert.equal(missing.statusCode, 404);
  assert.match(await missing.body.text(), /"no_sellers".*no domain configured/);

  const settings = { ...aSnapshot().exchange, domain: 'exchange.example' };
  exchange.useMarket(await aMarket(settings));
  const listed = await sellers();
  assert.equal(listed.statusCode, 200);
  assert.equal(listed.headers['content-type'], 'application/json');
  assert.equal(listed.headers['cache-control'], 'public, max-age=300');
  assert.equal(listed.headers['access-control-allow-origin'], '*');
  assert.match(await listed.body.text(), /"seller_id": "2001"/);

  exchange.useMarket(await aMarket(settings, aPublisher({ sellerId: 'planet' })));
  assert.match(await (await sellers()).body.text(), /"seller_id": "planet"/);
  const head = await send(`${url}/sellers.json`, { method: 'HEAD' });
  assert.deepEqual([head.statusCode, await head.body.text()], [200, '']);
  const posted = await send(`${url}/sellers.json`, { method: 'POST' });
  assert.deepEqual([posted.statusCode, posted.headers['allow']], [405, 'GET, HEAD']);
});

test('sellers.json waits for a configuration', async (t) => {
  const { url } = await serveEdge(t, { market: false });
  assert.equal((await send(`${url}/sellers.json`)).statusCode, 503);
});
