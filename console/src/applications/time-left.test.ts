import assert from 'node:assert/strict';
import { it } from 'node:test';
import { timeLeft } from './time-left.ts';

it('counts down in minutes and seconds, hours in front where there are any', () => {
  const at = '2026-11-22T12:00:00.000Z';
  const before = (seconds: number): number => Date.parse(at) - seconds * 1_000;
  assert.deepEqual(
    [before(3_600), before(3_547), before(5), before(-9)].map((nowMs) => timeLeft(at, nowMs)),
    ['1:00:00', '59:07', '00:05', '00:00'],
  );
});
