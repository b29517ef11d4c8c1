import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { effort, SEED } from '../../test/support/effort.ts';
import {
  CAPACITY,
  REFUSAL_S,
  SimulatedLoop,
  TMAX_MS,
  type SimulatedLoad,
  type SimulatedResult,
} from '../../test/support/simulated-loop.ts';
import { Admission } from './admission.ts';

/** The highest rate without errors: a loop that is always busy has no room for a burst. */
const C = 0.85 * CAPACITY;
const WARM_UP_MS = 2_000;
/** One hundredth of a minute, which the bar leaves out: what was begun before the rise was seen. */
const RISE_MS = 600;
const DURATION_MS = WARM_UP_MS + RISE_MS + 1_000 * effort(4, 60);

const FAST: SimulatedLoad['bidderMs'] = (random) => 2 + 6 * random.next();
const BIDDERS: Readonly<Record<string, SimulatedLoad['bidderMs']>> = {
  fast: FAST,
  slow: (random) => 250 + 100 * random.next(),
  mixed: (random) => (random.chance(0.2) ? 1_000 : 5 + 30 * random.next()),
  silent: () => 1_000,
};

function hold(load: Pick<SimulatedLoad, 'rates' | 'bidderMs' | 'slowness'>): SimulatedResult {
  const loop = new SimulatedLoop(SEED);
  const admission = new Admission({ clock: loop, auctionsMax: 2_000 });
  const countFromMs = WARM_UP_MS + RISE_MS;
  return loop.run(admission, { durationMs: DURATION_MS, countFromMs, ...load });
}

/** Half of C first, so that a process knows what auctions cost, as one that serves does. */
const rising =
  (rate: number) =>
  (atMs: number): number =>
    atMs < WARM_UP_MS ? C / 2 : rate;
const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

describe(`with a simulated loop, seed ${SEED}`, () => {
  for (const [name, bidderMs] of Object.entries(BIDDERS)) {
    test(`at C all are admitted, with ${name} bidders`, () => {
      const { refused, acceptedP99Ms } = hold({ rates: [rising(C)], bidderMs });
      assert.deepEqual(refused, {});
      assert.ok(acceptedP99Ms <= TMAX_MS + 20, `${acceptedP99Ms} ms`);
    });

    for (const times of [2, 5, 10]) {
      test(`at ${times} C what is admitted is in time, and the rest is refused at once, with ${name} bidders`, (t) => {
        const result = hold({ rates: [rising(times * C)], bidderMs });
        const goodput = sum(result.goodput);
        const part = goodput / possibleAt(times * C);
        t.diagnostic(`${percent(part)} of what is possible, ${JSON.stringify(result)}`);
        assert.ok(part >= 0.85, percent(part));
        assert.ok(result.acceptedP99Ms <= TMAX_MS + 30, `${result.acceptedP99Ms} ms`);
        assert.ok(result.refusedP99Ms <= 15, `${result.refusedP99Ms} ms`);
      });
    }

    test(`a publisher at 10 C leaves the others what they had, with ${name} bidders`, (t) => {
      const others = [0.2, 0.15, 0.1, 0.04, 0.01].map((part) => part * C);
      const steady = others.map((rate) => () => rate);
      const { goodput, offered, refused } = hold({
        rates: [(atMs) => (atMs < WARM_UP_MS ? 0.1 : 10) * C, ...steady],
        bidderMs,
      });
      const kept = goodput.map((count, index) => count / (offered[index] ?? 0)).slice(1);
      t.diagnostic(`${kept.map(percent).join(', ')}, ${JSON.stringify(refused)}`);
      // Slow bidders answer in waves, some of which are more than there is time for.
      const keptMin = name === 'fast' || name === 'mixed' ? 0.9 : 0.85;
      for (const part of kept) assert.ok(part >= keptMin, percent(part));
    });
  }

  test('what a process costs while it is new is forgotten in time', () => {
    const { refused } = hold({
      rates: [(atMs) => (atMs < WARM_UP_MS ? C / 10 : C / 2)],
      bidderMs: FAST,
      slowness: (atMs) => (atMs < 1_000 ? 8 : 1),
    });
    assert.deepEqual(refused, {});
  });

  test('a flood on a processor that others use too leaves what it has time for', (t) => {
    const slowness = (atMs: number): number => (atMs % 30 < 1 ? 100 : 1);
    const { goodput } = hold({ rates: [rising(5 * C)], bidderMs: FAST, slowness });
    t.diagnostic(JSON.stringify(goodput));
    assert.ok(sum(goodput) >= C / 5);
  });

  test('where others use the processor too, what it has time for is admitted', (t) => {
    // Every 30 ms, whatever is begun then takes some twenty milliseconds: a third of the processor is left.
    const slowness = (atMs: number): number => (atMs % 30 < 1 ? 100 : 1);
    const { refused, goodput } = hold({ rates: [() => C / 5], bidderMs: FAST, slowness });
    t.diagnostic(JSON.stringify({ refused, goodput }));
    assert.deepEqual(refused, {});
  });

  test('once the load has gone nothing is refused', () => {
    const wave = (atMs: number): number => (atMs < WARM_UP_MS ? 10 * C : C / 2);
    const { refused } = hold({ rates: [wave], bidderMs: FAST });
    assert.deepEqual(refused, {});
  });
});

