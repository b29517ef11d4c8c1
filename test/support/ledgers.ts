import assert from 'node:assert/strict';
import type { Audience } from '../../sim/audience.ts';
import type { SimBidder } from '../../sim/bidder.ts';
import { EAGER_BEHAVIOUR } from '../../sim/page.ts';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import type { BeaconRecord } from '../../src/events/beacon-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { bannerRequest } from './exchange.ts';

/** Requests whose ids tell them apart, and what became of each. */
export class Requests {
  readonly sent = new Set<string>();
  readonly answered = new Set<string>();
  readonly failures = new Map<string, number>();

  /** Of every third auction the publisher decides. */
  next(): object {
    const id = `request-${this.sent.size + 1}`;
    const fd = this.sent.size % 3 === 0 ? 1 : 0;
    this.sent.add(id);
    return bannerRequest({ id, source: { fd } });
  }

  /** 200 and 204 say that an auction was held. */
  take(body: object, status: number): void {
    if ((status === 200 || status === 204) && 'id' in body) this.answered.add(String(body.id));
    else this.fail(String(status));
  }

  fail(code: string): void {
    this.failures.set(code, (this.failures.get(code) ?? 0) + 1);
  }
}

/** Beacons keep coming while processes die, and some come again after they were acknowledged. */
export const INSISTENT = { ...EAGER_BEHAVIOUR, takeRate: 0.7, repeatRate: 0.2 };
/** Until it is acknowledged: no process stays away for so long. */
export const PATIENCE = { triesMax: 200, retryLastMs: 500 };
/** What was answered is in the raw table once, and nothing is there that was not asked for. */
export async function assertReportedOnce(
  store: AnalyticsStore,
  { sent, answered }: Requests,
): Promise<void> {
  const rows = await store.query(
    "SELECT request_id, count() AS times FROM money WHERE kind = 'auction' GROUP BY request_id",
  );
  const loaded = new Set(rows.map(({ request_id: id }) => String(id)));
  assert.deepEqual(
    rows.filter(({ times }) => Number(times) !== 1),
    [],
    'reported twice',
  );
  assert.deepEqual(
    [...answered].filter((id) => !loaded.has(id)),
    [],
    'answered and lost',
  );
  assert.deepEqual(
    [...loaded].filter((id) => !sent.has(id)),
    [],
    'reported and not asked for',
  );
}

interface Billed {
  readonly impressions: readonly BeaconRecord[];
  /** Those that make a billing notice due: OpenRTB 2.2 knows none. */
  readonly billable: readonly BeaconRecord[];
}

export function moneyOf(records: readonly MoneyRecord[]): Billed {
  const impressions = records.filter(isBeacon).filter(({ kind }) => kind === 'impression');
  return { impressions, billable: impressions.filter(({ notice_url: url }) => url !== '') };
}

export function billedAt(bidders: readonly SimBidder[]): number {
  return bidders.reduce(
    (sum, { noticeLedger }) => sum + noticeLedger.sum('billing').acknowledged,
    0,
  );
}

/** The publishers' own ledger and the journal name the same impressions, at the same payout. */
export function assertBilled({ ledger }: Audience, records: readonly MoneyRecord[]): void {
  const { totals } = ledger;
  const requestOf = new Map(
    records.filter(isAuction).map(({ auction_id: id, request_id: request }) => [id, request]),
  );
  for (const kind of ['win', 'impression', 'view', 'click'] as const) {
    const acknowledged = ledger.entries
      .filter((entry) => entry.acknowledged.has(kind))
      .map((entry) => entry.winner.requestId);
    const recorded = records
      .filter(isBeacon)
      .filter((record) => record.kind === kind)
      .map((record) => requestOf.get(record.auction_id));
    assert.deepEqual(new Set(recorded), new Set(acknowledged), kind);
    assert.equal(recorded.length, acknowledged.length, kind);
    assert.equal(totals.beacons[kind].abandoned + totals.beacons[kind].refused, 0, kind);
  }
  const { impressions } = moneyOf(records);
  const payoutMicros = impressions.reduce((sum, { payout_micros: micros }) => sum + micros, 0);
  assert.equal(payoutMicros, totals.toldMicros, 'billed = told and acknowledged');
  assert.ok(impressions.length > 0);
}

function isBeacon(record: MoneyRecord): record is BeaconRecord {
  return record.kind !== 'auction' && record.kind !== 'delivery';
}

export function isAuction(record: MoneyRecord): record is AuctionRecord {
  return record.kind === 'auction';
}
