import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Breaker } from './breaker.ts';

/** A breaker with a clock of its own, and a bidder that answers each call after `latencyMs`. */
class Bench {
  nowMs = 0;
  /** When it was opened and closed. */
  readonly openedMs: number[] = [];
  readonly closedMs: number[] = [];
  readonly breaker = new Breaker({
    opened: () => this.openedMs.push(this.nowMs),
    closed: () => this.closedMs.push(this.nowMs),
  });
  /** When calls were let through. */
  readonly admittedMs: number[] = [];
  readonly #underWay: { readonly dueMs: number; readonly sentMs: number; readonly ok: boolean }[] =
    [];

  /** Offers calls at a steady rate; `fails` says of each that was made what becomes of it. */
  run(ratePerSecond: number, untilMs: number, fails: () => boolean): void {
    for (let atMs = this.nowMs; atMs < untilMs; atMs += 1000 / ratePerSecond) {
      this.#settle(atMs);
      this.nowMs = atMs;
      if (!this.breaker.admit(atMs)) continue;
      this.admittedMs.push(atMs);
      const ok = !fails();
      this.#underWay.push({ dueMs: atMs + (ok ? 40 : 300), sentMs: atMs, ok });
    }
    this.#settle(untilMs);
    this.nowMs = untilMs;
  }

  /** Calls let through in a time, as a part of those that were offered. */
  shareBetween(fromMs: number, untilMs: number, ratePerSecond: number): number {
    const admitted = this.admittedMs.filter((atMs) => atMs >= fromMs && atMs < untilMs);
    return admitted.length / (((untilMs - fromMs) * ratePerSecond) / 1000);
  }

  #settle(untilMs: number): void {
    this.#underWay.sort((a, b) => a.dueMs - b.dueMs);
    while (this.#underWay[0] !== undefined && this.#underWay[0].dueMs <= untilMs) {
      const [{ dueMs, sentMs, ok }] = [this.#underWay[0]];
      this.#underWay.shift();
      this.nowMs = dueMs;
      if (ok) this.breaker.succeeded(sentMs, dueMs);
      else this.breaker.failed(sentMs, dueMs);
    }
  }
}

/** The same chances in every run. */
function createChance(): (probability: number) => boolean {
  let state = 1;
  return (probability) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32 < probability;
  };
}

for (const rate of [5, 10, 100, 1_000]) {
  test(`at ${rate} calls a second it opens within 2 s after the bidder stopped`, () => {
    const bench = new Bench();
    bench.run(rate, 10_000, () => false);
    assert.deepEqual(bench.openedMs, []);
    bench.run(rate, 20_000, () => true);
    assert.equal(bench.openedMs.length, 1);
    assert.ok((bench.openedMs[0] ?? 0) < 12_000, `${bench.openedMs[0]} ms`);
  });

  test(`at ${rate} calls a second it probes once a second and readmits a bidder that is well`, () => {
    const bench = new Bench();
    bench.run(rate, 20_000, () => true);
    const probes = bench.admittedMs.filter((atMs) => atMs >= 5_000).length;
    assert.ok(probes >= 12 && probes <= 15, `${probes} probes in 15 s`);
    bench.run(rate, 40_000, () => false);
    assert.equal(bench.closedMs.length, 1);
    assert.ok((bench.closedMs[0] ?? 0) < 23_000, `closed at ${bench.closedMs[0]} ms`);
    assert.ok(bench.shareBetween(26_000, 40_000, rate) > 0.95);
  });
}

test('calls come back little by little', () => {
  const bench = new Bench();
  bench.run(1_000, 20_000, () => true);
  bench.run(1_000, 30_000, () => false);
  const [closedMs = 0] = bench.closedMs;
  assert.ok(bench.shareBetween(closedMs, closedMs + 500, 1_000) < 0.1);
  assert.ok(bench.shareBetween(closedMs + 2_500, closedMs + 4_000, 1_000) > 0.98);
});

test('a few failures in a row open it at one call in three seconds; fewer do not', () => {
  for (const [failures, opened] of [
    [1, 0],
    [4, 0],
    [5, 1],
  ] as const) {
    const bench = new Bench();
    bench.run(1 / 3, 60_000, () => false);
    let left = failures;
    bench.run(1 / 3, 90_000, () => (left -= 1) >= 0);
    assert.equal(bench.openedMs.length, opened, `${failures} failures`);
  }
});

