import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { openTestStore } from '../../test/support/configuration-store.ts';
import { aLineItem } from '../auction/fixtures.ts';
import { createLeaseStore, type LeaseStore } from '../configuration/lease-store.ts';
import type { Lease, LeaseReport, NodeLeaseReport } from '../ports/leases.ts';
import { ALONE, type Leadership } from '../ports/leadership.ts';
import { Leases } from './leases.ts';

const NODE = 'aaaaaaaaaaaaaaaa';
const NOON_MS = Date.UTC(2026, 10, 20, 12);
const DATE = '2026-11-20';
const CAP = 20;
const CAPPED = aLineItem({
  capping: { maxQps: null, maxDailyImpressions: CAP, maxDailySpendMicros: null },
});

/** Control's leases on a store that can fail, and anew on the same store. */
async function leasesOf(t: TestContext) {
  const { db } = await openTestStore(t);
  const meanwhile = async (): Promise<void> => {};
  const state = { nowMs: NOON_MS, fails: false, saves: 0, meanwhile };
  const open = (leadership: Leadership = ALONE): Leases => {
    const kept = createLeaseStore(db);
    const store: LeaseStore = {
      read: () => kept.read(),
      save: async (rows) => {
        state.saves += 1;
        const happens = state.meanwhile;
        state.meanwhile = meanwhile;
        await happens();
        if (state.fails) throw new Error('the disk is full');
        await kept.save(rows);
      },
    };
    const leases = new Leases({ store, leadership, now: () => state.nowMs });
    leases.useCaps([CAPPED]);
    return leases;
  };
  return { state, open };
}

/** One process wants some of the budget, after it has reserved so much. */
function wants(index: number, report = 1, seq = 0, impressions = 0): NodeLeaseReport {
  const process = index.toString(16).padStart(16, '0');
  const untilMs = NOON_MS + 3_600_000;
  const open = impressions === 0 ? [] : [{ untilMs, impressions, micros: 0 }];
  const budget = { lineItemId: CAPPED.id, wanted: 1 as const, impressions, micros: 0 };
  const budgets = [{ ...budget, dearestMicros: 0, open }];
  const who = { process, worker: index };
  const said: LeaseReport = { ...who, report, seq, leaving: 0, rates: [], budgets };
  return { incarnation: NODE, workers: 2, reports: [said] };
}

function grantedBy(lease: Lease | undefined): number {
  return lease?.budgets[0]?.impressions ?? 0;
}

async function settleNothing(leases: Leases): Promise<void> {
  await leases.settle({ date: DATE, nodes: new Map() });
}

test('until configuration and analytics have said what there is, nothing is granted', async (t) => {
  const { open } = await leasesOf(t);
  const leases = open();
  assert.equal(grantedBy((await leases.answer(wants(0))).leases[0]), 0);
  assert.equal((await leases.unsettled()).hasNewLimits, true);
  await settleNothing(leases);
  assert.equal((await leases.unsettled()).hasNewLimits, false);
  assert.ok(grantedBy((await leases.answer(wants(0, 2))).leases[0]) > 0);
  assert.deepEqual(leases.counts, { granted: 2, passed: 0, failed: 0, settlements: 1 });
  assert.deepEqual(leases.budgeted, [CAPPED.id]);
});

test('what one control has granted the next one does not grant again, without asking anybody', async (t) => {
  const { open } = await leasesOf(t);
  const first = open();
  await settleNothing(first);
  const before = grantedBy((await first.answer(wants(0))).leases[0]);
  assert.ok(before > 0);
  const second = open();
  let others = 0;
  for (const index of [1, 2, 3, 4, 5, 6, 7, 8]) {
    others += grantedBy((await second.answer(wants(index))).leases[0]);
  }
  assert.ok(others > 0);
  assert.ok(before + others <= CAP, `${before} and ${others}`);
});

test('what cannot be kept is not granted, and nothing of it is left', async (t) => {
  const { state, open } = await leasesOf(t);
  const leases = open();
  await settleNothing(leases);
  state.fails = true;
  await assert.rejects(leases.answer(wants(0)), /the disk is full/);
  await assert.rejects(leases.answer(wants(1)), /the disk is full/);
  state.fails = false;
  // The book is another one now.
  await settleNothing(leases);
  const { leases: granted } = await leases.answer(wants(2));
  const alone = open();
  assert.ok(grantedBy(granted[0]) > 0);
  assert.equal(grantedBy(granted[0]), grantedBy((await alone.answer(wants(2, 2))).leases[0]));
  assert.equal(leases.counts.failed, 2);
});

