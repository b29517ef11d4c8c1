import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { openStore, openTestStore } from '../../test/support/configuration-store.ts';
import type { BatchManifest, SegmentRange } from '../ports/batch.ts';
import type { PendingBatch } from '../ports/offset-store.ts';
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

let loads = 0;

/** A batch that is begun, under a number of its own. */
function pendingOf(token: string, manifest: BatchManifest, records = 7): PendingBatch {
  loads += 1;
  return { token, manifest, load: loads, records };
}

async function storeOf(t: TestContext) {
  const { db, path } = await openTestStore(t);
  return { offsets: createOffsetStore(db, 'here'), db, path };
}

test('a node of which nothing was loaded has no offsets and no pending batch', async (t) => {
  const { offsets } = await storeOf(t);
  assert.deepEqual(await offsets.read(NODE, 'money'), { offsets: new Map(), pending: null });
  assert.deepEqual(await offsets.pending(), []);
});

test('a commit moves every segment to its end and forgets the pending batch of its node alone', async (t) => {
  const { offsets, path } = await storeOf(t);
  const pending = pendingOf('token-1', manifestOf(10));
  const others = pendingOf('token-2', manifestOf(20, OTHER));
  await offsets.begin(pending);
  await offsets.begin(others);
  assert.deepEqual(await offsets.read(NODE, 'money'), { offsets: new Map(), pending });
  await offsets.commit(
    pendingOf(
      'token-9',
      batchOf([
        { segment: 'money-1.ndjson', start: 0, end: 10 },
        { segment: 'money-2.ndjson', start: 0, end: 7 },
      ]),
    ),
  );
  await offsets.commit(
    pendingOf('token-9', batchOf([{ segment: 'money-1.ndjson', start: 10, end: 30 }])),
  );

  // As another process sees it.
  const db = await openStore(path);
  t.after(() => db.destroy());
  const again = createOffsetStore(db, 'here');
  const loaded = new Map([
    ['money-1.ndjson', 30],
    ['money-2.ndjson', 7],
  ]);
  assert.deepEqual(await again.read(NODE, 'money'), { offsets: loaded, pending: null });
  assert.deepEqual(await again.pending(), [others]);
});

test('a pending batch is begun again by itself and replaced by no other', async (t) => {
  const { offsets } = await storeOf(t);
  const pending = pendingOf('token-1', manifestOf(10));
  await offsets.begin(pending);
  await offsets.begin(pending);
  await assert.rejects(offsets.begin(pendingOf('token-2', manifestOf(20))), /is pending/);
  assert.deepEqual(await offsets.pending(), [pending]);
});

test('batches of several nodes are begun and committed together, or none of them', async (t) => {
  const { offsets } = await storeOf(t);
  const range = { segment: 'money-1.ndjson', start: 0, end: 10 };
  const [mine, theirs] = [
    pendingOf('token-1', batchOf([range])),
    pendingOf('token-2', batchOf([range], OTHER)),
  ];
  const [another, more] = [
    pendingOf('token-3', batchOf([range], OTHER)),
    pendingOf('token-4', traceOf('trace-1.ndjson')),
  ];
  await offsets.begin(mine, theirs);
  await assert.rejects(offsets.begin(more, another), /is pending/);
  assert.deepEqual(new Set(await offsets.pending()), new Set([mine, theirs]));
  await offsets.commit(mine, theirs);
  assert.deepEqual(await offsets.pending(), []);
  for (const node of [NODE, OTHER]) {
    const { offsets: loaded } = await offsets.read(node, 'money');
    assert.equal(loaded.get(range.segment), range.end);
  }
});

test('segments that a node has removed are forgotten, those of other nodes are not', async (t) => {
  const { offsets } = await storeOf(t);
  const range = { segment: 'money-1.ndjson', start: 0, end: 10 };
  await offsets.commit(
    pendingOf('token-9', batchOf([range, { ...range, segment: 'money-2.ndjson' }])),
  );
  await offsets.commit(pendingOf('token-9', batchOf([range], OTHER)));
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
  const money = pendingOf('token-1', manifestOf(10));
  const trace = pendingOf('token-2', traceOf('trace-1.ndjson'));
  await offsets.begin(money);
  await offsets.begin(trace);
  assert.deepEqual((await offsets.read(NODE, 'money')).pending, money);
  assert.deepEqual((await offsets.read(NODE, 'trace')).pending, trace);
  await offsets.commit(trace);
  assert.deepEqual(await offsets.pending(), [money]);
  assert.equal((await offsets.read(NODE, 'trace')).offsets.get('trace-1.ndjson'), 10);
});

