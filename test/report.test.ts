import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuctionRecord } from '../src/events/auction-record.ts';
import { bannerRequest, startExchange, type StartedExchange } from './support/exchange.ts';
import { assertInvariants } from './support/invariants.ts';
import { runRialto } from './support/node.ts';
import { until } from './support/wait.ts';

/** From the last answer to the row that counts it, as the exchange promises. */
const VISIBLE_WITHIN_MS = 5_000;
const AUCTIONS = 40;

interface ReportAnswer {
  readonly status: string;
  readonly data: readonly Readonly<Record<string, number | string>>[];
  readonly result_count: number;
}

test('auctions are in the reports within five seconds, as the journal has them', async (t) => {
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
  const [supply] = await until('the auctions are reported', 15_000, async () => {
    const { data } = await report(exchange, 'supply', 'planet-report-token');
    return data[0]?.['requests'] === counted.length ? data : false;
  });
  assert.ok(performance.now() - startMs < VISIBLE_WITHIN_MS, 'visible in time');
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

  const { node } = exchange;
  const running = await runRialto(['rebuild', '--data', node.dataDirectory]);
  assert.notEqual(running.code, 0, 'the store belongs to the running node');
  assert.equal(running.stderr.trim().split('\n').length, 1, running.stderr);
});

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
