import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDelta, diffSnapshots, type SnapshotDelta } from './delta.ts';
import { decodeSnapshot } from './wire.ts';

/** Snapshots as they are on the wire; deltas know no more of entities than kind and id. */

const NO_BLOCKING = '{"categories":[],"advertisers":[],"apps":[],"attributes":[]}';
const EXCHANGE = `{"kind":"exchange","name":"Rialto","blocking":${NO_BLOCKING}}`;
const PUBLISHER = `{"kind":"publisher","id":2001,"name":"Planet","blocking":${NO_BLOCKING}}`;
const SITE = `{"kind":"property","id":3001,"publisherId":2001,"blocking":${NO_BLOCKING}}`;
const BASE = [
  EXCHANGE,
  '{"kind":"demandPartner","id":1001,"name":"Acme","status":"ACTIVE","bidder":null}',
  lineItem(501, 1),
  lineItem(502, 1),
  PUBLISHER,
  SITE,
  adSpace(4001),
  '{"kind":"deal","id":"d","adSpaceIds":[4001,4001],"seats":[]}',
];

function lineItem(id: number, floorMicros: number): string {
  return `{"kind":"lineItem","id":${id},"demandPartnerId":1001,"floorMicros":${floorMicros}}`;
}

function adSpace(id: number): string {
  const formats = '"banner":null,"video":null,"native":null';
  return `{"kind":"adSpace","id":${id},"propertyId":3001,${formats},"blocking":${NO_BLOCKING}}`;
}

function textOf(seq: number, lines: readonly string[], epoch = 'e'): string {
  const header = `{"kind":"header","schema":1,"version":{"epoch":"${epoch}","seq":${seq}}}`;
  const end = `{"kind":"end","entities":${lines.length}}`;
  return [header, ...lines, end].map((line) => `${line}\n`).join('');
}

const pause = (): Promise<void> => Promise.resolve();
const base = { epoch: 'e', seq: 1 };
const version = { epoch: 'e', seq: 2 };

function deltaOf(differs: Partial<SnapshotDelta>): SnapshotDelta {
  return { base, version, gone: [], came: [], ...differs };
}

test('what was changed, added and removed is told, and nothing else', async () => {
  const after = [...BASE.slice(0, 2), lineItem(502, 9), lineItem(503, 1), ...BASE.slice(4)];
  const delta = await diffSnapshots(textOf(1, BASE), textOf(2, after), pause);
  assert.deepEqual(delta, {
    base,
    version,
    gone: [lineItem(501, 1), lineItem(502, 1)],
    came: [lineItem(502, 9), lineItem(503, 1)],
  });
});

test('an applied delta makes the whole, and shares what it does not touch', async () => {
  const before = await decodeSnapshot(textOf(1, BASE));
  const lines = [...BASE.slice(0, 3), lineItem(502, 9), ...BASE.slice(4)];
  const delta = await diffSnapshots(textOf(1, BASE), textOf(2, lines), pause);
  assert.ok(delta !== null);
  const after = await applyDelta(before, delta, pause);
  assert.deepEqual(after, await decodeSnapshot(textOf(2, lines)));
  assert.equal(before.lineItems.get(1001)?.[1]?.floorMicros, 1);
  assert.equal(after.lineItems.get(1001)?.[0], before.lineItems.get(1001)?.[0]);
  const kinds = ['exchange', 'demandPartners', 'publishers', 'properties', 'adSpaces', 'deals'];
  for (const kind of [...kinds, 'creativeReviews'] as const) {
    assert.equal(Reflect.get(after, kind), Reflect.get(before, kind), kind);
  }
});

test('a version in which nothing differs is a version all the same', async () => {
  const delta = await diffSnapshots(textOf(1, BASE), textOf(2, BASE.toReversed()), pause);
  assert.deepEqual(delta, deltaOf({}));
  const after = await applyDelta(await decodeSnapshot(textOf(1, BASE)), deltaOf({}), pause);
  assert.deepEqual(after.version, version);
});

test('there is no delta to another store, and none that is too long', async () => {
  assert.equal(await diffSnapshots(textOf(1, BASE), textOf(2, BASE, 'other'), pause), null);
  const more = [...BASE, lineItem(503, 1)];
  const chars = lineItem(503, 1).length;
  assert.notEqual(await diffSnapshots(textOf(1, BASE), textOf(2, more), pause, chars), null);
  assert.equal(await diffSnapshots(textOf(1, BASE), textOf(2, more), pause, chars - 1), null);
  assert.equal(await diffSnapshots(textOf(1, more), textOf(2, BASE), pause, chars - 1), null);
});

test('a torn snapshot is compared with nothing', async () => {
  const torn = textOf(2, BASE).slice(0, -10);
  await assert.rejects(diffSnapshots(textOf(1, BASE), torn, pause), /torn/);
  await assert.rejects(diffSnapshots(torn, textOf(1, BASE), pause), /torn/);
});

const broken: Record<string, [Partial<SnapshotDelta>, RegExp]> = {
  'from another version': [{ base: { epoch: 'e', seq: 7 } }, /starts from e\.7, not e\.1/],
  'from another store': [{ base: { epoch: 'o', seq: 1 } }, /starts from o\.1, not e\.1/],
  'that removes a line item that is not there': [{ gone: [lineItem(9, 1)] }, /removes 9/],
  'that adds a line item twice': [{ came: [lineItem(501, 5)] }, /adds 501/],
  'that removes an ad space that is not there': [{ gone: [adSpace(9)] }, /removes 9/],
  'that adds an ad space twice': [{ came: [adSpace(4001)] }, /adds 4001/],
  'with an ad space of nobody': [{ came: [adSpace(9).replace('3001', '1')] }, /ad space 9/],
  'that leaves an ad space without its site': [{ gone: [SITE] }, /ad space 4001/],
  'that leaves an ad space without its publisher': [{ gone: [PUBLISHER] }, /ad space 4001/],
  'without the exchange': [{ gone: [EXCHANGE] }, /no exchange/],
  'with a second exchange': [{ came: [EXCHANGE] }, /second exchange/],
  'with a torn line': [{ came: [lineItem(503, 1).slice(0, -5)] }, /JSON/],
  'with a line of an unknown kind': [{ came: ['{"kind":"end","entities":0}'] }, /unknown kind/],
};

for (const [what, [differs, why]] of Object.entries(broken)) {
  test(`a delta ${what} is refused, and the snapshot stays as it is`, async () => {
    const before = await decodeSnapshot(textOf(1, BASE));
    await assert.rejects(applyDelta(before, deltaOf(differs), pause), why);
    assert.deepEqual(before, await decodeSnapshot(textOf(1, BASE)));
  });
}
