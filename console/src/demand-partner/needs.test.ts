import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsOf } from './needs.ts';

const WELL = {
  partner: { status: 'ACTIVE', stopped: null },
  hasBidder: true,
  lineItems: [{ status: 'PAUSED' }, { status: 'ACTIVE' }],
  health: { state: 'healthy', sentence: 'It answers.', action: null },
} as const;

test('a partner that buys needs nothing, whether its health is known or not', () => {
  assert.deepEqual(needsOf(WELL), []);
  assert.deepEqual(needsOf({ ...WELL, health: null }), []);
});

test('what stands in the way of everything comes first', () => {
  const stopped = { reason: 'floods us', since: '2026-11-20T00:00:00.000Z' };
  const needs = needsOf({
    partner: { status: 'PAUSED', stopped },
    hasBidder: false,
    lineItems: [{ status: 'PAUSED' }],
    health: { state: 'held_back', sentence: 'It fails.', action: 'Mend it.' },
  });
  assert.deepEqual(
    needs.map(({ title }) => title),
    [
      'All calls to the bidder are stopped',
      'This demand partner is paused',
      'No bidder is set',
      'No line item is active',
      'The bidder is held back',
    ],
  );
  assert.match(needs[0]?.text ?? '', /floods us/);
  assert.equal(needs[4]?.text, 'It fails. Mend it.');
});
