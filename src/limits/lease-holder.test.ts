import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aLineItem } from '../auction/fixtures.ts';
import { EXPIRY_STEP_MS, type Lease } from '../ports/leases.ts';
import type { LineItem } from '../snapshot/entities.ts';
import { LeaseHolder } from './lease-holder.ts';
import { DAY_MS } from './utc-day.ts';

const NOON_MS = Date.UTC(2026, 10, 20, 12);
const TODAY = '2026-11-20';
const LIFE_MS = 1_200_000;
const PROCESS = '00000000000000aa';

function limited(impressions: number | null, spend: number | null): LineItem {
  const capping = { maxQps: null, maxDailyImpressions: impressions, maxDailySpendMicros: spend };
  return aLineItem({ id: 501, capping });
}

type Budget = Lease['budgets'][number];

/** A holder at noon, with clocks that go on by hand and leases that answer its last report. */
class Bench {
  monotonicMs = 1_000;
  unixMs = NOON_MS;
  seq = 0;
  readonly lineItem: LineItem;
  readonly holder: LeaseHolder;

  constructor(lineItem: LineItem) {
    this.lineItem = lineItem;
    this.holder = new LeaseHolder({
      process: PROCESS,
      worker: 0,
      now: () => this.monotonicMs,
      unixTime: () => this.unixMs,
    });
    void this.holder.useCaps([lineItem]);
  }

  pass(ms: number): void {
    this.monotonicMs += ms;
    this.unixMs += ms;
  }

  /** The answer to a report made now. */
  lease(differs: Partial<Lease> = {}): Lease {
    const { report } = this.holder.report();
    this.seq += 1;
    return {
      process: PROCESS,
      seq: this.seq,
      report,
      validForMs: LIFE_MS,
      settledMs: 0,
      baseShare: 1,
      rates: [],
      budgets: [],
      ...differs,
    };
  }

  grant(budget: Partial<Budget>, differs: Partial<Lease> = {}): void {
    const whole = { lineItemId: 501, date: TODAY, impressions: null, micros: null, ...budget };
    this.holder.take(this.lease({ budgets: [whole], ...differs }));
  }

  reserve(micros = 1_000, lifeMs = 3_600_000): ReturnType<LeaseHolder['reserve']> {
    return this.holder.reserve(this.lineItem, micros, this.unixMs + lifeMs);
  }

  said(): { impressions: number; micros: number; wanted: 0 | 1 } | null {
    const [budget] = this.holder.report().budgets;
    if (budget === undefined) return null;
    const { impressions, micros, wanted } = budget;
    return { impressions, micros, wanted };
  }
}

test('without a lease nothing limited is let through, and it is wanted at once', () => {
  const { holder, lineItem } = new Bench(limited(5, null));
  assert.ok(holder.expired);
  assert.ok(holder.isWanting);
  assert.equal(holder.takeQps('line item 501', 100, 1_000), false);
  assert.equal(holder.budget(lineItem), 'no_lease');
  assert.equal(holder.reserve(lineItem, 1, NOON_MS + 1), 'no_lease');
  const { seq, report, budgets } = holder.report();
  assert.deepEqual([seq, report], [0, 1]);
  assert.deepEqual(budgets[0]?.wanted, 1);
  assert.equal(holder.isWanting, false);
});

test('what has no daily limit needs no lease', () => {
  const { holder, lineItem } = new Bench(limited(null, null));
  assert.equal(holder.budget(lineItem), null);
  assert.equal(holder.reserve(lineItem, 1_000, NOON_MS), null);
  assert.equal(holder.report().budgets.length, 0);
});

