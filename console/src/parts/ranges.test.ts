import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf, reportWindow } from './ranges.ts';

const NOW_MS = Date.parse('2026-03-01T00:30:00Z');

test('ranges are whole UTC days that end today, or where their name says', () => {
  assert.deepEqual(rangeOf('today', NOW_MS), { first: '2026-03-01', last: '2026-03-01' });
  assert.deepEqual(rangeOf('yesterday', NOW_MS), { first: '2026-02-28', last: '2026-02-28' });
  assert.deepEqual(rangeOf('7d', NOW_MS), { first: '2026-02-23', last: '2026-03-01' });
  assert.deepEqual(rangeOf('month', NOW_MS), { first: '2026-03-01', last: '2026-03-01' });
  assert.deepEqual(rangeOf('last-month', NOW_MS), { first: '2026-02-01', last: '2026-02-28' });
});

test('reports go back to the first day of the fourth month before this one', () => {
  assert.deepEqual(reportWindow(NOW_MS), { first: '2025-11-01', last: '2026-03-01' });
});
