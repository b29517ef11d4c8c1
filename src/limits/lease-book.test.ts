import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXPIRY_STEP_MS, type Lease, type LeaseReport } from '../ports/leases.ts';
import { LeaseBook } from './lease-book.ts';
import { DAY_MS } from './utc-day.ts';

const NODE = 'aaaaaaaaaaaaaaaa';
const OTHER_NODE = 'bbbbbbbbbbbbbbbb';
const HOUR_MS = 3_600_000;
const NOON_MS = Date.UTC(2026, 10, 20, 12);
const TODAY = '2026-11-20';

type Said = LeaseReport['budgets'][number];

function said(differs: Partial<Said> = {}): Said {
  const nothing = { impressions: 0, micros: 0, dearestMicros: 0, open: [] };
  return { lineItemId: 501, wanted: 1, ...nothing, ...differs };
}

/** Reserved, all of it expiring then. */
function reserved(impressions: number, untilMs: number): Partial<Said> {
  const micros = impressions * 1_000;
  return { impressions, micros, dearestMicros: 1_000, open: [{ untilMs, impressions, micros }] };
}

/** A book with its store, in which line item 501 may have so many impressions a day. */
class Desk {
  nowMs = NOON_MS;
  readonly store = new Map<string, string>();
  book: LeaseBook;
  readonly #numbers = new Map<string, number>();
  readonly #seqs = new Map<string, number>();

  constructor(impressions = 100, isSettled = true) {
    this.book = this.open(impressions);
    if (isSettled) this.settle(0);
  }

  open(impressions: number | null, micros: number | null = null): LeaseBook {
    const saved = [...this.store].map(([key, state]) => ({ key, state }));
    this.book = new LeaseBook({ now: () => this.nowMs, saved });
    this.limit(impressions, micros);
    return this.book;
  }

  limit(impressions: number | null, micros: number | null = null): void {
    const budgets = new Map([[501, { impressions, micros }]]);
    this.book.setCaps({ rates: new Map([['partner 1', 100]]), budgets });
  }

  settle(untilMs: number, impressions = 0, node = NODE): void {
    const date = new Date(this.nowMs).toISOString().slice(0, 10);
    const billed = new Map([[501, { impressions, micros: impressions * 1_000 }]]);
    this.book.settle({ date, nodes: new Map([[node, { untilMs, billed }]]) });
  }

  save(): void {
    for (const { key, state } of this.book.takeChanges()) {
      if (state === null) this.store.delete(key);
      else this.store.set(key, state);
    }
  }

