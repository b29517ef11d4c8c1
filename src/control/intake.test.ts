import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { until } from '../../test/support/wait.ts';
import type { LoadResult } from '../analytics/load-result.ts';
import {
  BATCH_BYTES_MAX,
  type Batch,
  type BatchManifest,
  type BatchStream,
} from '../ports/batch.ts';
import {
  BATCH_BODY_BYTES_MAX,
  BATCH_MEDIA_TYPE,
  BATCH_PATHS,
  encodeManifest,
  GIVEN_UP_PATH,
  type GivenUp,
  type GivenUpAnswer,
} from '../ports/batch-wire.ts';
import { registerIntake } from './intake.ts';
import { answerProblems } from './problem-details.ts';

const MANIFEST = {
  incarnation: '0123456789abcdef',
  schema: 1,
  segments: [{ segment: 'money-1.ndjson', start: 0, end: 300 }],
};
const TRACE_MANIFEST: BatchManifest = {
  incarnation: '0123456789abcdef',
  stream: 'trace',
  schema: 2,
  segments: [{ segment: 'trace-1.ndjson', start: 0, end: 300 }],
};
const RECORDS = '{"n":"é"}\n{"n":2}\n';
const BODY = Buffer.concat([encodeManifest(MANIFEST), Buffer.from(RECORDS)]);
const TRACE_BODY = Buffer.concat([encodeManifest(TRACE_MANIFEST), Buffer.from(RECORDS)]);

/** A batch of the most bytes. */
function largestOf(manifest: BatchManifest): Buffer {
  return Buffer.concat([encodeManifest(manifest), Buffer.alloc(BATCH_BYTES_MAX, '\n')]);
}

/** An intake whose loader does as the test says. */
function intakeOf(t: TestContext, load: (batch: Batch) => Promise<LoadResult>) {
  const log: string[] = [];
  const logger = pino({}, { write: (line) => void log.push(JSON.parse(line).msg) });
  const app = fastify({ logger: false });
  answerProblems(app, logger);
  const giveUp = async ({ marks }: GivenUp): Promise<GivenUpAnswer> =>
    marks.length === 0 ? { kind: 'failed', reason: 'not yet' } : { kind: 'looked', present: [0] };
  registerIntake(app, { load, giveUp, logger });
  t.after(() => app.close());
  // `async`, because what `inject` gives begins only when somebody waits for it.
  const post = async (
    body: Buffer | string = BODY,
    type = BATCH_MEDIA_TYPE,
    stream: BatchStream = 'money',
  ) =>
    app.inject({
      method: 'POST',
      url: BATCH_PATHS[stream],
      headers: { 'content-type': type },
      payload: body,
    });
  return { app, log, post };
}

const results: [LoadResult, number][] = [
  [{ kind: 'loaded', records: 2 }, 200],
  [{ kind: 'already' }, 200],
  [{ kind: 'quarantined', records: 5, refused: 1, missing: 0, reason: 'no such column' }, 200],
  [{ kind: 'conflict', offsets: { 'money-1.ndjson': 7 }, pending: MANIFEST }, 409],
  [{ kind: 'failed', reason: 'out of memory' }, 503],
];
for (const [result, status] of results) {
  test(`a batch that comes to ${result.kind} is answered with ${status} and what there is to say`, async (t) => {
    let given: Batch | undefined;
    const { post } = intakeOf(t, async (batch) => {
      given = batch;
      return result;
    });
    const response = await post();
    assert.equal(response.statusCode, status);
    assert.deepEqual(response.json(), result);
    assert.equal(response.headers['retry-after'], status === 503 ? '1' : undefined);
    assert.deepEqual(given?.manifest, MANIFEST);
    assert.equal(Buffer.from(given.records).toString(), RECORDS);
  });
}

test('what calls for a person is in the log', async (t) => {
  const answers = results.map(([result]) => result);
  const { post, log } = intakeOf(t, async () => answers.shift() ?? { kind: 'already' });
  for (let n = 0; n < results.length; n += 1) await post();
  assert.deepEqual(log, [
    'records of a batch are in quarantine',
    'a batch does not follow on what was loaded',
    'a batch could not be loaded; it comes again',
  ]);
});

test('what is no batch is refused and not loaded', async (t) => {
  let loads = 0;
  const { post } = intakeOf(t, async () => {
    loads += 1;
    throw new TypeError('A batch has whole lines.');
  });
  const wrong = ['', 'garbage', '{}\n', `${JSON.stringify({ ...MANIFEST, extra: 1 })}\n`, RECORDS];
  for (const body of wrong) {
    const response = await post(body);
    assert.equal(response.statusCode, 400, body);
    assert.equal(response.json().code, 'invalid_request');
  }
  assert.equal((await post(BODY, 'application/json')).statusCode, 400);
  assert.equal((await post(BODY, 'text/plain')).statusCode, 400);
  assert.equal((await post(Buffer.alloc(BATCH_BODY_BYTES_MAX + 1))).statusCode, 413);
  assert.equal(loads, 0);
  const refused = await post();
  assert.equal(refused.statusCode, 400);
  assert.equal(refused.json().errors[0].message, 'A batch has whole lines.');
});

