import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { Compile } from 'typebox/compile';
import { until } from '../../test/support/wait.ts';
import { NodeStatusSchema, SEGMENTS_GONE_MAX } from '../ports/node-status.ts';
import type { ControlRequest } from './control-client.ts';
import { noOutcomes } from './notice-figures.ts';
import { StatusReporter } from './status-reporter.ts';

const NOW_MS = 1_700_000_000_000;

const FIGURES = {
  backlogBytes: 10,
  backlogSeconds: 1.5,
  loaded: 1,
  already: 2,
  quarantined: 3,
  conflicts: 4,
  retries: 5,
  shippedBytes: 6,
  missingRecords: 13,
};

/** A reporter, what it has sent, and what control answers. */
const NOTICES = {
  outcomes: noOutcomes(),
  pending: { win: 1, billing: 2, loss: 3 },
  oldestSeconds: 12,
  tries: 20,
  failingDestinations: 1,
  partners: [{ demandPartnerId: 1001, waiting: 3, failing: 1, givenUp: 4 }],
  storeSeconds: 0.25,
};

const PROCESS = { role: 'exchange', worker: 1, pid: 7, cpuSeconds: 0.5, residentBytes: 1e8 };

const TRACE_FIGURES = { ...FIGURES, backlogBytes: 12 };

function reporterOf() {
  const sent: ControlRequest[] = [];
  const state = {
    status: 200,
    reofferedAt: 0,
    isStoreStrange: false,
    keeps: false,
    asked: [] as number[],
    isBehind: false,
    lacking: 0,
    followedAt: 0,
    gone: new Set(['money-1.ndjson']),
    goneTraces: new Set<string>(),
    unacknowledged: new Map<string, number>(),
  };
  const reporter = new StatusReporter({
    incarnation: '0123456789abcdef',
    version: '1.2.3',
    snapshot: () => 'e.7',
    shipper: {
      get storeIsStrange() {
        return state.keeps;
      },
      set storeIsStrange(value) {
        state.keeps = value;
      },
      acknowledged: new Map([['money-2.ndjson', { offset: 10, atMs: 1 }]]),
      lacking: () => {
        state.lacking += 1;
      },
      get reofferedAt() {
        return state.followedAt;
      },
      reoffer: (at) => void state.asked.push(at),
      figures: () => Promise.resolve(FIGURES),
      get gone() {
        return state.gone;
      },
      forget: (names) => {
        for (const name of names) state.gone.delete(name);
      },
    },
    traces: {
      reoffer: (at) => void state.asked.push(at),
      figures: () => Promise.resolve(TRACE_FIGURES),
      get gone() {
        return state.goneTraces;
      },
      forget: (names) => {
        for (const name of names) state.goneTraces.delete(name);
      },
    },
    keeper: { figures: { moneyBytes: 7, traceBytes: 8, removedSegments: 9 } },
    notices: { figures: NOTICES },
    segments: {
      unreadable: 11,
      shortened: 14,
      unacknowledged: () => Promise.resolve(state.unacknowledged),
    },
    processes: () => [PROCESS],
    control: {
      post: async (request) => {
        sent.push(request);
        const { reofferedAt, isBehind, isStoreStrange } = state;
        const text = JSON.stringify({ reofferedAt, isBehind, isStoreStrange });
        return { status: state.status, text, retryAfterMs: 0 };
      },
    },
    logger: pino({ level: 'silent' }),
    now: () => NOW_MS,
  });
  return { reporter, sent, state };
}