  /** Reports as a process that takes every lease; `differs.seq` says that it did not. */
  ask(
    process: string,
    budgets: readonly Said[] = [],
    differs: Partial<LeaseReport> & { node?: string; workers?: number } = {},
  ): Lease | null {
    const { node = NODE, workers = 1, ...rest } = differs;
    const report = (this.#numbers.get(process) ?? 0) + 1;
    this.#numbers.set(process, report);
    const seq = this.#seqs.get(process) ?? 0;
    const leaving: 0 | 1 = 0;
    const whole = { process, worker: 0, report, seq, leaving, rates: [], budgets: [...budgets] };
    const reports = [{ ...whole, ...rest }];
    const [lease] = this.book.answer({ incarnation: node, workers, reports });
    if (lease !== undefined && lease.report === report) this.#seqs.set(process, lease.seq);
    this.save();
    return lease ?? null;
  }

  /** What the lease grants of impressions; null when it does not say. */
  granted(...ask: Parameters<Desk['ask']>): number | null | undefined {
    return this.ask(...ask)?.budgets[0]?.impressions;
  }
}

test('a line item whose day is unknown gets nothing before it is settled, then what is left', () => {
  const desk = new Desk(100, false);
  assert.equal(desk.granted('a', [said()]), undefined);
  assert.ok(desk.book.unsettled().hasNewLimits);
  desk.settle(NOON_MS - HOUR_MS, 96);
  assert.equal(desk.book.unsettled().hasNewLimits, false);
  assert.equal(desk.granted('a'), 2, 'half of what is left, said without being asked again');
});

test('a settlement of another day says nothing', () => {
  const desk = new Desk(100, false);
  desk.book.settle({ date: '2026-11-19', nodes: new Map() });
  assert.ok(desk.book.unsettled().hasNewLimits);
});

test('a lease says again what is not confirmed, and no more', () => {
  const desk = new Desk();
  const lease = desk.ask('a', [said()]);
  assert.deepEqual(lease?.budgets, [
    { lineItemId: 501, date: TODAY, impressions: 10, micros: null },
  ]);
  assert.deepEqual(desk.ask('a', [], { seq: 0 })?.budgets, lease.budgets);
  assert.deepEqual(desk.ask('a', [], {})?.budgets.length, 1, 'only the line item itself confirms');
  assert.deepEqual(desk.ask('a', [said({ wanted: 0 })])?.budgets, []);
});

test('a report that comes late or after the process has left changes nothing', () => {
  const desk = new Desk();
  desk.ask('a', [said(reserved(3, NOON_MS + HOUR_MS))]);
  desk.ask('a');
  assert.equal(desk.ask('a', [said()], { report: 1 }), null);
  assert.equal(desk.ask('a', [said(reserved(3, NOON_MS + HOUR_MS))], { leaving: 1 }), null);
  assert.equal(desk.ask('a', [said()]), null);
});

test('what was reserved counts until it has expired and is settled, then what was billed of it', () => {
  const desk = new Desk(10);
  const untilMs = NOON_MS + HOUR_MS;
  desk.ask('a', [said()]);
  desk.ask('a', [said(reserved(5, untilMs))]);
  desk.ask('a', [said(reserved(10, untilMs))]);
  assert.equal(desk.granted('a', [said(reserved(10, untilMs))]), 10);
  desk.nowMs = untilMs + 1;
  assert.equal(desk.granted('a', [said(reserved(10, untilMs))]), 10, 'it is not settled');
  assert.deepEqual(desk.book.unsettled().nodes, [{ node: NODE, fromMs: untilMs, untilMs }]);
  desk.settle(untilMs - EXPIRY_STEP_MS, 0);
  assert.equal(desk.granted('a', [said(reserved(10, untilMs))]), 10, 'it is not settled so far');
  desk.settle(untilMs, 8, OTHER_NODE);
  assert.equal(desk.granted('a', [said(reserved(10, untilMs))]), 10, 'another node is');
  desk.settle(untilMs, 0, OTHER_NODE);
  desk.settle(untilMs, 4);
  assert.equal(desk.granted('a', [said(reserved(10, untilMs))]), 13, 'half of six');
  assert.deepEqual(desk.book.unsettled().nodes, []);
});

test('what a process leaves is free at once, and what it had reserved is not', () => {
  const desk = new Desk(20);
  desk.ask('a', [said()]);
  desk.ask('a', [said(reserved(4, NOON_MS + HOUR_MS))], { leaving: 1 });
  desk.ask('b', [said()], { worker: 1 });
  const all: (number | null | undefined)[] = [];
  for (const each of [8, 12, 14, 15, 16]) {
    all.push(desk.granted('b', [said(reserved(each, NOON_MS + HOUR_MS))], { worker: 1 }));
  }
  assert.equal(all.at(-1), 16);
});

test('what a lost process may have reserved counts until the last of it has expired', () => {
  const desk = new Desk(20);
  const granted = desk.granted('a', [said()]) ?? 0;
  const lostMs = desk.nowMs;
  let got = 0;
  const left = (): number => {
    for (let each = 0; each < 30; each += 1) {
      const more = desk.granted('b', [said(reserved(got, lostMs + DAY_MS))], { worker: 1 });
      got = more ?? got;
    }
    return got;
  };
  assert.equal(left(), 20 - granted);
  desk.nowMs = lostMs + HOUR_MS;
  desk.settle(desk.nowMs);
  assert.equal(left(), 20 - granted);
  // The lease's life, the correction of a clock, and the longest life of a token.
  desk.nowMs = lostMs + 25 * 60_000 + 4 * HOUR_MS;
  desk.settle(desk.nowMs);
  assert.equal(left(), 20 - granted);
  desk.nowMs += EXPIRY_STEP_MS;
  desk.settle(desk.nowMs);
  assert.equal(left(), 20);
});

test('yesterday’s reservations that live on count today, and those that expired do not', () => {
  const desk = new Desk(20);
  desk.nowMs = NOON_MS + 11 * HOUR_MS;
  const midnightMs = NOON_MS + 12 * HOUR_MS;
  const open = [
    { untilMs: midnightMs, impressions: 4, micros: 4 },
    { untilMs: midnightMs + EXPIRY_STEP_MS, impressions: 5, micros: 5 },
  ];
  desk.ask('a', [said()]);
  desk.ask('a', [said({ impressions: 9, micros: 9, dearestMicros: 1, open })]);
  desk.ask('a', [said({ impressions: 9, micros: 9, dearestMicros: 1, open, wanted: 0 })]);
  desk.nowMs = midnightMs;
  const lease = desk.ask('a', [said({ impressions: 9, micros: 9, dearestMicros: 1, open })]);
  assert.equal(lease?.budgets[0]?.date, '2026-11-21');
  assert.equal(lease.budgets[0].impressions, 9 + Math.floor((20 - 5) / 2));
});

test('a grant is taken back from the idle, and is another’s once they have confirmed', () => {
  const desk = new Desk(2);
  assert.equal(desk.granted('a', [said()]), 1);
  assert.equal(desk.granted('b', [said()], { worker: 1 }), 1);
  desk.ask('a', [said({ wanted: 0 })]);
  const won = [said(reserved(1, NOON_MS + HOUR_MS))];
  desk.nowMs += 11_000;
  assert.equal(desk.granted('b', won, { worker: 1 }), 1);
  assert.equal(desk.granted('a'), 0);
  assert.equal(desk.granted('b', won, { worker: 1 }), 1, 'it may not have come');
  desk.ask('a', [said({ wanted: 0 })]);
  assert.equal(desk.granted('b', won, { worker: 1 }), 2);
});

test('a limit that is lowered takes back what it does not cover', () => {
  const desk = new Desk(100);
  assert.equal(desk.granted('a', [said()]), 10);
  desk.limit(4);
  assert.equal(desk.granted('a'), 2, 'half of it, for others may come');
  desk.limit(0);
  assert.equal(desk.granted('a'), 0);
});

test('a second limit that is new stops a process until it has said what it has', () => {
  const desk = new Desk(100);
  desk.ask('a', [said()]);
  desk.ask('a', [said(reserved(2, NOON_MS + HOUR_MS))]);
  desk.limit(100, 10_000);
  const [budget] = desk.ask('a', [], {})?.budgets ?? [];
  assert.equal(budget?.micros, 2_000);
  const next = desk.ask('a', [said(reserved(2, NOON_MS + HOUR_MS))])?.budgets[0];
  assert.equal(next?.micros, 6_000, 'half of what is left');
});

test('a control that is killed goes on with what it made durable, and says it again', () => {
  const desk = new Desk(20);
  desk.ask('a', [said()]);
  const before = desk.ask('a', [said({ ...reserved(10, NOON_MS + HOUR_MS) })])?.budgets[0];
  desk.open(20);
  const after = desk.ask('a', [], {});
  assert.deepEqual(after?.budgets[0], before);
  assert.ok((after?.seq ?? 0) >= 2 ** 33, 'its numbers are all new');
  let got = 0;
  for (let each = 0; each < 20; each += 1) {
    const own = { worker: 1 };
    got = desk.granted('b', [said(reserved(got, NOON_MS + HOUR_MS))], own) ?? got;
  }
  assert.equal(got + (before?.impressions ?? 0), 20);
});

test('what was billed is durable with the time up to when it is settled', () => {
  const desk = new Desk(20);
  const untilMs = NOON_MS + HOUR_MS;
  desk.ask('a', [said()]);
  desk.ask('a', [said(reserved(10, untilMs))]);
  desk.nowMs = untilMs;
  desk.save();
  desk.settle(untilMs, 10);
  const rows = desk.book.takeChanges();
  assert.deepEqual(rows.map(({ key }) => key).sort(), ['book', 'budget 501', `node ${NODE}`]);
  assert.ok(
    rows.every(
      ({ key, state }) =>
        key === 'book' || JSON.stringify(state).includes(TODAY) || state?.includes(`${untilMs}`),
    ),
  );
});

test('an answer in which nothing changes saves nothing', () => {
  const desk = new Desk();
  desk.ask('a', [said()]);
  desk.ask('a', [said({ wanted: 0 })]);
  desk.book.answer({ incarnation: NODE, workers: 1, reports: [] });
  assert.deepEqual(desk.book.takeChanges(), []);
});

test('rows that nobody saved are refused', () => {
  const open = (key: string, state: string): LeaseBook =>
    new LeaseBook({ now: () => 0, saved: [{ key, state }] });
  assert.throws(() => open('budget 501', '{"grants":[]}'));
  assert.throws(() => open('something', '{}'), /no known kind/);
});

test('one that is alone has all of every rate, and lets go of it before another has some', () => {
  const desk = new Desk();
  assert.equal(desk.ask('a')?.baseShare, 1);
  const other = { node: OTHER_NODE };
  assert.equal(desk.ask('b', [], other)?.baseShare, 0);
  assert.equal(desk.ask('a')?.baseShare, 0.05);
  assert.equal(desk.ask('b', [], other)?.baseShare, 0, 'it may not have come');
  desk.ask('a');
  assert.equal(desk.ask('b', [], other)?.baseShare, 0.05);
});

test('a share goes to who asks, and to another once it was let go', () => {
  const desk = new Desk();
  const workers = 2;
  const a = { workers, rates: [{ key: 'partner 1', wantedPerSecond: 500 }] };
  const b = { workers, worker: 1, rates: [{ key: 'partner 1', wantedPerSecond: 500 }] };
  const share = (lease: Lease | null): number | undefined => lease?.rates[0]?.share;
  assert.equal(share(desk.ask('a', [], a)), 0.9);
  assert.equal(share(desk.ask('b', [], b)), 0, 'nothing is free');
  assert.equal(share(desk.ask('a', [], { workers })), 0.45);
  desk.ask('b', [], { workers, worker: 1 });
  assert.equal(desk.ask('a', [], { workers })?.rates.length, 0, 'confirmed');
  assert.equal(share(desk.ask('b', [], { workers, worker: 1 })), 0.45);
});

test('the next process in a place takes over its shares', () => {
  const desk = new Desk();
  const rates = [{ key: 'partner 1', wantedPerSecond: 500 }];
  desk.ask('a', [], { workers: 2, rates });
  desk.ask('a', [], { workers: 2 });
  desk.nowMs += 1_000;
  const next = desk.ask('b', [], { workers: 2 });
  assert.deepEqual(next?.rates, [{ key: 'partner 1', share: 0.9 }]);
  assert.deepEqual(desk.ask('a', [], { workers: 2 })?.rates, next?.rates, 'both have them');
});

/** The shares of `partner 1` by process, as each goes by its leases. */
class Shares {
  readonly #desk: Desk;
  readonly #shares = new Map<string, number>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** The process wants all; what its lease says of the limit replaces what it has. */
  ask(process: string, worker: number, processes: string[], changed = processes.length): number {
    const rates = [{ key: 'partner 1', wantedPerSecond: 500 }];
    const place = { changed, processes };
    const lease = this.#desk.ask(process, [], { workers: 2, worker, rates, place });
    const rate = lease?.rates.find(({ key }) => key === 'partner 1');
    if (rate !== undefined) this.#shares.set(process, rate.share);
    return this.#shares.get(process) ?? 0;
  }
}

test('a control that hears of a replacement before its predecessor counts with both', () => {
  const desk = new Desk();
  const shares = new Shares(desk);
  assert.equal(shares.ask('old', 0, ['old']), 0.9);
  shares.ask('old', 0, ['old']);
  desk.open(100);
  assert.equal(shares.ask('new', 0, ['old', 'new']), 0.9);
  assert.equal(shares.ask('old', 0, ['old', 'new']), 0.9);
  assert.equal(shares.ask('other', 1, ['other']), 0);
  // The predecessor lets go of half of it, and says so; of its replacement nothing comes.
  assert.equal(shares.ask('old', 0, ['old', 'new']), 0.45);
  shares.ask('old', 0, ['old', 'new']);
  assert.equal(shares.ask('other', 1, ['other']), 0, 'the replacement has 0.9');
  assert.equal(shares.ask('new', 0, ['old', 'new']), 0.45);
  assert.equal(shares.ask('other', 1, ['other']), 0, 'it may not have come');
  shares.ask('new', 0, ['old', 'new']);
  assert.equal(shares.ask('other', 1, ['other']), 0.45);
});

test('a control that begins waits for those of a place that it has not heard of', () => {
  const desk = new Desk();
  const shares = new Shares(desk);
  shares.ask('old', 0, ['old']);
  assert.equal(shares.ask('new', 0, ['old', 'new']), 0.9);
  desk.open(100);
  shares.ask('other', 1, ['other']);
  assert.equal(shares.ask('old', 0, ['old', 'new']), 0.45);
  shares.ask('old', 0, ['old', 'new']);
  assert.equal(shares.ask('other', 1, ['other']), 0);
  for (let each = 0; each < 2; each += 1) {
    desk.nowMs += 15 * 60_000;
    shares.ask('old', 0, ['old', 'new']);
    shares.ask('other', 1, ['other']);
  }
  shares.ask('old', 0, ['old', 'new']);
  assert.equal(shares.ask('other', 1, ['other']), 0.45, 'no lease of it is valid any more');
});

test('a replacement that ends before its predecessor leaves it what the place has now', () => {
  const desk = new Desk();
  const shares = new Shares(desk);
  shares.ask('old', 0, ['old']);
  shares.ask('new', 0, ['old', 'new']);
  shares.ask('other', 1, ['other']);
  assert.equal(shares.ask('new', 0, ['old', 'new']), 0.45);
  assert.equal(shares.ask('old', 0, ['old'], 3), 0.45);
  assert.equal(shares.ask('other', 1, ['other']), 0);
  shares.ask('old', 0, ['old'], 3);
  assert.equal(shares.ask('other', 1, ['other']), 0.45);
});

test('who was killed is waited for no longer than until its node says that it ended', () => {
  const desk = new Desk();
  const shares = new Shares(desk);
  shares.ask('killed', 0, ['killed']);
  shares.ask('other', 1, ['other']);
  assert.equal(shares.ask('next', 0, ['next'], 2), 0.45);
  shares.ask('next', 0, ['next'], 2);
  assert.equal(shares.ask('other', 1, ['other']), 0.45);
  // A report that was on its way for longer than the process lived.
  const late = desk.ask('killed', [], { workers: 2, place: { changed: 1, processes: ['killed'] } });
  assert.deepEqual([late?.baseShare, late?.rates], [0, []]);
  assert.equal(shares.ask('next', 0, ['next'], 2), 0.45);
});

test('a word on who is in a place that seems old is believed when those before are forgotten', () => {
  const desk = new Desk();
  const shares = new Shares(desk);
  shares.ask('killed', 0, ['killed'], 100);
  for (let minute = 0; minute < 25; minute += 1) {
    assert.equal(shares.ask('next', 0, ['next'], 50), 0, `in minute ${minute}`);
    desk.nowMs += 60_000;
  }
  assert.equal(shares.ask('next', 0, ['next'], 50), 0.9);
});

test('a node that is not heard of keeps its shares for as long as a lease is valid', () => {
  const desk = new Desk();
  desk.ask('a');
  desk.ask('b', [], { node: OTHER_NODE });
  const ask = (): number | undefined => {
    desk.ask('a');
    return desk.ask('a')?.baseShare;
  };
  desk.nowMs += 20 * 60_000;
  assert.equal(ask(), 0.05);
  desk.nowMs += 5 * 60_000;
  assert.equal(ask(), 1);
});

test('a node that says that it has no workers any more gives its shares back at once', () => {
  const desk = new Desk();
  desk.ask('a');
  desk.ask('b', [], { node: OTHER_NODE });
  desk.ask('b', [], { node: OTHER_NODE, workers: 0, leaving: 1 });
  assert.equal(desk.ask('a')?.baseShare, 1);
});

test('a budget is used up when nothing can be reserved any more, not when all of it is granted', () => {
  const desk = new Desk(100);
  assert.deepEqual(desk.book.usedUp(), [], 'nobody has asked');
  const untilMs = NOON_MS + HOUR_MS;
  desk.ask('a', [said(reserved(99, untilMs))]);
  assert.deepEqual(desk.book.usedUp(), []);
  desk.ask('a', [said(reserved(100, untilMs))]);
  const cap = { impressions: 100, micros: null };
  assert.deepEqual(desk.book.usedUp(), [{ lineItemId: 501, cap }]);
  desk.limit(200);
  assert.deepEqual(desk.book.usedUp(), [], 'a limit that was raised');
});
