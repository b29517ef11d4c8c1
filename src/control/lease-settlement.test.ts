import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Billed, BilledQuestion } from '../analytics/billed.ts';
import type { Settlement, Unsettled } from '../limits/lease-book.ts';
import { EXPIRY_STEP_MS } from '../ports/leases.ts';
import type { NodeStatus } from '../ports/node-status.ts';
import { LeaseSettlement } from './lease-settlement.ts';
import type { KnownNode } from './node-register.ts';

const NODE_A = 'aaaaaaaaaaaaaaaa';
const NODE_B = 'bbbbbbbbbbbbbbbb';
const MINUTE_MS = 60_000;
/** A whole step of expiries. */
const NOON_MS = Date.UTC(2026, 10, 20, 12);
const DATE = '2026-11-20';

function statusOf(incarnation: string, wholeUntilMs?: number): KnownNode {
  const shipping = {
    backlogBytes: 0,
    backlogSeconds: 0,
    ...(wholeUntilMs === undefined ? {} : { wholeUntilMs }),
    loaded: 0,
    already: 0,
    quarantined: 0,
    conflicts: 0,
    retries: 0,
    shippedBytes: 0,
    missingRecords: 0,
    shortenedSegments: 0,
    unreadableSegments: 0,
  };
  const status: NodeStatus = {
    incarnation,
    host: 'machine',
    version: '1',
    snapshot: 'e.1',
    shipping,
    journal: { moneyBytes: 0, traceBytes: 0, removedSegments: 0 },
    process: { cpuSeconds: 0, residentBytes: 0 },
    gone: [],
  };
  return { status, atMs: 0 };
}

/** A settlement of line item 501, and what it asked and said. */
function settlementOf({ hasOthers = false } = {}) {
  const state = {
    nowMs: NOON_MS,
    unsettled: { hasNewLimits: false, nodes: [] } as Unsettled,
    nodes: [] as KnownNode[],
    billing: [] as string[],
    leads: true,
    askers: [] as string[],
    billed: new Map<string, Map<number, Billed>>(),
    reofferedAt: 0,
  };
  const asked: BilledQuestion[] = [];
  const settled: Settlement[] = [];
  const settlement = new LeaseSettlement({
    leases: {
      get leads() {
        return state.leads;
      },
      get askers() {
        return state.askers;
      },
      unsettled: async () => state.unsettled,
      settle: async (each) => {
        settled.push(each);
      },
      budgeted: [501],
    },
    nodes: {
      get nodes() {
        return state.nodes;
      },
    },
    hasOthers,
    reofferedAt: async () => state.reofferedAt,
    readBilled: async (question) => {
      asked.push(question);
      return state.billed;
    },
    readBillingNodes: async () => state.billing,
    logger: pino({ level: 'silent' }),
    now: () => state.nowMs,
  });
  return { state, settlement, asked, settled };
}

/** Open reservations of a node whose tokens expire from then on. */
function openFrom(node: string, fromMs: number): Unsettled {
  return { hasNewLimits: false, nodes: [{ node, fromMs, untilMs: fromMs + EXPIRY_STEP_MS }] };
}

test('a node is settled until five minutes before all it wrote was loaded, in whole steps', async () => {
  const { state, settlement, asked, settled } = settlementOf();
  const billed = new Map([[501, { impressions: 3, micros: 4 }]]);
  state.billed.set(NODE_A, billed);
  state.unsettled = openFrom(NODE_A, NOON_MS);
  for (const wholeUntilMs of [NOON_MS - MINUTE_MS, NOON_MS + 5 * MINUTE_MS, undefined]) {
    state.nodes = [statusOf(NODE_A, wholeUntilMs), statusOf(NODE_B, NOON_MS + 60 * MINUTE_MS)];
    assert.equal(await settlement.settle(), false, 'nothing has expired for certain');
  }
  state.nodes = [statusOf(NODE_A, NOON_MS + 7 * MINUTE_MS), statusOf(NODE_B)];
  assert.equal(await settlement.settle(), true);
  const expiredByMs = new Map([[NODE_A, NOON_MS]]);
  assert.deepEqual(asked, [{ date: DATE, expiredByMs, lineItemIds: [501] }]);
  const nodes = new Map([[NODE_A, { untilMs: NOON_MS, billed }]]);
  assert.deepEqual(settled, [{ date: DATE, nodes }]);
  state.nodes = [statusOf(NODE_A, NOON_MS + 12 * MINUTE_MS)];
  assert.equal(await settlement.settle(), false, 'the same step was settled already');
  state.nodes = [statusOf(NODE_A, NOON_MS + 16 * MINUTE_MS)];
  assert.equal(await settlement.settle(), true, 'the next was not');
});

test('new limits are settled at once, when all who had something billed today are heard', async () => {
  const { state, settlement, settled } = settlementOf();
  state.unsettled = { hasNewLimits: true, nodes: [] };
  state.billing = [NODE_A];
  assert.equal(await settlement.settle(), false);
  state.nodes = [statusOf(NODE_A, NOON_MS)];
  assert.equal(await settlement.settle(), true);
  assert.equal(await settlement.settle(), true, 'others are new by then');
  const untilMs = NOON_MS - EXPIRY_STEP_MS;
  const nodes = new Map([[NODE_A, { untilMs, billed: new Map<number, Billed>() }]]);
  assert.deepEqual(settled, [
    { date: DATE, nodes },
    { date: DATE, nodes },
  ]);
});

test('a node that stays silent does not hold new limits back for ever', async () => {
  const { state, settlement, settled } = settlementOf();
  state.unsettled = { hasNewLimits: true, nodes: [] };
  state.billing = [NODE_A];
  state.nowMs += 14_999;
  assert.equal(await settlement.settle(), false);
  state.nowMs += 1;
  assert.equal(await settlement.settle(), true);
  assert.deepEqual(settled, [{ date: DATE, nodes: new Map() }]);
});

test('where nothing was ever billed, new limits wait for nobody', async () => {
  const { state, settlement } = settlementOf();
  state.unsettled = { hasNewLimits: true, nodes: [] };
  assert.equal(await settlement.settle(), true);
});

test('of several controls the one that grants settles, once all that ask it report to it', async () => {
  const { state, settlement } = settlementOf({ hasOthers: true });
  state.unsettled = { hasNewLimits: true, nodes: [] };
  state.nowMs += MINUTE_MS;
  assert.equal(await settlement.settle(), false, 'nobody reports here');
  state.nodes = [statusOf(NODE_A, NOON_MS)];
  state.askers = [NODE_A, NODE_B];
  assert.equal(await settlement.settle(), false, 'what the other was billed is elsewhere');
  state.askers = [NODE_A];
  state.leads = false;
  assert.equal(await settlement.settle(), false, 'another control grants');
  state.leads = true;
  assert.equal(await settlement.settle(), true);
});
