import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { createLoader } from '../../src/analytics/load.ts';
import type { Held } from '../../src/analytics/held.ts';
import { assertHolds, Segment, testAnalytics, type Analytics } from './loader-fixture.ts';
import { encode, makeRecords } from './loader-records.ts';

const NOON_MS = Date.UTC(2026, 10, 20, 12);
const RECORDS = makeRecords('retry', 30, NOON_MS);
/** What is refused until the store takes it, and what always is. */
const LATER = [3, 4, 20];
const NEVER = 11;

/** A batch of which some records are held: the store does not know a field of theirs yet. */
async function holdSome(analytics: Analytics): Promise<Held> {
  const { loader, quarantine } = analytics;
  const lines = RECORDS.map((record, index) => {
    if (LATER.includes(index)) return { ...record, colour: 'red' };
    return index === NEVER ? { ...record, at_ms: 'soon' } : record;
  });
  assert.equal((await loader.load(new Segment().batch(lines))).kind, 'quarantined');
  return (await quarantine.list())[0] ?? assert.fail();
}

/** Another version takes the field. */
async function takeField({ store }: Analytics): Promise<void> {
  await store.command('ALTER TABLE money ADD COLUMN IF NOT EXISTS colour String');
}

const LOADED = RECORDS.filter((_, index) => index !== NEVER);

describe('retrying what is in quarantine', () => {
  test('loads what the store takes now, and keeps what it still refuses, where it stood', async (t) => {
    const analytics = await testAnalytics(t);
    const { loader, quarantine, store } = analytics;
    const before = await holdSome(analytics);
    const nothing = await loader.retryHeld(before.id);
    assert.ok(nothing.kind === 'retried');
    assert.deepEqual([nothing.loaded, nothing.held?.parts], [0, before.parts]);
    await takeField(analytics);
    const result = await loader.retryHeld(before.id);
    assert.ok(result.kind === 'retried');
    assert.equal(result.loaded, LATER.length);
    const after = (await quarantine.find(before.id)) ?? assert.fail();
    assert.deepEqual(
      after.parts.map(({ start, end, records }) => [start, end, records]),
      before.parts
        .filter((_, index) => index === 1)
        .map(({ start, end, records }) => [start, end, records]),
    );
    assert.deepEqual(await quarantine.read(after), encode([{ ...RECORDS[NEVER], at_ms: 'soon' }]));
    await assertHolds(store, LOADED);
  });

  test('ends with an entry that is gone once all of it is loaded, or it is dropped', async (t) => {
    const analytics = await testAnalytics(t);
    const { loader, quarantine } = analytics;
    const { id } = await holdSome(analytics);
    assert.deepEqual(await loader.dropHeld('0'.repeat(16)), { kind: 'unknown' });
    assert.deepEqual(await loader.retryHeld('0'.repeat(16)), { kind: 'unknown' });
    assert.equal((await loader.dropHeld(id)).kind, 'dropped');
    assert.deepEqual(await quarantine.list(), []);
    assert.deepEqual(await loader.retryHeld(id), { kind: 'unknown' });
  });

  for (const killedAt of ['the INSERT', 'the commit', 'the entry'] as const) {
    test(`loads each record once when it is killed at ${killedAt}`, async (t) => {
      const analytics = await testAnalytics(t);
      const { loader, quarantine, store, offsets } = analytics;
      const { id } = await holdSome(analytics);
      await takeField(analytics);
      let holds = 0;
      const killed = (): never => {
        throw new Error('killed');
      };
      const dying = createLoader({
        store,
        offsets: {
          ...offsets,
          commit: (...args) => (killedAt === 'the entry' ? offsets.commit(...args) : killed()),
        },
        quarantine: {
          ...quarantine,
          hold: (held, bytes) => {
            holds += 1;
            // First that it is tried, then what is refused, then what is left.
            if (killedAt === 'the entry' && holds === 3) killed();
            if (killedAt === 'the INSERT' && holds === 2) killed();
            return quarantine.hold(held, bytes);
          },
        },
      });
      await assert.rejects(dying.retryHeld(id), /killed/);
      assert.equal((await loader.dropHeld(id)).kind, 'busy');
      const again = await loader.retryHeld(id);
      assert.ok(again.kind === 'retried');
      assert.equal(again.loaded, LATER.length);
      assert.equal(again.held?.parts.length, 1);
      assert.deepEqual(await offsets.pending(), []);
      await assertHolds(store, LOADED);
    });
  }

  test('is refused while the batch that it is of is not settled', async (t) => {
    const analytics = await testAnalytics(t);
    const { store, offsets, quarantine } = analytics;
    const dying = createLoader({
      store,
      quarantine,
      offsets: { ...offsets, commit: () => Promise.reject(new Error('killed')) },
    });
    const batch = new Segment().batch([{ colour: 'red' }, ...RECORDS]);
    await assert.rejects(dying.load(batch), /killed/);
    const [held] = await quarantine.list();
    assert.equal((await dying.retryHeld(held?.id ?? '')).kind, 'busy');
    assert.equal((await dying.dropHeld(held?.id ?? '')).kind, 'busy');
  });
});