test('answers are made one after the other, each on what the last one left', async (t) => {
  const { open } = await leasesOf(t);
  const leases = open();
  await settleNothing(leases);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => leases.answer(wants(index))),
  );
  const granted = answers.map(({ leases: [lease] }) => grantedBy(lease));
  const sum = granted.reduce((total, each) => total + each, 0);
  assert.ok(sum > CAP / 2 && sum <= CAP, `${sum}`);
});

test('a process that leaves gets no lease, and others what it had', async (t) => {
  const { open } = await leasesOf(t);
  const leases = open();
  await settleNothing(leases);
  const [lease] = (await leases.answer(wants(0))).leases;
  assert.ok(lease !== undefined);
  const last = wants(0, 2, lease.seq, 1);
  const leaving = {
    ...last,
    reports: last.reports.map((each) => ({ ...each, leaving: 1 as const })),
  };
  assert.deepEqual(await leases.answer(leaving), { leases: [] });
  assert.equal(leases.counts.passed, 1);
  let seq = 0;
  let granted = 0;
  for (let report = 1; report < 40; report += 1) {
    const [next] = (await leases.answer(wants(1, report, seq, granted))).leases;
    seq = next?.seq ?? 0;
    granted = Math.max(granted, grantedBy(next));
  }
  assert.equal(granted, CAP - 1);
});

test('a control that does not lead grants nothing, and one that leads again starts from the store', async (t) => {
  const { open } = await leasesOf(t);
  const leading: { term: number | null } = { term: 1 };
  const first = open(leading);
  await settleNothing(first);
  const before = grantedBy((await first.answer(wants(0))).leases[0]);
  leading.term = null;
  assert.equal(first.leads, false);
  await assert.rejects(first.answer(wants(1)), { code: 'not_leading' });
  const second = open();
  const meanwhile = grantedBy((await second.answer(wants(1))).leases[0]);
  leading.term = 2;
  let after = 0;
  for (const index of [2, 3, 4, 5, 6, 7, 8, 9]) {
    after += grantedBy((await first.answer(wants(index))).leases[0]);
  }
  assert.ok(before > 0 && meanwhile > 0 && after > 0);
  assert.ok(before + meanwhile + after <= CAP, `${before}, ${meanwhile} and ${after}`);
  assert.deepEqual(first.askers, [NODE]);
});

test('a control that was held up while another began to grant saves nothing, and grants nothing', async (t) => {
  const { state, open } = await leasesOf(t);
  const stale = open();
  await settleNothing(stale);
  const next = open();
  await settleNothing(next);
  const granted = grantedBy((await next.answer(wants(0))).leases[0]);
  assert.ok(granted > 0);
  const { saves } = state;
  await assert.rejects(stale.answer(wants(1)), /another control has begun/);
  assert.equal(state.saves, saves + 1);
  // It has read what the other one did, and takes its place: nobody told it that it does not lead.
  let others = 0;
  for (const index of [2, 3, 4, 5, 6, 7, 8, 9]) {
    others += grantedBy((await stale.answer(wants(index))).leases[0]);
  }
  assert.ok(others > 0);
  assert.ok(granted + others <= CAP, `${granted} and ${others}`);
});

test('a control that opened the book while another was held up in a write begins again', async (t) => {
  const { state, open } = await leasesOf(t);
  const stale = open();
  await settleNothing(stale);
  const next = open();
  let granted = 0;
  // The other one has read the book, and saved nothing yet.
  state.meanwhile = async () => {
    granted = grantedBy((await stale.answer(wants(0))).leases[0]);
  };
  await assert.rejects(next.answer(wants(1)), /another control has begun/);
  assert.ok(granted > 0);
  for (const index of [2, 3, 4, 5, 6, 7, 8, 9]) {
    granted += grantedBy((await next.answer(wants(index))).leases[0]);
  }
  assert.ok(granted <= CAP, `${granted}`);
});
