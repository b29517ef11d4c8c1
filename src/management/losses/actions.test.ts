import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossReason } from '../../openrtb/loss-reason.ts';
import { LOSS_ACTIONS, lossAction } from './actions.ts';

test('every loss reason but that of a bid that won has one sentence on what to do', () => {
  const codes = Object.values(LossReason).filter((code) => code !== LossReason.Won);
  assert.deepEqual(Object.keys(LOSS_ACTIONS).map(Number), codes);
  for (const code of [...codes, 999]) assert.match(lossAction(code), /^[A-Z][^.].*[^.]\.$/);
});
