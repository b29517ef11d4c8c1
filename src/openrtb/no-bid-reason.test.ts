import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeNoBidReason, NoBidReason } from './no-bid-reason.ts';

test('a no-bid reason is described, and a number that the list lacks as well', () => {
  assert.equal(describeNoBidReason(NoBidReason.UnmatchedUser), 'Unmatched user');
  assert.match(describeNoBidReason(500), /500, which list 5\.24 does not name/);
});
