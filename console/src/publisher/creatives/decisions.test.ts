import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionBehind, decisionOn, foundBy, nameOf, seenAt, type SeenHere } from './decisions.ts';

const TIMES = {
  first_seen_at: '2026-11-02T09:30:00.000Z',
  last_seen_at: '2026-11-02T09:30:00.000Z',
};

const PLACE = {
  publisher_id: 2001,
  ...TIMES,
  wins: 3,
  pending: 0,
  verdict: 'blocked',
  by: 'publisher',
  domain: '',
  reason: '',
} as const;

const CREATIVE = {
  demand_partner_id: 1001,
  crid: 'c-17',
  adomain: ['shop.example'],
  ad_format: 'banner',
  w: 300,
  h: 250,
  markup_bytes: 512,
  markup: '',
  ...TIMES,
  wins: 3,
  pending: 0,
  places: [PLACE],
};

const REVIEW = {
  id: 7,
  publisher: 2001,
  demand_partner: 1001,
  crid: 'c-17',
  domain: null,
  verdict: 'blocked',
  reason: '',
  by: 'ads@planet.example',
  created_at: '2026-11-20T08:15:00.000Z',
} as const;

const SEEN: SeenHere = { creative: CREATIVE, place: PLACE };

test('a creative is seen where it has a place', () => {
  assert.equal(seenAt([CREATIVE], 2001).length, 1);
  assert.equal(seenAt([CREATIVE], 2002).length, 0);
});

test('a creative that is blocked by itself has its own decision', () => {
  assert.equal(decisionBehind([REVIEW], SEEN)?.id, 7);
  assert.equal(decisionBehind([{ ...REVIEW, crid: 'c-18' }], SEEN), undefined);
});

test('a creative that is blocked by its advertiser has the decision about that', () => {
  const place = { ...PLACE, domain: 'shop.example' };
  const review = { ...REVIEW, id: 8, demand_partner: null, crid: null, domain: 'shop.example' };
  assert.equal(decisionBehind([REVIEW, review], { ...SEEN, place })?.id, 8);
  const foreign = { ...review, demand_partner: 1002 };
  assert.equal(decisionBehind([foreign], { ...SEEN, place }), undefined);
});

test('what the operator decided is nothing to take back', () => {
  const place = { ...PLACE, by: 'operator' as const };
  assert.equal(decisionBehind([REVIEW], { ...SEEN, place }), undefined);
});

test('a decision is found by all that it is about', () => {
  assert.equal(decisionOn([REVIEW], { demand_partner: 1001, crid: 'c-17' })?.id, 7);
  assert.equal(decisionOn([REVIEW], { domain: 'shop.example' }), undefined);
});

test('creatives are found by their id and by their advertiser', () => {
  assert.equal(foundBy([SEEN], 'C-1').length, 1);
  assert.equal(foundBy([SEEN], 'shop').length, 1);
  assert.equal(foundBy([SEEN], 'other').length, 0);
});

test('a name turns nothing around but itself', () => {
  const crid = 'c-\u202e1';
  assert.equal(nameOf({ crid, demand_partner: 1 }), `The creative \u2068${crid}\u2069`);
  assert.equal(nameOf({ domain: 'shop.example' }), 'The advertiser \u2068shop.example\u2069');
});
