import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startBidder } from './bidder.ts';
import { recordOf } from './decode.ts';
import { serve } from './test-server.ts';

const CONFIG = fileURLToPath(new URL('../examples/exchange.yaml', import.meta.url));

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function start(context: TestContext, args: readonly string[]): Child {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  context.after(() => child.kill('SIGKILL'));
  return child;
}

/** The next lines of JSON on stdout. */
async function lines(child: Child, count: number): Promise<readonly Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for await (const line of createInterface(child.stdout)) {
    found.push(recordOf(JSON.parse(line)) ?? {});
    if (found.length === count) break;
  }
  return found;
}

async function exitOf(child: Child): Promise<{ code: unknown; elapsedMs: number }> {
  const startedAt = performance.now();
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, elapsedMs: performance.now() - startedAt };
}

test('the bidders of a file announce their endpoints on one line and answer there', async (context) => {
  const child = start(context, ['bidders', '--seed', '3', '--config', CONFIG]);
  const [ready] = await lines(child, 1);
  assert.equal(ready?.['ready'], true);
  const endpoints = recordOf(ready?.['endpoints']) ?? {};
  assert.deepEqual(Object.keys(endpoints), ['1001', '1002']);
  for (const endpoint of Object.values(endpoints)) {
    const body = JSON.stringify({ id: 'r', imp: [{ id: '1', banner: { w: 320, h: 50 } }] });
    const { status } = await fetch(String(endpoint), { method: 'POST', body });
    assert.ok(status === 200 || status === 204, String(status));
  }
  child.kill('SIGTERM');
  const { code, elapsedMs } = await exitOf(child);
  assert.equal(code, 0);
  assert.ok(elapsedMs < 2000, String(elapsedMs));
});

test('the bidders end when their stdin closes, as it does when the parent dies', async (context) => {
  const child = start(context, ['bidders', '--config', CONFIG]);
  await lines(child, 1);
  child.stdin.end();
  assert.equal((await exitOf(child)).code, 0);
});

test('the bidders listen where the file says when asked to, and say so when they cannot', async (context) => {
  // A port that was free a moment ago.
  const bidder = await startBidder();
  await bidder.close();
  const config = join(mkdtempSync(join(tmpdir(), 'rialto-sim-')), 'exchange.yaml');
  context.after(() => rmSync(dirname(config), { recursive: true }));
  writeFileSync(config, `demand_partners: [{ id: 7, bidder: { endpoint: "${bidder.url}" } }]`);
  const args = ['bidders', '--as-configured', '--config', config];
  const child = start(context, args);
  assert.deepEqual(await lines(child, 1), [{ ready: true, endpoints: { 7: bidder.url } }]);
  const second = start(context, args);
  const [errors, { code }] = await Promise.all([text(second.stderr), exitOf(second)]);
  assert.equal(code, 1);
  assert.match(errors, /^sim: .*EADDRINUSE.*\n$/);
});

test('the publishers send at their rate, print totals and end after their time', async (context) => {
  let asked = 0;
  const url = await serve(context, ({ method, url: path }, response) => {
    assert.deepEqual([method, path], ['POST', '/openrtb2/auction']);
    asked += 1;
    response.writeHead([200, 200, 204, 503][asked % 4] ?? 500).end();
  });
  const args = [
    'publishers',
    '--config',
    CONFIG,
    '--url',
    url,
    '--rate',
    '40',
    '--duration',
    '1.5',
  ];
  const child = start(context, args);
  const [first, last] = await lines(child, 2);
  assert.equal((await exitOf(child)).code, 0);
  assert.ok(Number(first?.['sent']) >= 30 && Number(first?.['sent']) <= 45, JSON.stringify(first));
  assert.partialDeepStrictEqual(last, { sent: 60, filled: 30, unfilled: 15, failed: 15 });
  assert.equal(asked, 60);
});

test('the publishers send the beacons of what they were sold, and none when told so', async (context) => {
  const called = new Set<string>();
  let asked = 0;
  const url = await serve(context, (request, response) => {
    if (request.method === 'GET') {
      called.add(request.url ?? '');
      response.writeHead(204).end();
      return;
    }
    asked += 1;
    const ext = { rialto: { view: `${url}/view/${asked}`, click: `${url}/click/${asked}` } };
    const bid = { impid: '1', price: 2, burl: `${url}/impression/${asked}`, ext };
    const sold = asked % 2 === 0 ? bid : { ...bid, nurl: `${url}/win/${asked}` };
    response.end(JSON.stringify({ seatbid: [{ bid: [sold] }] }));
  });
  const shares = ['--take', '0', '--decides', '0', '--show', '1', '--view', '0', '--click', '0'];
  const args = ['publishers', '--config', CONFIG, '--url', url, ...shares, '--repeat', '0'];
  const sold = start(context, [...args, '--rate', '20', '--duration', '0.5']);
  const last = (await lines(sold, 100)).at(-1);
  assert.partialDeepStrictEqual(last, {
    sent: 10,
    filled: 10,
    dropped: 5,
    confirmed: 0,
    impressions: 5,
    told_micros: 10_000_000,
  });
  assert.equal(called.size, 5);
  const silent = start(context, [...args, '--rate', '20', '--duration', '0.5', '--no-beacons']);
  const none = (await lines(silent, 100)).at(-1);
  assert.partialDeepStrictEqual(none, { filled: 10, impressions: 0, dropped: 0 });
  assert.equal(called.size, 5);
});

test('the publishers end on SIGTERM and when their stdin closes', async (context) => {
  const url = await serve(context, (_, response) => response.writeHead(204).end());
  const args = ['publishers', '--config', CONFIG, '--url', url, '--rate', '5'];
  for (const end of [
    (child: Child) => child.kill('SIGTERM'),
    (child: Child) => child.stdin.end(),
  ]) {
    const child = start(context, args);
    await lines(child, 1);
    end(child);
    const { code, elapsedMs } = await exitOf(child);
    assert.equal(code, 0);
    assert.ok(elapsedMs < 2000, String(elapsedMs));
  }
});

test('a bad file, address or number is one line on stderr and exit code 1', async (context) => {
  for (const args of [
    ['bidders', '--config', 'no-such-file.yaml'],
    ['publishers', '--config', CONFIG, '--url', 'http://example.com'],
    ['publishers', '--config', CONFIG, '--url', 'http://127.0.0.1:1', '--rate', 'fast'],
    ['publishers', '--config', CONFIG],
    ['publishers', '--config', CONFIG, '--url', 'http://127.0.0.1:1', '--click', '2'],
  ]) {
    const child = start(context, args);
    const [errors, { code }] = await Promise.all([text(child.stderr), exitOf(child)]);
    assert.equal(code, 1, args.join(' '));
    assert.match(errors, /^.+\n$/, args.join(' '));
  }
});
