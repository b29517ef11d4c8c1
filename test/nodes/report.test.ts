import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import { assertWithin } from '../support/effort.ts';
import { bannerRequest, startExchange, type StartedExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import { runRialto } from '../support/node.ts';
import { REPORT_PAUSE_MS, until } from '../support/wait.ts';

/** From the last answer to the row that counts it, as the exchange promises. */
const VISIBLE_WITHIN_MS = 5_000;
const AUCTIONS = 40;

interface ReportAnswer {
  readonly status: string;
  readonly data: readonly Readonly<Record<string, number | string>>[];
  readonly result_count: number;
}

test('auctions are in the reports soon, as the journal has them', async (t) => {
  const exchange = await startExchange({ t, bolt: { bidRate: 0.5 } });
  const answers = { filled: 0, unfilled: 0 };
  for (let index = 0; index < AUCTIONS; index += 1) {
    // A test auction is in no report.
    const { status } = await exchange.ask(bannerRequest({ test: index % 10 === 0 ? 1 : 0 }));
    if (status === 200) answers.filled += 1;
    else answers.unfilled += 1;
  }
  const records = await exchange.records();
  assertInvariants(records, answers);
  const counted = records.filter((record) => record.test === 0);

  const startMs = performance.now();
  const [supply] = await until(
    'the auctions are reported',
    15_000,
    async () => {
      const { data } = await report(exchange, 'supply', 'planet-report-token');
      return data[0]?.['requests'] === counted.length ? data : false;
    },
    REPORT_PAUSE_MS,
  );
  assertWithin(performance.now() - startMs, VISIBLE_WITHIN_MS);
  const date = new Date().toISOString().slice(0, 10);
  const filled = counted.filter((record) => record.imps[0]?.filled === 1).length;
  assert.deepEqual(supply, {
    date,
    impressions: 0,
    payout: 0,
    clicks: 0,
    filled_requests: filled,
    requests: counted.length,
    supply_wins: filled,
  });
  for (const [token, id] of [
    ['acme-report-token', 1001],
    ['bolt-report-token', 1002],
  ] as const) {
    const { data } = await report(exchange, 'demand', token);
    assert.deepEqual(data, [{ date, ...demandOf(counted, id) }], token);
  }

  await assertApi(exchange, counted);
  const { node } = exchange;
  const running = await runRialto(['rebuild', '--data', node.dataDirectory]);
  assert.notEqual(running.code, 0, 'the store belongs to the running node');
  assert.equal(running.stderr.trim().split('\n').length, 1, running.stderr);
});

type Json = ReturnType<typeof JSON.parse>;

/** The management API says the same of the day, and that all is well. */
async function assertApi(
  { node }: StartedExchange,
  counted: readonly AuctionRecord[],
): Promise<void> {
  const api = `${node.urls.control}/api`;
  const date = new Date().toISOString().slice(0, 10);
  const acme = await tokenOf(node.urls.control, 'acme-client', 'acme-secret');
  const ops = await tokenOf(node.urls.control, 'ops', 'ops-secret');
  const ask = async (token: string, path: string, body?: object): Promise<Json> => {
    const answer = await fetch(`${api}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    assert.equal(answer.status, 200, path);
    return JSON.parse(await answer.text());
  };
  const kpis = await ask(acme, '/demand-partners/1001/line-items/xch/kpi/', {
    start_date: date,
    end_date: date,
  });
  const { bids, wins } = demandOf(counted, 1001);
  const sum = (key: string): number =>
    kpis.reduce((total: number, row: Record<string, number>) => total + (row[key] ?? 0), 0);
  assert.deepEqual([sum('bids'), sum('wins')], [bids, wins]);
  const requests = counted.reduce((total, record) => total + record.imps.length, 0);
  const secure = { secure: false };
  const [all, some] = [{}, secure].map((body) => ask(acme, '/inventory/discovery/', body));
  const today = (await all).days.at(-1);
  assert.deepEqual([today.date, today.ad_requests], [date, requests]);
  assert.deepEqual((await some).targeting, secure);
  // A node reports every two seconds, the first time before it has a configuration.
  const status = await until('nothing needs attention', 10_000, async () => {
    const found = await ask(ops, '/status/');
    return found.attention.length === 0 && found;
  });
  assert.deepEqual([status.control.analytics, status.nodes.length], ['open', 1]);
}

async function tokenOf(base: string, id: string, secret: string): Promise<string> {
  const answer = await fetch(`${base}/v2/auth/token/`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    }),
  });
  assert.equal(answer.status, 200);
  const { access_token: token }: Json = JSON.parse(await answer.text());
  return token;
}

/** The partner's row, counted from the journal's records. */
function demandOf(records: readonly AuctionRecord[], id: number): Record<string, number> {
  const calls = records.flatMap((record) => record.calls);
  const bids = records.flatMap((record) => record.bids);
  const own = bids.filter((bid) => bid.demand_partner_id === id);
  return {
    gross_revenue: 0,
    impressions: 0,
    bids: own.length,
    clicks: 0,
    dsp_requests: calls.filter(
      (call) => call.demand_partner_id === id && call.outcome !== 'throttled',
    ).length,
    wins: own.filter((bid) => bid.loss_reason === 0).length,
  };
}

async function report(
  { node }: StartedExchange,
  side: 'demand' | 'supply',
  token: string,
): Promise<ReportAnswer> {
  const today = new Date().toISOString().slice(0, 10);
  const query = new URLSearchParams({
    account_auth_token: token,
    start_date: today,
    end_date: today,
  });
  const url = `${node.urls.control}/reporting/brand/${side}?${query.toString()}`;
  const answer: ReportAnswer = JSON.parse(await (await fetch(url)).text());
  return answer.status === 'success' ? answer : { ...answer, data: [] };
}
