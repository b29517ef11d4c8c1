import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dateOf } from '../../src/analytics/dates.ts';
import { readFunnel } from '../../src/analytics/funnel.ts';
import { readKpis, type KpiRow } from '../../src/analytics/kpi.ts';
import { readLosses } from '../../src/analytics/losses.ts';
import type { AuctionRecord, BidRecord } from '../../src/events/auction-record.ts';
import { funnelOf } from '../../src/management/funnel/funnel.ts';
import type { Funnel } from '../../src/management/funnel/schema.ts';
import { lossesOf } from '../../src/management/losses/losses.ts';
import { assertHolds, Segment, testAnalytics } from './loader-fixture.ts';
import { auctionsAmong, makeAuctions, makeRecords } from './loader-records.ts';

const PARTNER = 2;
const ITEMS = [20, 21, 22];
const DAY_MS = 86_400_000;
const START_MS = Date.parse(`${dateOf(Date.now() - DAY_MS)}T00:00:00Z`);
const SPAN = { startDate: dateOf(START_MS), endDate: dateOf(START_MS + DAY_MS) };
/** Beacons of the last auctions of a day are of the next one. */
const records = makeRecords('reasons', 600, START_MS + DAY_MS / 2, DAY_MS / 600);
const auctions = auctionsAmong(records).filter(({ test: isTest }) => isTest === 0);

/** Every step is the one before less its drops, and what was carried over. */
function assertAddsUp({ steps, drops }: Funnel): void {
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1];
    if (before === undefined) continue;
    const lost = drops.filter(({ before: at }) => at === step.step);
    const sum = lost.reduce((total, { count }) => total + count, 0);
    const reached = step.requests ?? step.count;
    assert.equal(before.count - sum + step.carried_over, reached, step.step);
  }
  assert.ok(
    drops.every(({ count, meaning, action }) => count > 0 && meaning !== '' && action !== ''),
  );
}

function countsOf({ steps }: Funnel): Record<string, number> {
  return Object.fromEntries(steps.map(({ step, count }) => [step, count]));
}

/** What KPIs say of the same, bid requests by each line item that they matched. */
function kpiCounts(rows: readonly KpiRow[]): Record<string, number> {
  const sum = (...names: readonly (keyof KpiRow)[]): number =>
    rows.reduce((total, row) => names.reduce((all, name) => all + Number(row[name]), total), 0);
  return {
    matched: sum('dsp_requests', 'throttled'),
    sent: sum('dsp_requests'),
    answered: sum('responses', 'no_bids'),
    bids: sum('bids'),
    in_auction: sum('bids_in_auction'),
    won: sum('wins'),
    billed: sum('impressions'),
  };
}

test('a funnel adds up, of one day and of two, and says what KPIs and the records say', async (t) => {
  const { store, loader } = await testAnalytics(t);
  assert.equal((await loader.load(new Segment().batch(records))).kind, 'loaded');
  const days = [SPAN, { ...SPAN, endDate: SPAN.startDate }, { ...SPAN, startDate: SPAN.endDate }];
  for (const span of days) {
    const question = { ...span, demandPartnerId: PARTNER, lineItemIds: [0, ...ITEMS] };
    const kpis = (await Array.fromAsync(readKpis(store, question))).flat();
    for (const lineItemId of ITEMS) {
      const sums = await readFunnel(store, { ...span, demandPartnerId: PARTNER, lineItemId });
      const funnel = funnelOf(sums, span, lineItemId);
      assertAddsUp(funnel);
      const own = kpis.filter(({ lineitem_id: id }) => id === lineItemId);
      assert.deepEqual(countsOf(funnel), kpiCounts(own), `line item ${lineItemId}`);
    }
    const sums = await readFunnel(store, { ...span, demandPartnerId: PARTNER, lineItemId: null });
    const whole = funnelOf(sums, span, null);
    assertAddsUp(whole);
    const { bids, in_auction, won, billed } = kpiCounts(kpis);
    const counts = countsOf(whole);
    assert.deepEqual([counts['bids'], counts['in_auction']], [bids, in_auction]);
    assert.deepEqual([counts['won'], counts['billed']], [won, billed]);
    const within = auctions.filter(({ at_ms: at }) => {
      return dateOf(at) >= span.startDate && dateOf(at) <= span.endDate;
    });
    assert.deepEqual(whole.drops.map(dropKey).toSorted(), expectedDrops(within, counts).toSorted());
  }
});

