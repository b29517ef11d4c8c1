import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createLoader } from '../../src/analytics/load.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import type { Batch } from '../../src/ports/batch.ts';
import type { GivenUp } from '../../src/ports/batch-wire.ts';
import { unmarked, marked } from '../support/journal-lines.ts';
import { assertHolds, NODE_B, Segment, testAnalytics, type Analytics } from './loader-fixture.ts';
import { makeRecords } from './loader-records.ts';

/** Yesterday, whose raw records are there for certain. */
const NOON_MS = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000;

/** Records as lines of the journal, with what tells each of them. */
function linesOf(records: readonly MoneyRecord[]): { bytes: Buffer; marks: [number, number][] } {
  const lines = records.map((record, index) => marked(JSON.stringify(record), index + 1));
  assert.ok(lines.every((line) => unmarked(line) !== null));
  return {
    bytes: Buffer.from(lines.map((line) => `${line}\n`).join('')),
    marks: lines.map((line, index) => [index + 1, JSON.parse(line).crc]),
  };
}

/** Begins to load a batch, and is killed before it is acknowledged. */
async function killedBetween(analytics: Analytics, batch: Batch): Promise<void> {
  const { store, offsets, quarantine } = analytics;
  const loader = createLoader({
    store,
    quarantine,
    offsets: { ...offsets, commit: () => Promise.reject(new Error('killed')) },
  });
  await assert.rejects(loader.load(batch), /killed/);
}

test('records of a batch that is given up are found, and are in every rollup', async (t) => {
  const analytics = await testAnalytics(t);
  const { store, loader, offsets } = analytics;
  const records = makeRecords('given', 60, NOON_MS);
  const { bytes, marks } = linesOf(records);
  const batch = new Segment().batchOf(bytes);
  await killedBetween(analytics, batch);
  const givenUp: GivenUp = { manifest: batch.manifest, marks: [...marks, [5000, 1]] };
  const answer = await loader.giveUp(givenUp);
  assert.deepEqual(answer, { kind: 'looked', present: marks.map((_, index) => index) });
  assert.deepEqual(await offsets.pending(), []);
  await assertHolds(store, records);
  assert.deepEqual(await loader.giveUp(givenUp), answer, 'asked again it says the same');
});

test('a batch that never reached the store has nothing there', async (t) => {
  const { store, loader, offsets } = await testAnalytics(t);
  const { bytes, marks } = linesOf(makeRecords('absent', 20, NOON_MS));
  const { manifest } = new Segment().batchOf(bytes);
  await offsets.begin({ token: 'a'.repeat(64), manifest, load: 1, records: 20 });
  assert.deepEqual(await loader.giveUp({ manifest, marks }), { kind: 'looked', present: [] });
  assert.deepEqual(await offsets.pending(), []);
  await assertHolds(store, []);
});

test('the unfinished batch of a node that is away holds no rollup of others', async (t) => {
  const analytics = await testAnalytics(t);
  const { store, loader, offsets } = analytics;
  const one = makeRecords('one', 20, NOON_MS);
  const other = makeRecords('two', 20, NOON_MS).map((record) => ({ ...record, node: NODE_B }));
  await killedBetween(analytics, new Segment().batch(one));
  const second = new Segment('money-1.ndjson', NODE_B).batch(other);
  assert.equal((await loader.load(second)).kind, 'loaded');
  assert.deepEqual(await offsets.pending(), []);
  await assertHolds(store, [...one, ...other]);
});
