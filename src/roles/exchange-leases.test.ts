import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Lease, LeaseReport } from '../ports/leases.ts';
import { runLeases } from './exchange-leases.ts';

const LEASE: Lease = {
  process: 'a'.repeat(16),
  report: 1,
  seq: 1,
  validForMs: 1_000,
  settledMs: 0,
  baseShare: 1,
  rates: [],
  budgets: [],
};

/** Runs the leases of a process on a clock of the test's. */
function leasesOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const said: string[] = [];
  const state = { want: (): void => {}, onLease: (_: Lease, __: boolean): void => {} };
  const drains: (() => Promise<void>)[] = [];
  const leases = runLeases({
    context: {
      reportLease: async ({ leaving }: LeaseReport) => {
        said.push(leaving === 1 ? 'leaving' : 'report');
      },
      onLease: (handler) => {
        state.onLease = handler;
      },
      onDrain: (handler) => drains.push(handler),
    },
    holder: {
      whenWanting: (handler) => {
        state.want = handler;
      },
      report: (leaving) => {
        const who = { process: LEASE.process, worker: 0, report: 1, seq: 0 };
        return { ...who, leaving: leaving === true ? 1 : 0, rates: [], budgets: [] };
      },
      take: () => said.push('take'),
      inherit: () => said.push('inherit'),
    },
  });
  return { leases, said, state, drains };
}

test('a process reports when it starts, once a second, and soon when it wants something', (t) => {
  const { said, state } = leasesOf(t);
  assert.deepEqual(said, ['report']);
  t.mock.timers.tick(950);
  assert.equal(said.length, 1);
  t.mock.timers.tick(50);
  assert.equal(said.length, 2);
  state.want();
  t.mock.timers.tick(50);
  assert.equal(said.length, 3);
  t.mock.timers.tick(950);
  assert.equal(said.length, 3);
});

test('it has started with the first lease, an own one or an inherited one', async (t) => {
  for (const inherited of [false, true]) {
    const { leases, said, state } = leasesOf(t);
    state.onLease(LEASE, inherited);
    await leases.started;
    assert.deepEqual(said, ['report', inherited ? 'inherit' : 'take']);
    t.mock.timers.reset();
  }
});

test('without a lease it starts anyway, soon', async (t) => {
  const { leases } = leasesOf(t);
  t.mock.timers.tick(300);
  await leases.started;
});

test('a process that drains says that it leaves, and nothing after that', async (t) => {
  const { said, state, drains } = leasesOf(t);
  await drains[0]?.();
  state.want();
  t.mock.timers.tick(10_000);
  assert.deepEqual(said, ['report', 'leaving']);
});