test('a pause of half a second does not open it, at any rate', () => {
  for (const rate of [1, 10, 100, 1_000]) {
    const bench = new Bench();
    bench.run(rate, 10_000, () => false);
    bench.run(rate, 10_500, () => true);
    bench.run(rate, 20_000, () => false);
    assert.deepEqual(bench.openedMs, [], `${rate} a second`);
    assert.ok(bench.shareBetween(0, 20_000, rate) > 0.99);
  }
});

test('what fails in part is left alone up to half, and then thinned out', () => {
  const shares = [0.3, 0.55, 0.65].map((failing) => {
    const bench = new Bench();
    const chance = createChance();
    bench.run(1_000, 30_000, () => chance(failing));
    assert.deepEqual(bench.openedMs, [], `${failing} of the calls fail`);
    return bench.shareBetween(5_000, 30_000, 1_000);
  });
  assert.ok((shares[0] ?? 0) === 1, `${shares[0]}`);
  assert.ok((shares[1] ?? 0) > 0.7 && (shares[1] ?? 0) < 0.9, `${shares[1]}`);
  assert.ok((shares[2] ?? 0) > 0.25 && (shares[2] ?? 0) < 0.5, `${shares[2]}`);
});

test('what fails nearly always is open nearly always', () => {
  const bench = new Bench();
  const chance = createChance();
  bench.run(100, 60_000, () => chance(0.9));
  assert.ok(bench.shareBetween(5_000, 60_000, 100) < 0.05);
});

test('a failed probe, and answers to calls from before, do not close it', () => {
  const bench = new Bench();
  bench.run(100, 3_000, () => true);
  const { breaker } = bench;
  assert.ok(breaker.isOpen);
  const before = breaker.probes;
  for (let call = 0; call < 10; call += 1) breaker.succeeded(0, 3_000);
  breaker.succeeded(4_000, 4_010);
  breaker.failed(5_000, 5_300);
  breaker.succeeded(6_000, 6_010);
  assert.ok(breaker.isOpen);
  assert.equal(breaker.probes - before, 3);
  breaker.succeeded(7_000, 7_010);
  assert.ok(!breaker.isOpen);
});

test('a probe that was not sent leaves its place to the next call', () => {
  const bench = new Bench();
  bench.run(100, 3_000, () => true);
  const { breaker } = bench;
  assert.ok(breaker.admit(10_000));
  assert.ok(!breaker.admit(10_001));
  breaker.giveBack();
  assert.ok(breaker.admit(10_002));
  assert.ok(!breaker.admit(10_003));
});

test('calls that come to something never open it, in any order and at any times', () => {
  const call = fc.record({ afterMs: fc.double({ min: 0, max: 5_000, noNaN: true }) });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 300 }), (calls) => {
      const bench = new Bench();
      let nowMs = 0;
      for (const { afterMs } of calls) {
        assert.ok(bench.breaker.admit(nowMs));
        nowMs += afterMs;
        bench.breaker.succeeded(nowMs, nowMs);
      }
      assert.deepEqual(bench.openedMs, []);
      assert.equal(bench.breaker.share(nowMs), 1);
    }),
  );
});

test('whatever comes, a call gets through at least once a second, and the share is one', () => {
  const event = fc.record({
    afterMs: fc.double({ min: 0, max: 1_500, noNaN: true }),
    outcome: fc.constantFrom('ok', 'failed', 'not sent', 'no answer yet'),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 300 }), (events) => {
      const { breaker } = new Bench();
      let nowMs = 0;
      let admittedMs = 0;
      for (const { afterMs, outcome } of events) {
        nowMs += afterMs;
        const share = breaker.share(nowMs);
        assert.ok(share >= 0 && share <= 1, `${share}`);
        if (!breaker.admit(nowMs)) {
          assert.ok(nowMs - admittedMs < 1_000);
          continue;
        }
        admittedMs = nowMs;
        if (outcome === 'ok') breaker.succeeded(nowMs, nowMs);
        else if (outcome === 'failed') breaker.failed(nowMs, nowMs);
        else if (outcome === 'not sent') breaker.giveBack();
      }
    }),
  );
});
