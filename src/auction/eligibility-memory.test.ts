import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPartner, someTraits } from './eligibility-fixtures.ts';
import { PlacementMemory } from './eligibility-memory.ts';
import { LineItemEntry, PartnerMatches } from './eligibility-partners.ts';
import { aLineItem } from './fixtures.ts';
import { FORMAT_BANNER } from './formats.ts';

const FORMATS = [{ format: FORMAT_BANNER, set: new Int32Array(10) }];

test('a placement is found again by its traits, whatever the request says', () => {
  const memory = new PlacementMemory();
  const placement = memory.add(someTraits({ country: 'US' }), FORMATS);
  assert.equal(memory.find(someTraits({ country: 'CA' })), placement);
  assert.equal(memory.find(someTraits({ rewarded: true })), undefined);
  assert.equal('country' in placement.traits, false);
});

test('memory that is full forgets, and never holds more than its maximum', () => {
  const memory = new PlacementMemory(200);
  for (let adSpaceId = 0; adSpaceId < 100; adSpaceId += 1) {
    const placement = memory.add(someTraits({ adSpaceId }), FORMATS);
    memory.addMatches(placement, 0, []);
    assert.ok(memory.held <= 200, `holds ${memory.held}`);
    assert.deepEqual(placement.matches.get(0), []);
  }
  assert.equal(memory.find(someTraits({ adSpaceId: 0 })), undefined);
  assert.notEqual(memory.find(someTraits({ adSpaceId: 99 })), undefined);
});

test('what would not fit into an empty memory is not remembered', () => {
  const memory = new PlacementMemory(25);
  const placement = memory.add(someTraits(), FORMATS);
  assert.equal(memory.held, 0);
  assert.equal(memory.find(someTraits()), undefined);
  assert.equal(placement.formats, FORMATS);
});

test('of the shapes of one ad space the eight latest are remembered', () => {
  const memory = new PlacementMemory();
  const shape = (w: number) => someTraits({ bannerSizes: [{ w, h: 50 }] });
  for (let w = 1; w <= 9; w += 1) memory.add(shape(w), FORMATS);
  assert.equal(memory.find(shape(1)), undefined);
  for (let w = 2; w <= 9; w += 1) assert.notEqual(memory.find(shape(w)), undefined);
});

test('matches are the same with and without room to remember them', () => {
  const entries = Array.from({ length: 40 }, (_, id) => new LineItemEntry(aLineItem({ id })));
  const block = { partner: aPartner(1), entries, firstWord: 0, words: 2, isSorted: true };
  const roomy = new PartnerMatches([block]);
  const cramped = new PartnerMatches([block], 30);
  for (let round = 0; round < 2; round += 1) {
    for (let bits = -3; bits <= 3; bits += 1) {
      const formats = [{ format: FORMAT_BANNER, set: new Int32Array([bits, bits & 0xff]) }];
      const passing = new Int32Array([-1, 0x7f]);
      assert.deepEqual(cramped.collect(formats, passing), roomy.collect(formats, passing));
    }
  }
});
