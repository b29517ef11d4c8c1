import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSyncs, FRESH_S, OFFER_AGAIN_S, SYNCS_MAX } from './choose-syncs.ts';
import { NO_MATCH, type Match } from './match.ts';

const NOW_S = 1_800_000_000;

function choose(matches: Readonly<Record<number, Partial<Match>>>, ids = [1, 2, 3]) {
  const map = new Map(
    Object.entries(matches).map(([id, match]) => [Number(id), { ...NO_MATCH, ...match }]),
  );
  return chooseSyncs(ids, map, NOW_S);
}

test('a partner with a fresh id is left out, one whose id gets old is asked again', () => {
  assert.deepEqual(choose({ 1: { uid: 'u', uidSetS: NOW_S - FRESH_S + 1 } }), [2, 3]);
  assert.deepEqual(choose({ 1: { uid: 'u', uidSetS: NOW_S - FRESH_S } }), [2, 3, 1]);
});

test('a partner that set nothing, or took its id back, is asked again a day later', () => {
  assert.deepEqual(choose({ 1: { offeredS: NOW_S - OFFER_AGAIN_S + 1 } }), [2, 3]);
  assert.deepEqual(choose({ 1: { offeredS: NOW_S - OFFER_AGAIN_S, uidSetS: NOW_S } }), [2, 3, 1]);
});

test('the longest unmatched come first, and no more than a page takes', () => {
  const long = { offeredS: NOW_S - 9 * OFFER_AGAIN_S };
  const longer = { offeredS: NOW_S - 10 * OFFER_AGAIN_S };
  assert.deepEqual(choose({ 1: long, 2: longer }), [3, 2, 1]);
  const many = Array.from({ length: 20 }, (_, at) => at + 1);
  assert.deepEqual(choose({}, many), many.slice(0, SYNCS_MAX));
  assert.deepEqual(chooseSyncs(many, new Map(), NOW_S, 2), [1, 2]);
  assert.deepEqual(chooseSyncs(many, new Map(), NOW_S, 99).length, SYNCS_MAX);
});
