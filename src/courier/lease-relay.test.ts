import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { until } from '../../test/support/wait.ts';
import type { Lease, LeaseReport } from '../ports/leases.ts';
import type { ControlAnswer, ControlRequest } from './control-client.ts';
import { LeaseRelay } from './lease-relay.ts';

const NODE = 'aaaaaaaaaaaaaaaa';

function reportOf(index: number, differs: Partial<LeaseReport> = {}): LeaseReport {
  const process = index.toString(16).padStart(16, '0');
  return {
    process,
    worker: index,
    report: 1,
    seq: 0,
    leaving: 0,
    rates: [],
    budgets: [],
    ...differs,
  };
}

function leaseFor({ process, report }: LeaseReport): Lease {
  const what = { baseShare: 0.5, rates: [], budgets: [] };
  return { process, report, seq: 1, validForMs: 5_000, settledMs: 0, ...what };
}

/** A relay, what it has sent and delivered, and a control that answers every report. */
function relayOf(t: TestContext) {
  const sent: { incarnation: string; workers: number; reports: LeaseReport[] }[] = [];
  const delivered: Lease[] = [];
  const said: string[] = [];
  const state: { answer: ((request: ControlRequest) => Promise<ControlAnswer>) | null } = {
    answer: null,
  };
  const relay = new LeaseRelay({
    incarnation: NODE,
    workers: 2,
    control: {
      post: async (request) => {
        assert.equal(request.path, '/internal/leases');
        const body = JSON.parse(String(request.body));
        sent.push(body);
        if (state.answer !== null) return state.answer(request);
        const leases = body.reports.map(leaseFor);
        return { status: 200, text: JSON.stringify({ leases }), retryAfterMs: 0 };
      },
    },
    deliver: (leases) => delivered.push(...leases),
    logger: pino({ level: 'info' }, { write: (line) => said.push(JSON.parse(line).msg) }),
  });
  t.after(() => relay.stop());
  return { relay, sent, delivered, said, state };
}

test('reports that come together go out as one message, and their leases come back', async (t) => {
  const { relay, sent, delivered } = relayOf(t);
  relay.take(reportOf(1));
  relay.take(reportOf(2));
  await until('leases are delivered', 5_000, () => delivered.length === 2);
  assert.deepEqual(sent, [{ incarnation: NODE, workers: 2, reports: [reportOf(1), reportOf(2)] }]);
  relay.take(reportOf(1, { seq: 1 }));
  await until('the next is delivered', 5_000, () => delivered.length === 3);
  assert.deepEqual(sent[1]?.reports, [reportOf(1, { seq: 1 })]);
});

test('while control is away the last report of each process is kept, also of one that is gone', async (t) => {
  const { relay, sent, delivered, said, state } = relayOf(t);
  state.answer = () => Promise.reject(new Error('connection refused'));
  relay.take(reportOf(1));
  relay.take(reportOf(2, { leaving: 1 }));
  await until('control was tried', 5_000, () => sent.length === 1);
  relay.take(reportOf(1, { report: 2, seq: 4 }));
  await until('control was tried again', 5_000, () => sent.length === 2);
  state.answer = null;
  await until('leases are delivered', 5_000, () => delivered.length === 2);
  assert.deepEqual(sent[2]?.reports, [
    reportOf(1, { report: 2, seq: 4 }),
    reportOf(2, { leaving: 1 }),
  ]);
  assert.deepEqual(said, [
    'control gives no leases; those that processes have stay valid for a while',
    'control answers with leases again',
  ]);
});

test('an answer that is none is no lease, and the report is sent again', async (t) => {
  const answers: ControlAnswer[] = [
    { status: 503, text: '{"leases":[]}', retryAfterMs: 0 },
    { status: 200, text: '{"leases":[{"process":"x"}]}', retryAfterMs: 0 },
    { status: 200, text: 'oops', retryAfterMs: 0 },
  ];
  for (const answer of answers) {
    const { relay, sent, delivered, state } = relayOf(t);
    state.answer = () => {
      state.answer = null;
      return Promise.resolve(answer);
    };
    relay.take(reportOf(1));
    await until('the lease is delivered', 5_000, () => delivered.length === 1);
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[1]?.reports, [reportOf(1)]);
  }
});

test('reports wait for no more processes than one message may hold, the latest', async (t) => {
  const { relay, sent, state } = relayOf(t);
  state.answer = () => Promise.reject(new Error('connection refused'));
  for (let index = 0; index < 1_100; index += 1) relay.take(reportOf(index));
  await until('control was tried', 5_000, () => sent.length === 1);
  assert.equal(sent[0]?.reports.length, 1_024);
  assert.deepEqual(sent[0]?.reports.at(-1), reportOf(1_099));
});

test('long reports go out in several messages', async (t) => {
  const { relay, sent, delivered } = relayOf(t);
  const rates = Array.from({ length: 20_000 }, (_, id) => ({
    key: `line item ${id}`,
    wantedPerSecond: 1,
  }));
  for (let index = 0; index < 3; index += 1) relay.take(reportOf(index, { rates }));
  await until('leases are delivered', 5_000, () => delivered.length === 3);
  assert.deepEqual(
    sent.map(({ reports }) => reports.length),
    [2, 1],
  );
});

test('a relay that is stopped sends what waits, once', async (t) => {
  const { relay, sent, state } = relayOf(t);
  state.answer = () => Promise.reject(new Error('connection refused'));
  relay.take(reportOf(1, { leaving: 1 }));
  await relay.stop();
  assert.equal(sent.length, 1);
  assert.deepEqual(sent[0]?.reports, [reportOf(1, { leaving: 1 })]);
});