test('as many impressions are reserved as were granted since the start, and not one more', () => {
  const bench = new Bench(limited(5, null));
  bench.grant({ impressions: 2 });
  assert.deepEqual([bench.reserve(), bench.reserve()], [null, null]);
  assert.equal(bench.reserve(), 'daily_impressions');
  assert.equal(bench.holder.budget(bench.lineItem), 'daily_impressions');
  bench.grant({ impressions: 3 });
  assert.deepEqual([bench.reserve(), bench.reserve()], [null, 'daily_impressions']);
  assert.deepEqual(bench.said(), { impressions: 3, micros: 3_000, wanted: 1 });
});

test('a win that costs more than is left is refused; cheaper ones are until there is more', () => {
  const bench = new Bench(limited(null, 1));
  bench.grant({ micros: 5_000 });
  assert.equal(bench.reserve(3_000), null);
  assert.equal(bench.reserve(2_001), 'daily_spend');
  assert.equal(
    bench.holder.budget(bench.lineItem),
    'daily_spend',
    'not offered to be refused again',
  );
  bench.grant({ micros: 5_001 });
  assert.equal(bench.holder.budget(bench.lineItem), null);
  assert.equal(bench.reserve(2_001), null);
});

test('what was given back is there for a win that expires at the same time, and is never unsaid', () => {
  const bench = new Bench(limited(1, 1));
  bench.grant({ impressions: 1, micros: 1_000 });
  const expiresMs = bench.unixMs + 3_600_000;
  assert.equal(bench.reserve(), null);
  bench.holder.release(bench.lineItem, 1_000, expiresMs);
  assert.equal(bench.reserve(1_000, 3 * 3_600_000), 'daily_impressions', 'it would expire later');
  assert.equal(bench.reserve(900), null);
  assert.equal(bench.reserve(100), 'daily_impressions');
  assert.deepEqual(bench.said(), { impressions: 1, micros: 1_000, wanted: 1 });
});

test('a grant is for its UTC day alone', () => {
  const bench = new Bench(limited(5, null));
  bench.grant({ impressions: 2, date: '2026-11-21' });
  assert.equal(bench.reserve(), 'no_lease');
  bench.pass(DAY_MS / 2 - 1);
  bench.grant({ impressions: 2 });
  assert.equal(bench.reserve(), null);
  bench.pass(1);
  assert.equal(bench.reserve(), 'no_lease');
});

test('a grant without the limit that the line item has is none', () => {
  const bench = new Bench(limited(5, null));
  bench.grant({ micros: 9_000 });
  assert.equal(bench.reserve(), 'no_lease');
});

test('a lease is valid from the sending of the report that it answers', () => {
  const bench = new Bench(limited(5, null));
  const lease = bench.lease();
  bench.pass(LIFE_MS - 1);
  bench.holder.report();
  bench.holder.take(lease);
  assert.equal(bench.holder.expired, false);
  bench.pass(1);
  assert.ok(bench.holder.expired);
  assert.equal(bench.holder.report().seq, 0, 'it goes by none');
});

test('a lease that was on its way for its whole life is passed over', () => {
  const bench = new Bench(limited(5, null));
  const lease = bench.lease();
  bench.pass(LIFE_MS);
  bench.holder.take(lease);
  assert.ok(bench.holder.expired);
});

test('a machine that was suspended has no lease when it wakes up', () => {
  const bench = new Bench(limited(5, null));
  bench.grant({ impressions: 5 });
  bench.unixMs += LIFE_MS;
  assert.ok(bench.holder.expired);
  assert.equal(bench.holder.takeQps('partner 1', 100, bench.monotonicMs), false);
});

test('a Unix time that was set back lengthens no lease', () => {
  const bench = new Bench(limited(5, null));
  const [taken, late] = [bench.lease(), bench.lease()];
  bench.holder.take(taken);
  bench.monotonicMs += LIFE_MS;
  bench.holder.take(late);
  assert.ok(bench.holder.expired);
});

test('of two answers to one report the older changes nothing', () => {
  const bench = new Bench(limited(5, null));
  const lease = bench.lease({ baseShare: 0.1 });
  bench.holder.take({ ...lease, seq: 9, baseShare: 0.2 });
  bench.holder.take(lease);
  assert.equal(bench.holder.shareOf('partner 1'), 0.2);
});

