import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gppString } from '../privacy/gpp-fixture.ts';
import { querySignals } from './query-signals.ts';

function isOptOut(parameters: Record<string, string>): boolean {
  return querySignals(new URLSearchParams(parameters), {}, false).usOptOut;
}

test('sections of GPP are read from one parameter, and an empty one says nothing', () => {
  const gpp = gppString({ usnat: { SaleOptOut: 1 } });
  assert.equal(isOptOut({ gpp, gpp_sid: '7' }), true);
  assert.equal(isOptOut({ gpp, gpp_sid: '2,7' }), true);
  assert.equal(isOptOut({ gpp, gpp_sid: '2_7' }), true);
  assert.equal(isOptOut({ gpp, gpp_sid: '-1' }), false);
  for (const empty of ['', ' ']) assert.equal(isOptOut({ gpp, gpp_sid: empty }), true);
  assert.equal(isOptOut({ gpp_sid: '' }), false);
});

test('a list of sections that cannot be read is an opt-out', () => {
  for (const gpp_sid of ['x', '7,', ',', '{{gpp_sid}}', Array(65).fill('7').join(',')]) {
    assert.equal(isOptOut({ gpp_sid }), true, gpp_sid);
  }
});
