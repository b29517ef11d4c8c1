import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { TaskQueue } from '../base/task-queue.ts';
import type { Batch } from '../ports/batch.ts';
import { BatchGatherer, GATHERED_BYTES_MAX, WORTH_AN_INSERT_BYTES } from './gather-batches.ts';
import type { LoadResults } from './load-together.ts';

const GATHER_MS = 400;

function batchOf(node: string, bytes = 1): Batch {
  const segments = [{ segment: 'money-1.ndjson', start: 0, end: bytes }];
  return { manifest: { incarnation: node, schema: 1, segments }, records: new Uint8Array(bytes) };
}

/** Loads nothing, and tells which nodes came together. */
function gatherer(t: TestContext, gatherMs = GATHER_MS) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const groups: string[] = [];
  const queue = new TaskQueue();
  const gathering = new BatchGatherer({
    load: async (batches): Promise<LoadResults> => {
      groups.push(batches.map(({ manifest }) => manifest.incarnation).join(' '));
      return batches.map(({ records }) => ({
        status: 'fulfilled',
        value: { kind: 'loaded', records: records.length },
      }));
    },
    inTurn: (work) => queue.run(work),
    gatherMs,
  });
  return { gathering, groups, queue };
}

test('where there is one node, its batch does not wait', async (t) => {
  const { gathering, groups } = gatherer(t);
  assert.deepEqual(await gathering.add(batchOf('a', 3)), { kind: 'loaded', records: 3 });
  await gathering.add(batchOf('a'));
  assert.deepEqual(groups, ['a', 'a']);
});

test('a batch waits for those of nodes that were heard lately, until all are there', async (t) => {
  const { gathering, groups } = gatherer(t);
  await gathering.add(batchOf('a'));
  const other = gathering.add(batchOf('b'));
  await gathering.add(batchOf('a'));
  await other;
  assert.deepEqual(groups, ['a', 'b a']);
});

test('it waits a moment, no longer', async (t) => {
  const { gathering, groups } = gatherer(t);
  await gathering.add(batchOf('a'));
  const other = gathering.add(batchOf('b'));
  t.mock.timers.tick(GATHER_MS - 1);
  assert.deepEqual(groups, ['a']);
  t.mock.timers.tick(1);
  await other;
  assert.deepEqual(groups, ['a', 'b']);
});

test('where much waits already, nobody waits for others', async (t) => {
  const { gathering, groups, queue } = gatherer(t);
  await gathering.add(batchOf('a'));
  const half = WORTH_AN_INSERT_BYTES / 2;
  for (const batch of [batchOf('b', half), batchOf('c', half)]) void gathering.add(batch);
  await queue.run(() => Promise.resolve());
  assert.deepEqual(groups, ['a', 'b c']);
});

test('of one node one batch comes at a time, and together no more than an INSERT should have', async (t) => {
  const { gathering, groups, queue } = gatherer(t);
  await gathering.add(batchOf('z'));
  const other = Promise.withResolvers<void>();
  void queue.run(() => other.promise);
  const third = Math.floor(GATHERED_BYTES_MAX / 3);
  const all = ['a', 'a', 'b', 'c', 'd'].map((node) => gathering.add(batchOf(node, third)));
  other.resolve();
  await Promise.all(all);
  assert.deepEqual(groups, ['z', 'a b c', 'a d']);
});