test('an older lease, one of another process, and one for an unknown report change nothing', () => {
  const bench = new Bench(limited(5, null));
  const older = bench.lease({ baseShare: 0.9 });
  bench.holder.take(bench.lease({ baseShare: 0.2 }));
  bench.holder.take(older);
  bench.holder.take(bench.lease({ baseShare: 0.3, process: '00000000000000bb' }));
  bench.holder.take(bench.lease({ baseShare: 0.4, report: 999 }));
  assert.equal(bench.holder.shareOf('partner 1'), 0.2);
});

test('shares come on top of the base share, until another lease takes them back', () => {
  const bench = new Bench(limited(5, null));
  const rates = [{ key: 'partner 1', share: 0.5 }];
  bench.holder.take(bench.lease({ baseShare: 0.1, rates }));
  assert.equal(bench.holder.shareOf('partner 1'), 0.6);
  assert.equal(bench.holder.shareOf('partner 2'), 0.1);
  bench.holder.take(bench.lease({ baseShare: 0.1 }));
  assert.equal(bench.holder.shareOf('partner 1'), 0.6, 'what is not said stays');
  bench.holder.take(bench.lease({ baseShare: 0.1, rates: [{ key: 'partner 1', share: 0 }] }));
  assert.equal(bench.holder.shareOf('partner 1'), 0.1);
});

test('after a lease has expired the next one starts from nothing', () => {
  const bench = new Bench(limited(5, null));
  bench.grant({ impressions: 5 }, { rates: [{ key: 'partner 1', share: 0.5 }], baseShare: 0.1 });
  bench.pass(LIFE_MS - 10);
  const adding = bench.lease();
  bench.pass(10);
  bench.holder.take(adding);
  assert.ok(bench.holder.expired, 'it adds to what has expired');
  bench.holder.take(bench.lease({ baseShare: 0.1 }));
  assert.equal(bench.holder.shareOf('partner 1'), 0.1);
  assert.equal(bench.reserve(), 'no_lease');
});

test('control is told what was reserved until it has answered, by when it expires', () => {
  const bench = new Bench(limited(9, null));
  bench.grant({ impressions: 9 });
  bench.reserve(1_000, 1);
  bench.reserve(2_000, EXPIRY_STEP_MS);
  bench.reserve(4_000, EXPIRY_STEP_MS + 1);
  const open = [
    { untilMs: NOON_MS + EXPIRY_STEP_MS, impressions: 2, micros: 3_000 },
    { untilMs: NOON_MS + 2 * EXPIRY_STEP_MS, impressions: 1, micros: 4_000 },
  ];
  assert.deepEqual(bench.holder.report().budgets[0]?.open, open);
  assert.deepEqual(bench.holder.report().budgets[0]?.open, open, 'the answer may be lost');
  bench.holder.take(bench.lease({ settledMs: NOON_MS + EXPIRY_STEP_MS }));
  assert.deepEqual(bench.holder.report().budgets, []);
  bench.reserve(1, EXPIRY_STEP_MS + 1);
  const [said] = bench.holder.report().budgets;
  assert.equal(said?.impressions, 4, 'all since the start');
  assert.deepEqual(said.open, [
    { untilMs: NOON_MS + 2 * EXPIRY_STEP_MS, impressions: 2, micros: 4_001 },
  ]);
});

test('what is settled late is put together, and never more than can be told', () => {
  const bench = new Bench(limited(999, null));
  bench.grant({ impressions: 999 });
  for (let step = 0; step < 100; step += 1) bench.reserve(1, step * EXPIRY_STEP_MS);
  const open = bench.holder.report().budgets[0]?.open ?? [];
  assert.equal(open.length, 40);
  assert.equal(
    open.reduce((sum, { impressions }) => sum + impressions, 0),
    100,
  );
});

