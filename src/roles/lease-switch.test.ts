import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lease, LeaseReport } from '../ports/leases.ts';
import { LeaseSwitch, type LeasedChild } from './lease-switch.ts';
import type { ToChild } from './messages.ts';

const VALID_MS = 5_000;
const UNIX_MS = Date.UTC(2026, 10, 20);

/** A switch with a clock, a courier, and processes that can end. */
function switchOf() {
  const clock = { ms: 1_000 };
  const carried: LeaseReport[] = [];
  const places: LeaseReport['place'][] = [];
  const courier = {
    send: (message: ToChild): void => {
      if (message.type !== 'leaseReport') return;
      const { place, ...report } = message.report;
      carried.push(report);
      places.push(place);
    },
  };
  const leases = new LeaseSwitch({
    couriers: () => [courier],
    now: () => clock.ms,
    unixTime: () => UNIX_MS,
  });
  return { clock, carried, places, leases };
}

function childOf(worker: number) {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const got: ToChild[] = [];
  const child: LeasedChild = { worker, ended, send: (message) => got.push(message) };
  const end = async (): Promise<void> => {
    resolve();
    await ended;
  };
  return { child, got, end };
}

function reportOf(process: string, report = 1, leaving: 0 | 1 = 0): LeaseReport {
  return { process, worker: 0, report, seq: 0, leaving, rates: [], budgets: [] };
}

const BUDGETS = [{ lineItemId: 1, date: '2026-11-20', impressions: 5, micros: null }];
const RATES = [{ key: 'partner 1', share: 0.5 }];

function leaseFor(process: string, differs: Partial<Lease> = {}): Lease {
  const lease = { process, seq: 7, report: 1, validForMs: VALID_MS, settledMs: 0 };
  return { ...lease, baseShare: 0.25, rates: RATES, budgets: BUDGETS, ...differs };
}

/** What is left of that lease for another process. */
function leftFor(process: string, validForMs: number, differs: Partial<Lease> = {}): ToChild {
  const lease = { ...leaseFor(process), validForMs, budgets: [], ...differs };
  return { type: 'inheritedLease', lease };
}

test('reports go to the courier, and each lease to the process that it names', () => {
  const { carried, leases } = switchOf();
  const [first, second] = [childOf(0), childOf(1)];
  leases.report(first.child, reportOf('a'));
  leases.report(second.child, reportOf('b'));
  leases.deliver([leaseFor('b'), leaseFor('nobody'), leaseFor('a')]);
  assert.deepEqual(carried, [reportOf('a'), reportOf('b')]);
  assert.deepEqual(first.got, [{ type: 'lease', lease: leaseFor('a') }]);
  assert.deepEqual(second.got, [{ type: 'lease', lease: leaseFor('b') }]);
});

test('every report says who is in the place, the last one to come at the end', async () => {
  const { places, leases } = switchOf();
  const [first, next, other] = [childOf(0), childOf(0), childOf(1)];
  leases.report(first.child, reportOf('a'));
  leases.report(next.child, reportOf('b'));
  leases.report(other.child, reportOf('other'));
  leases.report(first.child, reportOf('a', 2));
  leases.report(first.child, reportOf('a', 3, 1));
  await next.end();
  leases.report(childOf(0).child, reportOf('c'));
  assert.deepEqual(places, [
    { changed: UNIX_MS, processes: ['a'] },
    { changed: UNIX_MS + 1, processes: ['a', 'b'] },
    { changed: UNIX_MS + 2, processes: ['other'] },
    { changed: UNIX_MS + 1, processes: ['a', 'b'] },
    { changed: UNIX_MS + 3, processes: ['b'] },
    { changed: UNIX_MS + 5, processes: ['c'] },
  ]);
});

test('what a process had that was killed goes to the next one in its place, without its budgets', async () => {
  const { clock, leases } = switchOf();
  const [first, next, other] = [childOf(0), childOf(0), childOf(1)];
  leases.report(first.child, reportOf('a'));
  clock.ms += 100;
  leases.deliver([leaseFor('a')]);
  await first.end();
  clock.ms += 900;
  leases.report(other.child, reportOf('other'));
  leases.report(next.child, reportOf('b', 3));
  leases.report(next.child, reportOf('b', 4));
  assert.deepEqual(other.got, [], 'it has another place');
  assert.deepEqual(next.got, [leftFor('b', VALID_MS - 1_000 - 250, { report: 3 })], 'and once');
});