test('a batch that is released is forgotten, or waits to come again without a load', async (t) => {
  const { offsets } = await storeOf(t);
  const money = pendingOf('token-1', manifestOf(10));
  const trace = pendingOf('token-2', traceOf('trace-1.ndjson'));
  await offsets.begin(money);
  await offsets.begin(trace);
  await offsets.release(money, { records: 3, comesAgain: true });
  assert.deepEqual((await offsets.read(NODE, 'money')).pending, { ...money, load: null });
  await offsets.begin({ ...money, load: 99, records: 4 });
  assert.deepEqual((await offsets.read(NODE, 'money')).pending, { ...money, load: 99, records: 4 });
  await offsets.release({ ...money, load: 99 }, { records: 0, comesAgain: false });
  assert.deepEqual(await offsets.pending(), [trace]);
  assert.deepEqual(await offsets.settled(), [{ stream: 'money', load: money.load, records: 3 }]);
});

test('what was settled is known until it is forgotten, each stream for itself', async (t) => {
  const { offsets } = await storeOf(t);
  const batches = ['money-1.ndjson', 'money-2.ndjson', 'money-3.ndjson'].map((segment) =>
    pendingOf(segment, batchOf([{ segment, start: 0, end: 10 }])),
  );
  const trace = pendingOf('trace', traceOf('trace-1.ndjson'));
  for (const batch of [...batches, trace]) await offsets.commit(batch);
  const loadOf = (batch: PendingBatch) => ({ load: batch.load, records: 7 });
  const [one, two, three] = batches;
  assert.ok(one?.load && two?.load && three?.load);
  const [first] = await offsets.settled({ stream: 'money', first: 1, max: 1 });
  assert.deepEqual(first, { stream: 'money', ...loadOf(one) });
  const from = await offsets.settled({ stream: 'money', first: one.load + 1, max: 9 });
  assert.deepEqual(
    from.map(({ load }) => load),
    [two.load, three.load],
  );
  await offsets.forgetSettled('money', two.load);
  assert.deepEqual(await offsets.settled(), [
    { stream: 'money', ...loadOf(three) },
    { stream: 'trace', ...loadOf(trace) },
  ]);
});

test('the load of a batch that was begun in another analytics store means nothing in this one', async (t) => {
  const { offsets, db } = await storeOf(t);
  const elsewhere = createOffsetStore(db, 'elsewhere');
  const batch = pendingOf('token-1', manifestOf(10));
  await elsewhere.begin(batch);
  assert.deepEqual(await offsets.pending(), []);
  assert.deepEqual((await offsets.read(NODE, 'money')).pending, { ...batch, load: null });
  await offsets.begin(batch);
  assert.deepEqual(await offsets.pending(), [batch]);
  await elsewhere.commit(batch);
  assert.deepEqual(await offsets.settled(), []);
});

test('a batch of the most segments is committed at once', async (t) => {
  const { offsets } = await storeOf(t);
  const ranges = Array.from({ length: 1000 }, (_, index) => ({
    segment: `money-${index}.ndjson`,
    start: 0,
    end: Number.MAX_SAFE_INTEGER,
  }));
  await offsets.commit(pendingOf('token-9', batchOf(ranges)));
  const { offsets: loaded } = await offsets.read(NODE, 'money');
  assert.equal(loaded.size, 1000);
  assert.equal(loaded.get('money-999.ndjson'), Number.MAX_SAFE_INTEGER);
});

test('a manifest that somebody has changed is not taken for one', async (t) => {
  const { offsets, db } = await storeOf(t);
  await offsets.begin(pendingOf('token-1', manifestOf(10)));
  await db.updateTable('pending_batches').set({ manifest: '{"segments":[]}' }).execute();
  await assert.rejects(offsets.read(NODE, 'money'), /manifest of batch token-1/);
});
