import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AD_SPACE } from '../resources/ad-space.ts';
import { EXCHANGE } from '../resources/exchange.ts';
import { LINE_ITEM } from '../resources/line-item.ts';
import type { Entity } from './entities.ts';
import { decodeSnapshot, encodeSnapshot, readVersion } from './wire.ts';

const VERSION = { epoch: 'e1', seq: 7 };
const SETTINGS: Entity = { kind: 'exchange', ...EXCHANGE.entity(EXCHANGE.initial) };

function lineItem(id: number): Entity {
  const settings = { ...LINE_ITEM.entity(LINE_ITEM.initial), name: `Line item ${id}` };
  return { kind: 'lineItem', id, demandPartnerId: 1, ...settings };
}

test('a snapshot comes back as it was sent, its line items ordered by id', async () => {
  const text = encodeSnapshot(VERSION, [SETTINGS, lineItem(9), lineItem(3)]);
  const snapshot = await decodeSnapshot(text);
  assert.deepEqual(snapshot.version, VERSION);
  assert.deepEqual(readVersion(text), VERSION);
  assert.deepEqual(
    snapshot.lineItems.get(1)?.map((item) => item.id),
    [3, 9],
  );
});

test('a snapshot torn at any byte is refused', async () => {
  const text = encodeSnapshot(VERSION, [SETTINGS, lineItem(1)]);
  for (let length = 0; length < text.length; length += 1) {
    await assert.rejects(decodeSnapshot(text.slice(0, length)), `accepted ${length} bytes`);
  }
});

test('a snapshot of another schema is refused with both numbers', async () => {
  const text = encodeSnapshot(VERSION, [SETTINGS]).replace('"schema":1', '"schema":2');
  await assert.rejects(decodeSnapshot(text), /has schema 2, this process reads 1/);
});

test('what a snapshot says of wins and losses is kept', async () => {
  const text = encodeSnapshot(VERSION, [{ ...SETTINGS, lossNoticePrice: false }]);
  assert.equal((await decodeSnapshot(text)).exchange.lossNoticePrice, false);
});

test('an ad space without its property is refused', async () => {
  const settings = AD_SPACE.entity(AD_SPACE.initial);
  const orphan: Entity = { kind: 'adSpace', id: 5, propertyId: 99, ...settings };
  await assert.rejects(decodeSnapshot(encodeSnapshot(VERSION, [SETTINGS, orphan])), /ad space 5/);
});

test('decoding 10,000 line items pauses between slices of work', async () => {
  const entities = [SETTINGS, ...Array.from({ length: 10_000 }, (_, id) => lineItem(id))];
  let pauses = 0;
  const snapshot = await decodeSnapshot(encodeSnapshot(VERSION, entities), () => {
    pauses += 1;
    return new Promise((resolve) => setImmediate(resolve));
  });
  assert.equal(snapshot.lineItems.get(1)?.length, 10_000);
  assert.ok(pauses >= 2, `paused ${pauses} times`);
});