test('a pause of the whole machine makes nobody pay for it', () => {
  const clock = { nowMs: 0, turns: [] as (() => void)[] };
  const admission = new Admission({
    clock: {
      now: () => clock.nowMs,
      sleptMs: () => 0,
      cpuMs: () => 0,
      turns: () => 1,
      afterTurn: (callback) => void clock.turns.push(callback),
    },
    auctionsMax: 2_000,
  });
  assert.equal(admission.admit(1), null);
  clock.nowMs += 300;
  for (let index = 0; index < 100; index += 1) assert.equal(admission.admit(1), null);
});

test('clients that wait for their answers are not refused although they use all of the time', () => {
  const clock = { nowMs: 0, turns: [] as (() => void)[] };
  const admission = new Admission({
    clock: {
      now: () => clock.nowMs,
      sleptMs: () => 0,
      cpuMs: () => clock.nowMs,
      turns: () => 1,
      afterTurn: (callback) => void clock.turns.push(callback),
    },
    auctionsMax: 2_000,
  });
  const clients = 32;
  for (let index = 0; index < 20_000; index += 1) {
    if (index >= clients) admission.release();
    assert.equal(admission.admit(1 + (index % 3)), null, `request ${index}`);
    clock.nowMs += 0.5;
    if (index % 4 === 0) for (const end of clock.turns.splice(0)) end();
  }
});

test('what the loop has done in a silence is no part of what auctions cost', () => {
  for (const [silenceMs, share] of [
    [600_000, 0.003],
    [3_000, 0.9],
  ] as const) {
    const loop = new SimulatedLoop(SEED);
    let isOver = false;
    const passed = (ms: number): number => (isOver ? ms : 0);
    const clock = {
      now: () => loop.now() + passed(silenceMs),
      sleptMs: () => loop.sleptMs() + passed(silenceMs * (1 - share)),
      cpuMs: () => loop.cpuMs() + passed(silenceMs * share),
      turns: () => loop.turns() + passed(100_000),
      afterTurn: loop.afterTurn,
    };
    const admission = new Admission({ clock, auctionsMax: 2_000 });
    isOver = true;
    const { refused } = loop.run(admission, {
      rates: [() => C / 2],
      durationMs: 5_000,
      bidderMs: () => 300,
      countFromMs: 0,
    });
    assert.deepEqual(refused, {}, `${silenceMs} ms`);
  }
});

test('a process holds no more auctions than it has memory for', () => {
  const admission = new Admission({ clock: new SimulatedLoop(SEED), auctionsMax: 2 });
  assert.deepEqual(
    [admission.admit(1), admission.admit(1), admission.admit(1)],
    [null, null, 'full'],
  );
  admission.release();
  assert.equal(admission.admit(1), null);
  assert.equal(admission.figures.auctionsUnderWay, 2);
});

/** Auctions a second, if nothing but refusing took time beside them. */
function possibleAt(rate: number): number {
  // g auctions and rate - g refusals fill a second.
  return (CAPACITY * (1 - rate * REFUSAL_S)) / (1 - CAPACITY * REFUSAL_S);
}
