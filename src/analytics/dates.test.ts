import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addDays, eachDate, startOf } from './dates.ts';

test('dates are counted in UTC days, over months and leap days', () => {
  assert.deepEqual(eachDate('2028-02-28', '2028-03-01'), [
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
  ]);
  assert.deepEqual(eachDate('2026-12-02', '2026-12-01'), []);
  assert.equal(addDays('2026-03-01', -1), '2026-02-28');
  for (const wrong of ['2026-02-30', 'today', '2026-1-1', '']) {
    assert.throws(() => startOf(wrong), /is no date/);
  }
});
