import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { request as send } from 'undici';
import { BodyReader, type ReadBody } from './read-body.ts';

const BYTES_MAX = 64 * 1024;

async function reading(t: TestContext, coding: 'plain' | 'gzip') {
  const read: ReadBody[] = [];
  const server = createServer((request, response) => {
    void new BodyReader(request, BYTES_MAX)
      .read(coding)
      .then((body) => read.push(body))
      .finally(() => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const url = `http://127.0.0.1:${address.port}`;
  return async (body: Buffer): Promise<ReadBody | undefined> => {
    await (await send(url, { method: 'POST', body })).body.dump();
    return read.pop();
  };
}

test('gzip is read up to the limit, on the spot and in the thread pool, and a bomb stops there', async (t) => {
  const read = await reading(t, 'gzip');
  assert.deepEqual(await read(gzipSync('{"id":"é"}')), { kind: 'text', text: '{"id":"é"}' });
  // Too random to become small: the thread pool inflates it, after the request has ended.
  const large = Array.from({ length: 12_000 }, (_, index) => (index * 7_919) % 99_991).join('');
  const packed = gzipSync(large.slice(0, BYTES_MAX));
  assert.ok(packed.length > 16 * 1024, `${packed.length} bytes`);
  assert.deepEqual(await read(packed), { kind: 'text', text: large.slice(0, BYTES_MAX) });
  assert.deepEqual(await read(gzipSync(Buffer.alloc(BYTES_MAX + 1))), { kind: 'too_large' });
  const before = process.memoryUsage().arrayBuffers;
  assert.deepEqual(await read(gzipSync(Buffer.alloc(50 * 1024 * 1024))), { kind: 'too_large' });
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.ok(grown < 60 * 1024 * 1024, `${grown} bytes, most of them the test's own`);
});

test('a body that is not gzip, or cut off, is broken', async (t) => {
  const read = await reading(t, 'gzip');
  const whole = gzipSync('{"id":"1"}');
  for (const body of [Buffer.from('{}'), whole.subarray(0, -9), deflateSync('{}'), Buffer.of()]) {
    assert.deepEqual(await read(body), { kind: 'broken' });
  }
});

test('a byte order mark is no part of the text', async (t) => {
  const marked = Buffer.from('\u{feff}{}');
  assert.deepEqual(await (await reading(t, 'plain'))(marked), { kind: 'text', text: '{}' });
  const zipped = gzipSync(marked);
  assert.deepEqual(await (await reading(t, 'gzip'))(zipped), { kind: 'text', text: '{}' });
});

test('the first piece is shown once, in the turn in which it comes, and read all the same', async (t) => {
  const read: ReadBody[] = [];
  const shown: (string | null)[] = [];
  const server = createServer((request, response) => {
    const reader = new BodyReader(request, BYTES_MAX);
    request.once('data', () => shown.push('another listener'));
    reader.first((piece) => shown.push(piece === null ? null : piece.toString()));
    void reader
      .read('plain')
      .then((body) => read.push(body))
      .finally(() => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const url = `http://127.0.0.1:${address.port}`;
  for (const [body, piece] of [
    ['{"id":"1"}', '{"id":"1"}'],
    ['', null],
    [Buffer.alloc(BYTES_MAX + 1), null],
  ] as const) {
    // One request after the other.
    // oxlint-disable-next-line no-await-in-loop
    const { body: answer } = await send(url, { method: 'POST', body });
    // oxlint-disable-next-line no-await-in-loop
    await answer.dump();
    assert.equal(
      shown.findLast((each) => each !== 'another listener'),
      piece,
    );
    const expected =
      typeof body === 'string' ? { kind: 'text', text: body } : { kind: 'too_large' };
    assert.deepEqual(read.pop(), expected);
  }
});