function dropKey({ before, code, count }: Funnel['drops'][number]): string {
  return `${before} ${code} ${count}`;
}

/** Counted from the records one by one; the last two follow from how many were won and billed. */
function expectedDrops(within: readonly AuctionRecord[], counts: Record<string, number>): string[] {
  const drops = new Map<string, number>();
  const add = (key: string, count = 1): void => {
    if (count > 0) drops.set(key, (drops.get(key) ?? 0) + count);
  };
  const steps: Record<string, string> = {
    throttled: 'sent',
    timeout: 'answered',
    error: 'answered',
    no_bid: 'bids',
  };
  let won = 0;
  for (const { calls, bids } of within) {
    for (const { demand_partner_id: id, outcome, reason } of calls) {
      if (id !== PARTNER || outcome === 'bid') continue;
      const code = reason === '' || outcome === 'timeout' ? outcome : reason;
      add(`${steps[outcome]} ${code}`);
    }
    for (const { demand_partner_id: id, loss_reason: why, in_auction: competed } of bids) {
      if (id !== PARTNER) continue;
      if (why === 0) won += 1;
      else add(`${competed === 1 ? 'won' : 'in_auction'} ${why}`);
    }
  }
  add('won not_confirmed', won - (counts['won'] ?? 0));
  add('billed no_impression', (counts['won'] ?? 0) - (counts['billed'] ?? 0));
  return [...drops].map(([key, count]) => `${key} ${count}`);
}

/** The bids of the partner with their auctions. */
function ownBids(): { readonly bid: BidRecord; readonly auction: AuctionRecord }[] {
  return auctions.flatMap((auction) =>
    auction.bids
      .filter(({ demand_partner_id: id }) => id === PARTNER)
      .map((bid) => ({ bid, auction })),
  );
}

test('losses count every bid by its reason, with examples of their own', async (t) => {
  const { store, loader } = await testAnalytics(t);
  assert.equal((await loader.load(new Segment().batch(records))).kind, 'loaded');
  const nothing = { lineItemId: null, publisherId: null, seat: null };
  const cases = [
    [nothing, () => true],
    [{ ...nothing, lineItemId: 20 }, ({ bid }) => bid.lineitem_id === 20],
    [{ ...nothing, publisherId: 2 }, ({ auction }) => auction.publisher_id === 2],
    [{ ...nothing, seat: 'ж' }, ({ bid }) => bid.seat === 'ж'],
  ] as const satisfies readonly (readonly [
    object,
    (each: ReturnType<typeof ownBids>[number]) => boolean,
  ])[];
  for (const [asked, isAsked] of cases) {
    const question = { ...SPAN, ...asked, demandPartnerId: PARTNER };
    const losses = lossesOf(await readLosses(store, question), SPAN, SPAN.endDate);
    const own = ownBids().filter(isAsked);
    assert.equal(losses.bids, own.length);
    const first = own.filter(({ bid }) => bid.loss_reason === 0);
    if (question.publisherId === null && question.seat === null) {
      const funnel = funnelOf(await readFunnel(store, question), SPAN, question.lineItemId);
      assert.equal(losses.won, countsOf(funnel)['won']);
      assert.ok(losses.won < first.length, 'the publisher has not confirmed all of them');
      assert.equal(losses.not_confirmed, first.length - losses.won);
    } else {
      assert.ok(first.some(({ auction }) => auction.fd === 1));
      assert.deepEqual([losses.won, losses.not_confirmed], [null, null]);
    }
    assert.ok(losses.losses.length > 0);
    const shares = losses.losses.reduce((sum, { share }) => sum + share, 0);
    assert.ok(Math.abs(shares - 1) < 1e-9);
    for (const { loss_reason: code, count, bid_cpm_avg: average, ...each } of losses.losses) {
      const lost = own.filter(({ bid }) => bid.loss_reason === code);
      assert.equal(count, lost.length);
      const micros = lost.reduce((sum, { bid }) => sum + bid.price_micros, 0);
      assert.equal(average, Math.floor(micros / lost.length) / 1e6);
      const ids = lost.map(({ auction }) => auction.auction_id);
      assert.ok(ids.includes(each.example_auction_id ?? ''));
      for (const { crid } of each.top) assert.ok(lost.some(({ bid }) => bid.crid === crid));
    }
  }
  const stale = await readLosses(store, { ...SPAN, ...nothing, demandPartnerId: PARTNER });
  const later = lossesOf(stale, SPAN, dateOf(START_MS + 20 * DAY_MS));
  assert.ok(later.losses.every(({ example_auction_id: id }) => id === null));
  assert.deepEqual(await readLosses(store, { ...SPAN, ...nothing, demandPartnerId: 99 }), {
    reasons: [],
    wins: 0,
  });
});