test('more is asked for before a grant is used up, and less and less often when none comes', () => {
  const bench = new Bench(limited(99, null));
  bench.grant({ impressions: 10 });
  bench.holder.report();
  bench.reserve();
  bench.reserve();
  assert.equal(bench.holder.isWanting, false);
  bench.reserve();
  assert.ok(bench.holder.isWanting);
  let asked = 0;
  for (let second = 0; second < 60; second += 1) {
    for (let win = 0; win < 10; win += 1) bench.reserve();
    if (bench.holder.isWanting) asked += 1;
    bench.holder.take(bench.lease());
    bench.pass(1_000);
  }
  assert.ok(asked >= 5 && asked <= 8, `${asked}`);
});

test('who leaves says all there is, and lets nothing through any more', () => {
  const bench = new Bench(limited(5, null));
  bench.grant({ impressions: 5 });
  bench.reserve();
  bench.holder.report();
  bench.holder.take(bench.lease());
  assert.deepEqual(bench.holder.report().budgets, [], 'nothing is new');
  const { leaving, budgets } = bench.holder.report(true);
  assert.deepEqual([leaving, budgets[0]?.impressions], [1, 1]);
  assert.equal(bench.reserve(), 'no_lease');
  assert.equal(bench.holder.shareOf('partner 1'), 0);
});

test('rates are inherited until there is an own lease, budgets are not', () => {
  const bench = new Bench(limited(5, null));
  const rates = [{ key: 'partner 1', share: 0.5 }];
  const budgets = [{ lineItemId: 501, date: TODAY, impressions: 5, micros: null }];
  bench.holder.inherit(bench.lease({ baseShare: 0.1, rates, budgets, seq: 7_000 }));
  assert.equal(bench.holder.shareOf('partner 1'), 0.6);
  assert.equal(bench.reserve(), 'no_lease');
  assert.equal(bench.holder.report().seq, 0);
  bench.holder.take(bench.lease({ baseShare: 0.2 }));
  assert.equal(bench.holder.shareOf('partner 1'), 0.2);
  bench.holder.inherit(bench.lease({ baseShare: 0.1, rates }));
  assert.equal(bench.holder.shareOf('partner 1'), 0.2);
});

test('demand is told when it changes, and again after a minute of reports', () => {
  const bench = new Bench(limited(null, null));
  bench.holder.take(bench.lease({ baseShare: 0.5 }));
  const second = (asks: number): number | undefined => {
    bench.pass(1_000);
    for (let ask = 0; ask < asks; ask += 1) {
      bench.holder.takeQps('partner 1', 10, bench.monotonicMs);
    }
    const { rates, report } = bench.holder.report();
    bench.seq += 1;
    const lease = { ...bench.lease({ baseShare: 0.5 }), report };
    bench.holder.take(lease);
    return rates[0]?.wantedPerSecond;
  };
  assert.equal(second(100), 100);
  assert.deepEqual([second(100), second(101), second(99)], [undefined, undefined, undefined]);
  const later: (number | undefined)[] = [];
  for (let each = 0; each < 10; each += 1) later.push(second(300));
  assert.ok(later.filter((told) => told !== undefined).length >= 3, later.join());
  let again = 0;
  for (let each = 0; each < 60; each += 1) if (second(300) !== undefined) again += 1;
  assert.ok(again >= 1, 'control may have forgotten');
});

test('figures say what is held, and what is missing', () => {
  const bench = new Bench(limited(5, null));
  assert.equal(bench.holder.figures.budgetsMissing, 1);
  bench.grant({ impressions: 0 });
  bench.reserve();
  const { budgetsHeld, budgetsMissing, winsRefused, validForSeconds } = bench.holder.figures;
  assert.deepEqual([budgetsHeld, budgetsMissing, winsRefused], [1, 0, 1]);
  assert.equal(validForSeconds, LIFE_MS / 1000);
});