test('a status has the form that control expects, and says how the node is', async () => {
  const { reporter, sent } = reporterOf();
  await reporter.report();
  assert.equal(sent[0]?.path, '/internal/nodes/status');
  const status: unknown = JSON.parse(String(sent[0]?.body));
  const check = Compile(NodeStatusSchema);
  assert.ok(check.Check(status));
  const whole = {
    shortenedSegments: 14,
    unreadableSegments: 11,
    wholeUntilMs: NOW_MS,
    reofferedAt: 0,
  };
  assert.deepEqual(status.shipping, { ...FIGURES, ...whole });
  assert.deepEqual(status.traces, TRACE_FIGURES);
  assert.deepEqual(status.journal, { moneyBytes: 7, traceBytes: 8, removedSegments: 9 });
  assert.deepEqual(status.notices, NOTICES);
  assert.deepEqual([status.version, status.snapshot], ['1.2.3', 'e.7']);
  assert.deepEqual(status.processes, [PROCESS]);
  assert.ok(status.process.cpuSeconds > 0 && status.process.residentBytes > 1e7);
});

test('while something waits from before the first status, nobody knows until when the journal is whole', async () => {
  const { reporter, sent, state } = reporterOf();
  state.unacknowledged.set('money-1.ndjson', 10);
  await reporter.report();
  const status: unknown = JSON.parse(String(sent[0]?.body));
  assert.ok(Compile(NodeStatusSchema).Check(status));
  assert.deepEqual(status.shipping, { ...FIGURES, shortenedSegments: 14, unreadableSegments: 11 });
});

test('a request for the whole journal is handed on, and nothing counts as whole until it was followed', async () => {
  const { reporter, sent, state } = reporterOf();
  const shipping = (index: number) => JSON.parse(String(sent[index]?.body)).shipping;
  state.reofferedAt = 7;
  await reporter.report();
  assert.deepEqual(state.asked, [7, 7]);
  state.followedAt = 7;
  state.unacknowledged.set('money-1.ndjson', 10);
  await reporter.report();
  assert.equal(shipping(1).wholeUntilMs, undefined);
  state.unacknowledged.clear();
  await reporter.report();
  assert.deepEqual([shipping(2).wholeUntilMs, shipping(2).reofferedAt], [NOW_MS, 7]);
});

test('what is acknowledged is told first, and a control that knows less is heard, unless it asks for all', async () => {
  const { reporter, sent, state } = reporterOf();
  state.isBehind = true;
  await reporter.report();
  await reporter.report();
  const told = sent.map(({ body }) => JSON.parse(String(body)).acknowledged);
  assert.deepEqual(told, [{ 'money-2.ndjson': 10 }, undefined]);
  assert.equal(state.lacking, 2);
  state.reofferedAt = 1;
  await reporter.report();
  assert.equal(state.lacking, 2);
});

test('a store that is not the right one is told of for as long as it is there', async () => {
  const { reporter, state } = reporterOf();
  state.isStoreStrange = true;
  await reporter.report();
  assert.equal(state.keeps, true);
  state.isStoreStrange = false;
  await reporter.report();
  assert.equal(state.keeps, false);
});

test('segments that are gone are named until control has heard of them', async () => {
  const { reporter, sent, state } = reporterOf();
  const named = (index: number): string[] => JSON.parse(String(sent[index]?.body)).gone;
  state.status = 503;
  await assert.rejects(reporter.report(), /status 503/);
  state.status = 200;
  await reporter.report();
  await reporter.report();
  assert.deepEqual([named(0), named(1), named(2)], [['money-1.ndjson'], ['money-1.ndjson'], []]);
  state.gone = new Set(Array.from({ length: SEGMENTS_GONE_MAX + 1 }, (_, n) => `money-${n}`));
  await reporter.report();
  assert.equal(state.gone.size, 1);
  state.goneTraces = new Set(['trace-1.ndjson']);
  await reporter.report();
  assert.equal(named(4).length, 2);
  assert.equal(state.gone.size + state.goneTraces.size, 0);
});

test('a reporter reports at once and until it is stopped, whether or not control hears it', async () => {
  const { reporter, sent, state } = reporterOf();
  state.status = 500;
  reporter.start();
  await until('it has reported', 5_000, () => sent.length > 0);
  await reporter.stop();
  assert.equal(sent.length, 1);
});
