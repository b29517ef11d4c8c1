import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TmaxAllowance } from './tmax-allowance.ts';

/** Time until the exchange's deadline. */
const LEFT_MS = 300;

/** A call to a bidder that answers when its time is up, `wayMs` away; whether it came in time. */
function callUsingAll(allowance: TmaxAllowance, wayMs: number): boolean {
  const tmaxMs = Math.floor(LEFT_MS - allowance.ms);
  const latencyMs = tmaxMs + wayMs;
  if (latencyMs < LEFT_MS) allowance.answered(latencyMs, tmaxMs);
  else allowance.late(latencyMs, tmaxMs);
  return latencyMs < LEFT_MS;
}

test('it begins with 5 ms', () => {
  assert.equal(new TmaxAllowance().ms, 5);
});

test('a bidder far away that uses its time is late a few times, and then in time', () => {
  const allowance = new TmaxAllowance();
  const inTime = Array.from({ length: 100 }, () => callUsingAll(allowance, 30));
  assert.ok(inTime.slice(12).every(Boolean), inTime.join());
  assert.ok(allowance.ms > 30 && allowance.ms <= 32);
});

test('what answers early shrinks it slowly, so that those who use their time are seldom late', () => {
  const allowance = new TmaxAllowance();
  let late = 0;
  for (let call = 0; call < 20_000; call += 1) {
    if (call % 10 === 0) late += callUsingAll(allowance, 30) ? 0 : 1;
    else allowance.answered(60, Math.floor(LEFT_MS - allowance.ms));
  }
  assert.ok(late < 200, `${late} of 2,000 late`);
});

test('without late answers it goes down to 2 ms', () => {
  const allowance = new TmaxAllowance();
  for (let call = 0; call < 200_000; call += 1) allowance.answered(20, 290);
  assert.ok(allowance.ms >= 2 && allowance.ms < 2.01, `${allowance.ms}`);
});

test('answers that are far too late change nothing: their bidder is slow, not far', () => {
  const allowance = new TmaxAllowance();
  for (let call = 0; call < 100; call += 1) allowance.late(LEFT_MS + 60, 295);
  assert.equal(allowance.ms, 5);
});

test('it stays between 2 and 50 ms', () => {
  const answer = fc.record({
    late: fc.boolean(),
    latencyMs: fc.double({ min: 0, max: 1_000, noNaN: true }),
    tmaxMs: fc.integer({ min: 1, max: 1_000 }),
  });
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 500 }), (answers) => {
      const allowance = new TmaxAllowance();
      for (const { late, latencyMs, tmaxMs } of answers) {
        if (late) allowance.late(latencyMs, tmaxMs);
        else allowance.answered(latencyMs, tmaxMs);
        assert.ok(allowance.ms >= 2 && allowance.ms <= 50, `${allowance.ms}`);
      }
    }),
  );
});
