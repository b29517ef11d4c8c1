import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBidder } from './bidder.ts';
import { DURATION_MAX_MS, REQUESTS_MAX, runClosedLoop, runOpenLoop } from './load.ts';
import { assertLoopback } from './loopback.ts';
import { serve } from './test-server.ts';

const BODY = { id: 'r', imp: [{ id: '1', banner: { w: 320, h: 50 } }] };
const next = () => BODY;

test('a closed loop sends exactly so many requests, never more at a time than it has workers', async (context) => {
  let [now, most] = [0, 0];
  const url = await serve(context, (_, response) => {
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.end('fine');
    }, 2);
  });
  const texts: string[] = [];
  const result = await runClosedLoop({
    url,
    workers: 4,
    requests: 50,
    next,
    onResponse: (body, status, text) => texts.push(`${body.id} ${status} ${text}`),
  });
  assert.equal(result.sent, 50);
  assert.deepEqual(result.statuses, { 200: 50 });
  assert.deepEqual(new Set(texts), new Set(['r 200 fine']));
  assert.equal(texts.length, 50);
  assert.equal(most, 4);
  assert.ok(result.latencyMs.p50 >= 1 && result.latencyMs.max < 1000);
});

test('a closed loop stops at its time with requests left', async (context) => {
  const latency = { medianMs: 20, spread: 0, maxMs: 20 };
  const bidder = await startBidder({ profile: { latency } });
  context.after(() => bidder.close());
  const { sent, durationMs } = await runClosedLoop({
    url: bidder.url,
    workers: 2,
    requests: 100_000,
    durationMaxMs: 200,
    next,
  });
  assert.ok(sent >= 2 && sent <= 22, String(sent));
  assert.ok(durationMs >= 200 && durationMs < 1000, String(durationMs));
});

test('an open loop keeps its rate although nothing is answered, and its time', async (context) => {
  const bidder = await startBidder({ profile: { faults: { hang: 1 } } });
  context.after(() => bidder.close());
  const result = await runOpenLoop({
    url: bidder.url,
    ratePerSecond: 200,
    durationMs: 500,
    timeoutMs: 300,
    next,
  });
  assert.equal(result.sent, 100);
  assert.deepEqual(result.errors, { TIMEOUT: 100 });
  assert.ok(result.durationMs >= 700 && result.durationMs < 2000, String(result.durationMs));
});

test('an open loop sheds what would be too much at a time, and says so', async (context) => {
  const bidder = await startBidder({ profile: { faults: { hang: 1 } } });
  context.after(() => bidder.close());
  const { sent, shed } = await runOpenLoop({
    url: bidder.url,
    ratePerSecond: 500,
    durationMs: 200,
    timeoutMs: 1000,
    inFlightMax: 10,
    next,
  });
  assert.deepEqual([sent, shed], [10, 90]);
});

test('latency counts from the time of arrival, so that a stalled client does not hide it', async (context) => {
  const bidder = await startBidder();
  context.after(() => bidder.close());
  let index = 0;
  const { latencyMs } = await runOpenLoop({
    url: bidder.url,
    ratePerSecond: 100,
    durationMs: 300,
    next() {
      index += 1;
      // The tenth request holds the process up for a while; those behind it are sent late.
      if (index === 10) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
      return BODY;
    },
  });
  assert.ok(latencyMs.max >= 100, String(latencyMs.max));
});

test('every request ends in one status or one error', async (context) => {
  const faults = { status500: 0.2, reset: 0.2, truncated: 0.2, empty200: 0.2 };
  const bidder = await startBidder({ profile: { faults } });
  context.after(() => bidder.close());
  const codes: string[] = [];
  const { sent, statuses, errors } = await runClosedLoop({
    url: bidder.url,
    workers: 4,
    requests: 200,
    next,
    onError: (_, code) => codes.push(code),
  });
  const total = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  assert.equal(sent, 200);
  assert.equal(total(statuses) + total(errors), 200);
  assert.equal(codes.length, total(errors));
  assert.ok((statuses['500'] ?? 0) > 0 && (statuses['200'] ?? 0) > 0);
  assert.ok((errors['ECONNRESET'] ?? 0) > 0 && (errors['UND_ERR_SOCKET'] ?? 0) > 0);
});

test('a closed port is an error by its code', async () => {
  const bidder = await startBidder();
  await bidder.close();
  const { errors } = await runClosedLoop({ url: bidder.url, workers: 1, requests: 3, next });
  assert.deepEqual(errors, { ECONNREFUSED: 3 });
});

test('a signal ends a run early', async (context) => {
  const bidder = await startBidder();
  context.after(() => bidder.close());
  const signal = AbortSignal.timeout(150);
  const options = { url: bidder.url, next, signal };
  const open = await runOpenLoop({ ...options, ratePerSecond: 1, durationMs: 60_000 });
  assert.equal(open.sent, 1);
  assert.ok(open.durationMs < 1000, String(open.durationMs));
});

test('what a callback throws ends the run and reaches the caller', async (context) => {
  const bidder = await startBidder();
  context.after(() => bidder.close());
  const onResponse = (): void => {
    throw new Error('an assertion in a test');
  };
  const options = { url: bidder.url, next, onResponse };
  await assert.rejects(runClosedLoop({ ...options, workers: 2, requests: 100 }), /an assertion/);
  await assert.rejects(
    runOpenLoop({ ...options, ratePerSecond: 100, durationMs: 5000 }),
    /an assertion/,
  );
  assert.ok(bidder.counts.requests < 20, String(bidder.counts.requests));
});

test('load goes to this machine only', async () => {
  for (const url of [
    'http://example.com/',
    'http://10.0.0.1/',
    'http://0.0.0.0/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://user@example.com/',
    'http://[::ffff:10.0.0.1]/',
    'https://127.0.0.1/',
    'file:///etc/hosts',
    'not an address',
  ]) {
    assert.throws(() => assertLoopback(url), RangeError, url);
    await assert.rejects(runClosedLoop({ url, workers: 1, requests: 1, next }), RangeError);
    await assert.rejects(runOpenLoop({ url, ratePerSecond: 1, durationMs: 1, next }), RangeError);
  }
  for (const host of ['127.0.0.1', '127.8.9.1', 'localhost', '[::1]']) {
    assert.equal(assertLoopback(`http://${host}:81/x`).port, '81');
  }
});

test('a run without bounds is refused', async () => {
  const url = 'http://127.0.0.1:1/';
  for (const requests of [0, -1, NaN, Infinity, REQUESTS_MAX + 1]) {
    await assert.rejects(runClosedLoop({ url, workers: 1, requests, next }), RangeError);
  }
  for (const durationMs of [0, NaN, Infinity, DURATION_MAX_MS + 1]) {
    await assert.rejects(runOpenLoop({ url, ratePerSecond: 1, durationMs, next }), RangeError);
  }
});
