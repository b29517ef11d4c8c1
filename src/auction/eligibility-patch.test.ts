import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entity, LineItem } from '../snapshot/entities.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { buildIndexes, type Indexes } from './eligibility-build.ts';
import { allowing, aPartner, aSnapshot, someTraits } from './eligibility-fixtures.ts';
import { patchIndexes } from './eligibility-patch.ts';
import { createEligibility } from './eligibility.ts';
import { aLineItem } from './fixtures.ts';

const pause = (): Promise<void> => Promise.resolve();

function item(id: number, differs: Partial<LineItem> = {}): LineItem {
  return aLineItem({ id, demandPartnerId: 1, ...differs });
}

function items(count: number): LineItem[] {
  return Array.from({ length: count }, (_, id) => item(id));
}

/** The indexes of the first snapshot, patched for the second. */
async function patched(before: readonly Entity[], after: readonly Entity[]) {
  const versions = { before: aSnapshot(...before), after: aSnapshot(...after) };
  const indexes = await buildIndexes(versions.before, pause);
  return { indexes, next: await patchIndexes(indexes, versions, pause) };
}

function keysShared(one: Indexes, other: Indexes | null): boolean[] {
  return [...one.placement, ...one.request].map(
    ({ index }, at) =>
      [...(other?.placement ?? []), ...(other?.request ?? [])][at]?.index === index,
  );
}

test('a line item whose price changes touches no key, and no other partner', async () => {
  const partners = [aPartner(1), aPartner(2)];
  const other = aLineItem({ id: 99, demandPartnerId: 2 });
  const targeting = { os: allowing('iOS') };
  const snapshot = aSnapshot(...partners, item(1, { targeting }), item(2, { targeting }), other);
  const lists = new Map(snapshot.lineItems);
  lists.set(1, [item(1, { targeting, floorMicros: 5 }), ...(lists.get(1)?.slice(1) ?? [])]);
  const indexes = await buildIndexes(snapshot, pause);
  const versions = { before: snapshot, after: { ...snapshot, lineItems: lists } };
  const next = await patchIndexes(indexes, versions, pause);
  assert.ok(keysShared(indexes, next).every(Boolean));
  assert.equal(next?.blocks[1], indexes.blocks[1]);
  assert.equal(next?.blocks[0]?.entries[1], indexes.blocks[0]?.entries[1]);
  assert.equal(next?.blocks[0]?.entries[0]?.lineItem.floorMicros, 5);
});

test('a changed list is copied with its key alone', async () => {
  const before = item(1, { targeting: { os: allowing('iOS'), languages: allowing('en') } });
  const after = item(1, { targeting: { os: allowing('Android'), languages: allowing('en') } });
  const { indexes, next } = await patched([aPartner(1), before], [aPartner(1), after]);
  assert.equal(keysShared(indexes, next).filter((shared) => !shared).length, 1);
});

test('nothing is made anew where no line item and no partner has changed', async () => {
  const snapshot = aSnapshot(aPartner(1), item(1));
  const indexes = await buildIndexes(snapshot, pause);
  const after: Snapshot = { ...snapshot, version: { epoch: 'e1', seq: 2 } };
  assert.equal(await patchIndexes(indexes, { before: snapshot, after }, pause), indexes);
});

test('line items come while there is room; one more is laid out anew', async () => {
  const fits = await patched([aPartner(1), ...items(30)], [aPartner(1), ...items(32)]);
  assert.equal(fits.next?.blocks[0]?.entries.length, 32);
  const tooMany = await patched([aPartner(1), ...items(28)], [aPartner(1), ...items(33)]);
  assert.equal(tooMany.next, null);
});

test('a position is used once: what was paused and comes back takes room again', async () => {
  const active = [aPartner(1), ...items(2)];
  const paused = [aPartner(1), item(0, { status: 'PAUSED' }), item(1)];
  const { next } = await patched(active, paused);
  assert.deepEqual(next?.all[0], 0b10);
  const versions = { before: aSnapshot(...paused), after: aSnapshot(...active) };
  const again = await patchIndexes(next, versions, pause);
  assert.equal(again?.blocks[0]?.entries.length, 3);
  assert.equal(again.all[0], 0b110);
});

test('a partner that could not be asked before is laid out anew, one that goes is left out', async () => {
  const two = [aPartner(1), aPartner(2), item(1)];
  assert.equal((await patched([aPartner(1), item(1)], two)).next, null);
  const { next } = await patched(two, [aPartner(1, { status: 'PAUSED' }), aPartner(2), item(1)]);
  assert.deepEqual(
    next?.blocks.map(({ partner }) => partner.id),
    [2],
  );
});

test('whatever does not fit into the index is found all the same', async () => {
  const first = await createEligibility(aSnapshot(aPartner(1), ...items(28)), pause);
  const next = await first.next(aSnapshot(aPartner(1), aPartner(2), ...items(90)), pause);
  assert.equal(next.match(someTraits())[0]?.lineItems.length, 90);
  assert.equal(first.match(someTraits())[0]?.lineItems.length, 28);
});

test('a change is indexed in slices, however long its lists are', async () => {
  const codes = Array.from({ length: 5_000 }, (_, number) => `com.app${number}`);
  const targeting = { app_bundles: allowing(...codes) };
  const before = aSnapshot(aPartner(1), item(1), item(2, { targeting }));
  const after = aSnapshot(aPartner(1), item(1, { targeting }), item(2, { targeting }));
  const indexes = await buildIndexes(before, pause);
  let pauses = 0;
  await patchIndexes(indexes, { before, after }, () => {
    pauses += 1;
    return Promise.resolve();
  });
  assert.ok(pauses >= 4, `paused ${pauses} times`);
});
