import { createRandom, type Random } from '../../sim/random.ts';
import type {
  AuctionRecord,
  BidRecord,
  CallOutcome,
  CallRecord,
  ImpRecord,
  NoticeRecord,
} from '../../src/events/auction-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { followUp, NODE } from './loader-beacons.ts';

/** A quarter of a second before midnight, at the end of a month: every partition changes there. */
export const MONTH_END_MS = Date.UTC(2026, 10, 30, 23, 59, 59, 750);

/** What bidders and publishers put into strings, and what a parser may trip over. */
const TEXTS = [
  'creative-1',
  `it's; "quoted"\\`,
  '€ 𝄞 é 漢',
  '--/*`${}',
  'line\nbreak\ttab',
  ' ',
  '',
];
const OUTCOMES: readonly CallOutcome[] = ['bid', 'bid', 'no_bid', 'timeout', 'error', 'throttled'];
const FORMATS = ['banner', 'video', 'native'] as const;

/**
 * Seeded auctions, one every `stepMs`, with their beacons and the deliveries of their notices, in the
 * order of their times; equal arguments give equal records.
 */
export function makeRecords(
  seed: string | number,
  count: number,
  startMs: number,
  stepMs = 1,
): MoneyRecord[] {
  const auctions = makeAuctions(seed, count, startMs, stepMs);
  const records = [...auctions, ...followUp(createRandom(`after ${seed}`), auctions)];
  return records.toSorted((a, b) => a.at_ms - b.at_ms);
}

/** The same auctions alone. */
export function makeAuctions(
  seed: string | number,
  count: number,
  startMs: number,
  stepMs = 1,
): AuctionRecord[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => makeAuction(random, startMs + index * stepMs));
}

/** The auctions among records of all kinds. */
export function auctionsAmong(records: readonly MoneyRecord[]): AuctionRecord[] {
  return records.filter((record) => record.kind === 'auction');
}

function makeAuction(random: Random, atMs: number): AuctionRecord {
  const imps = Array.from({ length: random.chance(0.85) ? 1 : 2 }, () => makeImp(random));
  const calls: CallRecord[] = [];
  const bids: BidRecord[] = [];
  for (let partner = 1; partner <= random.integer(0, 4); partner += 1) {
    const outcome = random.pick(OUTCOMES);
    calls.push(makeCall(random, { partner, outcome, imps: imps.length }));
    if (outcome !== 'bid') continue;
    for (let left = random.integer(1, 2); left > 0; left -= 1) {
      bids.push(makeBid(random, partner, imps));
    }
  }
  for (const [index, imp] of imps.entries()) award(bids, index, imp);
  const zone = random.integer(1, 9);
  const os = random.pick(['iOS', 'Android', '']);
  const isTest = random.chance(0.05);
  const fd = random.chance(0.3) ? 1 : 0;
  return {
    kind: 'auction',
    auction_id: random.hex(32),
    node: NODE,
    request_id: random.pick(TEXTS),
    at_ms: atMs,
    snapshot: `${random.pick(['a1', 'b2'])}.7`,
    test: isTest ? 1 : 0,
    fd,
    publisher_id: 1 + (zone % 3),
    property_id: zone,
    app_bundle: random.chance(0.5) ? `com.example.app${zone}` : '',
    app_site_domain: `app${zone}.example`,
    country_code: random.pick(['USA', 'DEU', 'GRC', '']),
    platform_demand: os,
    platform_supply: random.chance(0.1) ? 'CTV' : os,
    os,
    categories: random.pick([[], ['IAB1'], ['IAB9-30', 'IAB1-1']]),
    language: random.pick(['en', 'el', '']),
    connectiontype: random.integer(0, 6),
    has_location: random.chance(0.3) ? 1 : 0,
    imps,
    calls,
    bids,
    bids_dropped: 0,
    notices: isTest
      ? []
      : bids.flatMap((bid, index) => makeNotices(random, bid, { index, fd, atMs })),
  };
}

/** A win is told where it is final; a loss at once, or unless a beacon confirms the impression. */
function makeNotices(
  random: Random,
  bid: BidRecord,
  at: { readonly index: number; readonly fd: 0 | 1; readonly atMs: number },
): NoticeRecord[] {
  if (bid.imp < 0 || random.chance(0.4)) return [];
  const isWin = bid.loss_reason === 0 && at.fd === 0;
  return [
    {
      event: isWin ? 'win' : 'loss',
      bid: at.index,
      imp: bid.imp,
      demand_partner_id: bid.demand_partner_id,
      lineitem_id: bid.lineitem_id,
      unless_won_by_ms: bid.loss_reason === 0 && !isWin ? at.atMs + 3_600_000 : 0,
      url: `https://partner.example/notice?text=${encodeURIComponent(random.pick(TEXTS))}`,
    },
  ];
}

function makeImp(random: Random): ImpRecord {
  return {
    zone_id: random.integer(1, 9),
    ad_format: random.pick(FORMATS),
    sizes: random.pick([[], ['320x50'], ['300x250', '640x360']]),
    interstitial: random.chance(0.2) ? 1 : 0,
    rewarded: random.chance(0.1) ? 1 : 0,
    secure: 1,
    floor_micros: random.integer(0, 3_000_000),
    filled: 0,
  };
}

function makeCall(
  random: Random,
  call: { readonly partner: number; readonly outcome: CallOutcome; readonly imps: number },
): CallRecord {
  const { partner, outcome, imps } = call;
  const ids = [partner * 10, partner * 10 + 1, partner * 10 + 2];
  return {
    demand_partner_id: partner,
    imp: random.integer(0, imps - 1),
    lineitem_ids: ids.slice(0, random.integer(1, 3)),
    outcome,
    reason: outcome === 'throttled' ? 'qps' : random.pick(['', 'nbr_2']),
    latency_us: random.integer(0, 90_000),
  };
}

/** A losing bid, sometimes one that was refused or names no impression. */
function makeBid(random: Random, partner: number, imps: readonly ImpRecord[]): BidRecord {
  const refused = random.chance(0.2);
  const imp = refused && random.chance(0.5) ? -1 : random.integer(0, imps.length - 1);
  return {
    demand_partner_id: partner,
    lineitem_id: refused ? 0 : partner * 10,
    imp,
    bid_id: random.pick(TEXTS),
    seat: random.pick(['', 'seat-1', 'ж']),
    dealid: '',
    crid: random.pick(TEXTS),
    adomain: 'brand.example',
    ad_format: refused ? '' : (imps[imp]?.ad_format ?? ''),
    // Up to 10,000 USD CPM: more micros than 32 bits hold.
    price_micros: random.integer(1, 10_000_000_000),
    loss_reason: refused ? 3 : 102,
    in_auction: refused ? 0 : 1,
    clearing_micros: 0,
    payout_micros: 0,
  };
}

/** The highest bid wins. */
function award(bids: readonly BidRecord[], index: number, imp: ImpRecord): void {
  const competing = bids.filter((bid) => bid.imp === index && bid.in_auction === 1);
  const [best] = competing.sort((a, b) => b.price_micros - a.price_micros);
  if (best === undefined) return;
  best.loss_reason = 0;
  best.clearing_micros = best.price_micros;
  best.payout_micros = Math.floor(best.price_micros * 0.8);
  imp.filled = 1;
}

/** Records as the loader inserts them under the number of a load. */
export function ofLoad(load: number, records: readonly object[]): object[] {
  return records.map((record) => ({ ...record, load }));
}

/** The records as the journal holds them. */
export function encode(records: readonly unknown[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}
