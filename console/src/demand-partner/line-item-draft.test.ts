import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patchOf } from '../parts/forms/changes.ts';
import { bodyOf, NEW_DRAFT, wordsOf, type LineItemDraft } from './line-item-draft.ts';

const US = { geo: { countries: { identifiers: [{ code: 'US' }], is_whitelist: true } } };
const BEFORE: LineItemDraft = {
  ...NEW_DRAFT,
  name: 'Video',
  targeting: US,
  max_qps: 100,
  seat: 'acme-1',
};

const changeOf = (before: LineItemDraft, after: LineItemDraft, isOperator: boolean): object =>
  patchOf(bodyOf(before, isOperator), bodyOf(after, isOperator));

test('a new line item has no limit where nothing was typed', () => {
  assert.deepEqual(bodyOf({ ...BEFORE, max_daily_spend: 5 }, false), {
    name: 'Video',
    description: '',
    capping: { max_qps: 100, max_daily_spend: 5 },
    targeting: US,
  });
});

test('seat and floor are sent by the operator alone', () => {
  assert.deepEqual(changeOf(BEFORE, { ...BEFORE, seat: ' ', floor: 1 }, false), {});
  const change = changeOf(BEFORE, { ...BEFORE, seat: ' ', floor: 1 }, true);
  assert.deepEqual(change, { seat: null, floor: 1 });
});

test('a change names what differs, and takes a limit and targeting away by null', () => {
  assert.deepEqual(changeOf(BEFORE, BEFORE, true), {});
  const after = { ...BEFORE, name: 'All', max_qps: '', max_daily_impressions: 7, targeting: {} };
  assert.deepEqual(changeOf(BEFORE, after, false), {
    name: 'All',
    capping: { max_qps: null, max_daily_impressions: 7 },
    targeting: { geo: null },
  });
});

test('a line item is told in words', () => {
  const words = wordsOf({ ...BEFORE, max_daily_spend: '' });
  assert.equal(words['Bid requests per second'], '100');
  assert.equal(words['Spend a day'], '');
  assert.equal(words['Targeting'], 'United States');
});