test('while both run, a replacement gets nothing of what its predecessor uses', () => {
  const { leases } = switchOf();
  const [first, next] = [childOf(0), childOf(0)];
  leases.report(first.child, reportOf('a'));
  leases.deliver([leaseFor('a')]);
  leases.report(next.child, reportOf('b'));
  assert.deepEqual(next.got, []);
  leases.report(first.child, reportOf('a', 2, 1));
  assert.deepEqual(next.got, [leftFor('b', VALID_MS - 250)], 'until it leaves');
});

test('who has a lease of its own inherits none', async () => {
  const { leases } = switchOf();
  const [first, next] = [childOf(0), childOf(0)];
  leases.report(first.child, reportOf('a'));
  leases.report(next.child, reportOf('b'));
  leases.deliver([leaseFor('a'), leaseFor('b')]);
  await first.end();
  leases.report(next.child, reportOf('b'));
  assert.deepEqual(next.got, [{ type: 'lease', lease: leaseFor('b') }]);
});

test('what a process leaves whose successor has a lease of its own goes to nobody', async () => {
  const { leases } = switchOf();
  const [first, next, third] = [childOf(0), childOf(0), childOf(0)];
  leases.report(first.child, reportOf('a'));
  leases.report(next.child, reportOf('b'));
  leases.deliver([leaseFor('a'), leaseFor('b')]);
  leases.report(first.child, reportOf('a', 2, 1));
  leases.report(third.child, reportOf('c'));
  assert.deepEqual(third.got, []);
  await next.end();
  assert.deepEqual(third.got, [leftFor('c', VALID_MS - 250)], 'only of the last that goes');
});

test('a lease whose time is over is inherited by nobody', async () => {
  const { clock, leases } = switchOf();
  const [first, next] = [childOf(0), childOf(0)];
  leases.report(first.child, reportOf('a'));
  leases.deliver([leaseFor('a')]);
  await first.end();
  clock.ms += VALID_MS;
  leases.report(next.child, reportOf('b'));
  assert.deepEqual(next.got, []);
});

test('a lease counts from the report that it answers', async () => {
  const { clock, leases } = switchOf();
  const [first, next] = [childOf(0), childOf(0)];
  leases.report(first.child, reportOf('a'));
  clock.ms += 2_000;
  leases.report(first.child, reportOf('a', 2));
  leases.deliver([leaseFor('a')]);
  await first.end();
  leases.report(next.child, reportOf('b'));
  assert.deepEqual(next.got, [leftFor('b', VALID_MS - 2_000 - 250)]);
});

test('what is inherited is all that the leases have said, and each of them once', async () => {
  const { leases } = switchOf();
  const [first, next] = [childOf(0), childOf(0)];
  for (const report of [1, 2, 3]) leases.report(first.child, reportOf('a', report));
  const more = [
    { key: 'partner 2', share: 0.1 },
    { key: 'partner 3', share: 0.2 },
  ];
  leases.deliver([leaseFor('a', { rates: [...RATES, ...more] })]);
  const changed = [
    { key: 'partner 1', share: 0 },
    { key: 'partner 2', share: 0.4 },
  ];
  leases.deliver([leaseFor('a', { seq: 9, report: 3, baseShare: 0.5, rates: changed })]);
  leases.deliver([leaseFor('a', { seq: 8, report: 2, rates: RATES })]);
  await first.end();
  leases.report(next.child, reportOf('b'));
  const left = {
    seq: 9,
    baseShare: 0.5,
    rates: [{ key: 'partner 2', share: 0.4 }, ...more.slice(1)],
  };
  assert.deepEqual(next.got, [leftFor('b', VALID_MS - 250, left)]);
});

test('what was inherited is inherited again, and ends when it would have', async () => {
  const { clock, leases } = switchOf();
  const children = [childOf(0), childOf(0), childOf(0)] as const;
  leases.report(children[0].child, reportOf('a'));
  leases.deliver([leaseFor('a')]);
  await children[0].end();
  leases.report(children[1].child, reportOf('b'));
  await children[1].end();
  clock.ms += 1_000;
  leases.report(children[2].child, reportOf('c'));
  assert.deepEqual(children[2].got, [leftFor('c', VALID_MS - 250 - 1_000 - 250)]);
});