test('a failure of the loader is one of control, without its cause', async (t) => {
  const { post } = intakeOf(t, () => Promise.reject(new Error('secret detail')));
  const response = await post();
  assert.equal(response.statusCode, 500);
  assert.doesNotMatch(response.body, /secret detail/);
});

test('a largest batch is taken', async (t) => {
  const { post } = intakeOf(t, async ({ records }) => ({
    kind: 'loaded',
    records: records.length,
  }));
  const response = await post(largestOf(MANIFEST));
  assert.deepEqual(response.json(), { kind: 'loaded', records: BATCH_BYTES_MAX });
});

test('only so many bytes of batches are held at a time; those on top are told to come again', async (t) => {
  const waiting: (() => void)[] = [];
  const { post } = intakeOf(t, async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return { kind: 'already' };
  });
  const held = Array.from({ length: 8 }, () => post(largestOf(MANIFEST)));
  const refused = await post();
  assert.equal(refused.statusCode, 503);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal(refused.json().kind, 'failed');
  await until('eight are loading', 5_000, () => waiting.length === 8);
  for (const end of waiting) end();
  for (const response of await Promise.all(held)) assert.equal(response.statusCode, 200);
  const after = post();
  await until('the next is loading', 5_000, () => waiting.length === 9);
  waiting.at(-1)?.();
  assert.equal((await after).statusCode, 200);
});

test('small batches of many nodes are held at a time', async (t) => {
  const waiting: (() => void)[] = [];
  const { post } = intakeOf(t, async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return { kind: 'already' };
  });
  const held = Array.from({ length: 100 }, () => post());
  await until('a hundred are loading', 5_000, () => waiting.length === 100);
  for (const end of waiting) end();
  for (const response of await Promise.all(held)) assert.equal(response.statusCode, 200);
});

test('traces are offered at an address of their own, and take a quarter of the room', async (t) => {
  const waiting: (() => void)[] = [];
  const streams: (string | undefined)[] = [];
  const { post } = intakeOf(t, async ({ manifest }) => {
    streams.push(manifest.stream);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return { kind: 'already' };
  });
  const postTrace = async () => post(largestOf(TRACE_MANIFEST), BATCH_MEDIA_TYPE, 'trace');
  const held = [postTrace(), postTrace()];
  const [first, second] = held.map((each) => each.then(({ statusCode }) => statusCode));
  await until('two are loading', 5_000, () => waiting.length === 2);
  const refused = await postTrace();
  assert.equal(refused.statusCode, 503);
  assert.equal(refused.headers['retry-after'], '1');
  const money = post().then(({ statusCode }) => statusCode);
  await until('money is loading', 5_000, () => waiting.length === 3);
  for (const end of waiting) end();
  assert.deepEqual(await Promise.all([first, second, money]), [200, 200, 200]);
  assert.deepEqual(streams, ['trace', 'trace', undefined]);
});

test('a batch that is given up is answered with what of it is there, or asked for again', async (t) => {
  const { app } = intakeOf(t, () => Promise.reject(new Error('nothing is loaded')));
  const post = async (payload: object) =>
    app.inject({ method: 'POST', url: GIVEN_UP_PATH, payload });
  const looked = await post({ manifest: MANIFEST, marks: [[1, 2]] });
  assert.deepEqual([looked.statusCode, looked.json()], [200, { kind: 'looked', present: [0] }]);
  const failed = await post({ manifest: MANIFEST, marks: [] });
  assert.deepEqual([failed.statusCode, failed.headers['retry-after']], [503, '1']);
  assert.equal((await post({ manifest: MANIFEST, marks: [[1]] })).statusCode, 400);
});

test('a batch at the address of the other stream is none', async (t) => {
  const { post } = intakeOf(t, () => Promise.reject(new Error('nothing is loaded')));
  assert.equal((await post(TRACE_BODY)).statusCode, 400);
  const money = await post(BODY, BATCH_MEDIA_TYPE, 'trace');
  assert.equal(money.statusCode, 400);
  assert.match(money.json().errors[0].message, /a batch of trace/);
});

test('a courier that breaks off while it sends gives its place back', async (t) => {
  const { app, post } = intakeOf(t, async () => ({ kind: 'already' }));
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  for (let n = 0; n < 10; n += 1) {
    const socket = connect(Number(url.port), url.hostname);
    socket.write(
      `POST /internal/batches HTTP/1.1\r\nHost: x\r\nContent-Type: ${BATCH_MEDIA_TYPE}\r\n` +
        'Content-Length: 1000\r\n\r\nsome',
    );
    await once(app.server, 'request');
    socket.destroy();
    await once(socket, 'close');
  }
  await until('a place is free', 5_000, async () => (await post()).statusCode === 200);
});
