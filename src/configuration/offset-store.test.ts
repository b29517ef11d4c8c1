import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { openStore, openTestStore } from '../../test/support/configuration-store.ts';
import type { BatchManifest, SegmentRange } from '../ports/batch.ts';
import { createOffsetStore } from './offset-store.ts';

const NODE = 'aaaaaaaaaaaaaaaa';
const OTHER = 'bbbbbbbbbbbbbbbb';

function manifestOf(end: number, incarnation = NODE): BatchManifest {
  return { incarnation, schema: 1, segments: [{ segment: 'money-1.ndjson', start: 0, end }] };
}

/** A batch of these ranges. */
function batchOf(segments: SegmentRange[], incarnation = NODE): BatchManifest {
  return { incarnation, schema: 1, segments };
}

async function storeOf(t: TestContext) {
  const { db, path } = await openTestStore(t);
  return { offsets: createOffsetStore(db), db, path };
}

test('a node of which nothing was loaded has no offsets and no pending batch', async (t) => {
  const { offsets } = await storeOf(t);
  assert.deepEqual(await offsets.read(NODE, 'money'), { offsets: new Map(), pending: null });
  assert.deepEqual(await offsets.pending(), []);
});

test('a commit moves every segment to its end and forgets the pending batch of its node alone', async (t) => {
  const { offsets, path } = await storeOf(t);
  const pending = { token: 'token-1', manifest: manifestOf(10) };
  const others = { token: 'token-2', manifest: manifestOf(20, OTHER) };
  await offsets.begin(pending);
  await offsets.begin(others);
  assert.deepEqual(await offsets.read(NODE, 'money'), { offsets: new Map(), pending });
  await offsets.commit(
    batchOf([
      { segment: 'money-1.ndjson', start: 0, end: 10 },
      { segment: 'money-2.ndjson', start: 0, end: 7 },
    ]),
  );
  await offsets.commit(batchOf([{ segment: 'money-1.ndjson', start: 10, end: 30 }]));

  // As another process sees it.
  const db = await openStore(path);
  t.after(() => db.destroy());
  const again = createOffsetStore(db);
  const loaded = new Map([
    ['money-1.ndjson', 30],
    ['money-2.ndjson', 7],
  ]);
  assert.deepEqual(await again.read(NODE, 'money'), { offsets: loaded, pending: null });
  assert.deepEqual(await again.pending(), [others]);
});

test('a pending batch is begun again by itself and replaced by no other', async (t) => {
  const { offsets } = await storeOf(t);
  const pending = { token: 'token-1', manifest: manifestOf(10) };
  await offsets.begin(pending);
  await offsets.begin(pending);
  await assert.rejects(offsets.begin({ token: 'token-2', manifest: manifestOf(20) }), /is pending/);
  assert.deepEqual(await offsets.pending(), [pending]);
});

test('segments that a node has removed are forgotten, those of other nodes are not', async (t) => {
  const { offsets } = await storeOf(t);
  const range = { segment: 'money-1.ndjson', start: 0, end: 10 };
  await offsets.commit(batchOf([range, { ...range, segment: 'money-2.ndjson' }]));
  await offsets.commit(batchOf([range], OTHER));
  await offsets.forget(NODE, []);
  await offsets.forget(NODE, ['money-1.ndjson', 'money-9.ndjson']);
  assert.deepEqual([...(await offsets.read(NODE, 'money')).offsets], [['money-2.ndjson', 10]]);
  assert.deepEqual([...(await offsets.read(OTHER, 'money')).offsets], [['money-1.ndjson', 10]]);
});

/** A batch of trace of a segment. */
function traceOf(segment: string): BatchManifest {
  return {
    incarnation: NODE,
    stream: 'trace',
    schema: 2,
    segments: [{ segment, start: 0, end: 10 }],
  };
}

test('money and trace of one node are begun and committed apart', async (t) => {
  const { offsets } = await storeOf(t);
  const money = { token: 'token-1', manifest: manifestOf(10) };
  const trace = { token: 'token-2', manifest: traceOf('trace-1.ndjson') };
  await offsets.begin(money);
  await offsets.begin(trace);
  assert.deepEqual((await offsets.read(NODE, 'money')).pending, money);
  assert.deepEqual((await offsets.read(NODE, 'trace')).pending, trace);
  await offsets.commit(trace.manifest);
  assert.deepEqual(await offsets.pending(), [money]);
  assert.equal((await offsets.read(NODE, 'trace')).offsets.get('trace-1.ndjson'), 10);
});

test('a batch that is abandoned is not waited for any more, another one is', async (t) => {
  const { offsets } = await storeOf(t);
  const money = { token: 'token-1', manifest: manifestOf(10) };
  const trace = { token: 'token-2', manifest: traceOf('trace-1.ndjson') };
  await offsets.begin(money);
  await offsets.begin(trace);
  await offsets.abandon({ ...money, token: 'token-3' });
  assert.deepEqual((await offsets.read(NODE, 'money')).pending, money);
  await offsets.abandon(money);
  assert.deepEqual(await offsets.pending(), [trace]);
});

test('a batch of the most segments is committed at once', async (t) => {
  const { offsets } = await storeOf(t);
  const ranges = Array.from({ length: 1000 }, (_, index) => ({
    segment: `money-${index}.ndjson`,
    start: 0,
    end: Number.MAX_SAFE_INTEGER,
  }));
  await offsets.commit(batchOf(ranges));
  const { offsets: loaded } = await offsets.read(NODE, 'money');
  assert.equal(loaded.size, 1000);
  assert.equal(loaded.get('money-999.ndjson'), Number.MAX_SAFE_INTEGER);
});

test('a manifest that somebody has changed is not taken for one', async (t) => {
  const { offsets, db } = await storeOf(t);
  await offsets.begin({ token: 'token-1', manifest: manifestOf(10) });
  await db.updateTable('pending_batches').set({ manifest: '{"segments":[]}' }).execute();
  await assert.rejects(offsets.read(NODE, 'money'), /manifest of batch token-1/);
});
