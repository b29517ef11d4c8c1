import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { fastify } from 'fastify';
import type { Report, ReportRow } from '../analytics/report.ts';
import { textOf } from './report-text.ts';
import { ReportSender } from './send-report.ts';

const ROWS_AT_ONCE = 500;

interface Served {
  readonly url: string;
  /** Rows that were read so far. */
  readonly read: () => number;
  /** Reports whose reading came to its end, however. */
  readonly ended: () => number;
  readonly cutOff: readonly Error[];
}

/** Serves reports of so many rows; after \`faultAfter\` of them the store fails. */
async function serve(
  t: TestContext,
  { rows: total, faultAfter = Infinity }: { rows: number; faultAfter?: number },
): Promise<Served> {
  let read = 0;
  let ended = 0;
  const cutOff: Error[] = [];
  const rows = async function* (): AsyncGenerator<readonly ReportRow[]> {
    try {
      for (let at = 0; at < total; at += ROWS_AT_ONCE) {
        await nextTurn();
        if (at >= faultAfter) throw new Error('the store failed');
        const length = Math.min(ROWS_AT_ONCE, total - at);
        read += length;
        yield Array.from({ length }, (_, index) => ({
          app_bundle: 'é€𝄞'.repeat(20),
          bids: at + index,
        }));
      }
    } finally {
      ended += 1;
    }
  };
  const sender = new ReportSender((error) => cutOff.push(error));
  const app = fastify({ forceCloseConnections: true });
  app.get('/:format', (request, reply) => {
    const report: Report = { columns: ['app_bundle', 'bids'], rows: rows() };
    const format = request.url === '/csv' ? 'csv' : 'json';
    return sender.send(reply.type('text/plain; charset=utf-8'), textOf(report, format));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const address = app.server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const url = `http://127.0.0.1:${address.port}`;
  return { url, read: () => read, ended: () => ended, cutOff };
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let turns = 0; !isSo(); turns += 1) {
    assert.ok(turns < 1_000, what);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function open(url: string): Promise<IncomingMessage> {
  const request = get(url);
  const [response]: IncomingMessage[] = await once(request, 'response');
  assert.ok(response !== undefined);
  return response;
}

test('a short report has its length, a long one comes in chunks; both are whole', async (t) => {
  for (const rows of [3, 100_000]) {
    const { url, ended } = await serve(t, { rows });
    const response = await fetch(`${url}/json`);
    assert.equal(response.headers.has('content-length'), rows === 3);
    const { status, data, result_count } = JSON.parse(await response.text());
    assert.deepEqual([status, data.length, result_count], ['success', rows, rows]);
    assert.deepEqual(data.at(-1), { app_bundle: 'é€𝄞'.repeat(20), bids: rows - 1 });
    const lines = (await (await fetch(`${url}/csv`)).text()).split('\r\n');
    assert.deepEqual([lines.length, lines[0]], [rows + 2, 'app_bundle,bids']);
    assert.equal(lines[rows], `${'é€𝄞'.repeat(20)},${rows - 1}`);
    await until('both were read to their end', () => ended() === 2);
  }
});

test('a client that takes nothing is waited for, and its going ends the report', async (t) => {
  const { url, read, ended, cutOff } = await serve(t, { rows: 10_000_000 });
  const response = await open(`${url}/json`);
  response.pause();
  let before = -1;
  await until('nothing more is read', () => {
    const isSame = before === read();
    before = read();
    return isSame && before > 0;
  });
  assert.ok(read() < 200_000, `${read()} rows were read for nobody`);
  response.destroy();
  await until('the report ended', () => ended() === 1);
  assert.deepEqual(cutOff, []);
});

test('a fault in the middle ends the connection: no client takes the rest for a report', async (t) => {
  const { url, cutOff, ended } = await serve(t, { rows: 200_000, faultAfter: 100_000 });
  for (const format of ['json', 'csv']) {
    const response = await fetch(`${url}/${format}`);
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
  }
  await until('both were ended', () => ended() === 2);
  assert.deepEqual(
    cutOff.map(({ message }) => message),
    ['the store failed', 'the store failed'],
  );
});

test('a fault at the beginning is answered with its status', async (t) => {
  const { url } = await serve(t, { rows: 200_000, faultAfter: 1_000 });
  assert.equal((await fetch(`${url}/json`)).status, 500);
});

test('more than eight long reports at a time are refused, until one has ended', async (t) => {
  const { url, ended } = await serve(t, { rows: 1_000_000 });
  const open8 = await Promise.all(Array.from({ length: 8 }, () => open(`${url}/csv`)));
  for (const response of open8) response.pause();
  assert.equal((await fetch(`${url}/csv`)).status, 503);
  open8[0]?.destroy();
  await until('two have ended', () => ended() === 2);
  const ninth = await open(`${url}/csv`);
  assert.equal(ninth.statusCode, 200);
  for (const response of [...open8, ninth]) response.destroy();
  await until('all have ended', () => ended() === 10);
});