test('what a bid fell short by is counted where its record tells it', async (t) => {
  const { store, loader } = await testAnalytics(t);
  const [template] = makeAuctions('short', 1, START_MS);
  const base = auctions.flatMap(({ bids }) => bids).find(({ imp }) => imp === 0);
  assert.ok(template !== undefined && base !== undefined);
  const [imp] = template.imps;
  assert.ok(imp !== undefined);
  const bid = (differs: Partial<BidRecord>): BidRecord => ({
    ...base,
    demand_partner_id: PARTNER,
    lineitem_id: 20,
    imp: 0,
    dealid: '',
    price_micros: 1_000_000,
    loss_reason: 102,
    in_auction: 1,
    ...differs,
  });
  const won = { demand_partner_id: 3, loss_reason: 0, price_micros: 3_000_000 };
  const auction = (index: number, ...bids: readonly BidRecord[]): AuctionRecord => ({
    ...template,
    auction_id: `${index}`.padStart(32, 'a'),
    test: 0,
    fd: 0,
    calls: [],
    notices: [],
    imps: [{ ...imp, floor_micros: 1_500_000 }],
    bids: [...bids],
  });
  const short = [
    auction(1, bid({}), bid(won)),
    auction(2, bid({ loss_reason: 100, in_auction: 0 })),
    auction(3, bid({ loss_reason: 100, in_auction: 0, price_micros: 1_400_000 }), bid(won)),
    // The floor of its line item, a deal that would have won whatever was bid, and no impression.
    auction(4, bid({ loss_reason: 100, in_auction: 0, price_micros: 1_600_000 })),
    auction(5, bid({}), bid({ ...won, dealid: 'd1' })),
    auction(6, bid({ loss_reason: 100, in_auction: 0, imp: -1 })),
    auction(7, bid({ dealid: 'd2' }), bid({ ...won, dealid: 'd1' })),
  ];
  assert.equal((await loader.load(new Segment().batch(short))).kind, 'loaded');
  await assertHolds(store, short);
  const sums = await readLosses(store, {
    ...SPAN,
    demandPartnerId: PARTNER,
    lineItemId: null,
    publisherId: null,
    seat: null,
  });
  const shortfalls = sums.reasons.map(({ lossReason, shortfallCpm }) => [lossReason, shortfallCpm]);
  assert.deepEqual(Object.fromEntries(shortfalls), {
    // (0.50 + 1.61) / 2, and (2.01 + 2.01) / 2.
    100: 1.055,
    102: 2.01,
  });
});
