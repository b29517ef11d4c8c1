import { dollarsFromMicros } from '../../base/money.ts';
import type { AuctionRecord, ImpRecord } from '../../events/auction-record.ts';
import type { AuctionTrace } from '../../events/trace-record.ts';
import { isConfirmed } from './bids.ts';
import { nameOf, type Names } from './names.ts';
import type { AuctionParts, BidPart } from './parts.ts';
import { hasWon, rankedBids, ruleOf, runnerUpOf, secondPriceMicros } from './ranking.ts';
import type { ImpView, OfferedImpView, PriceView } from './schema.ts';
import { counted, dollars } from './wording.ts';

/** An impression as bid requests offer it. */
export function viewOfferedImp(record: ImpRecord, imp: number): OfferedImpView {
  return {
    imp,
    ad_space_id: record.zone_id,
    sizes: [...record.sizes],
    interstitial: record.interstitial === 1,
    rewarded: record.rewarded === 1,
    secure: record.secure === 1,
  };
}

/** The impressions of an auction with the way to their prices: for the operator alone. */
export function viewImps(
  { imps }: AuctionRecord,
  trace: AuctionTrace | null,
  parts: AuctionParts,
  names: Names,
): ImpView[] {
  return imps.map((record, index) => {
    const traced = trace?.imps[index] ?? null;
    const ranked = rankedBids(parts.id, parts.bids, index);
    const winner = ranked.find(hasWon) ?? null;
    const price = winner === null ? null : priceOf(winner, ranked, traced);
    const adSpaceName = names.adSpace(record.zone_id);
    const where = `ad space ${record.zone_id}${adSpaceName === null ? '' : `, ${adSpaceName}`}`;
    const outcome =
      winner === null || price === null
        ? describeUnfilled(parts, index)
        : describePrice({ winner, ranked, price, parts, names });
    return {
      ...viewOfferedImp(record, index),
      ad_space_name: adSpaceName,
      formats: traced === null ? null : [...traced.formats],
      floor_cpm: dollarsFromMicros(record.floor_micros),
      is_first_price: traced === null ? null : traced.first_price === 1,
      filled: record.filled === 1,
      ranking: ranked.map((bid) => bid.index),
      price,
      sentence: `Impression ${index + 1} (${where}; floor ${dollars(record.floor_micros)}): ${outcome}.`,
    };
  });
}

function priceOf(
  winner: BidPart,
  ranked: readonly BidPart[],
  imp: AuctionTrace['imps'][number] | null,
): PriceView {
  const { record, trace } = winner;
  const rule = ruleOf(winner, imp);
  const runnerUp = rule === 'second_price' ? runnerUpOf(winner, ranked) : null;
  return {
    rule,
    bid_cpm: dollarsFromMicros(record.price_micros),
    floor_cpm: trace === null ? null : dollarsFromMicros(trace.floor_micros),
    runner_up: runnerUp?.index ?? null,
    clearing_cpm: dollarsFromMicros(record.clearing_micros),
    payout_cpm: dollarsFromMicros(record.payout_micros),
  };
}

function describeUnfilled(parts: AuctionParts, imp: number): string {
  const bids = parts.bids.filter(({ record }) => record.imp === imp);
  const competing = bids.filter(({ record }) => record.in_auction === 1);
  if (competing.length > 0) {
    return `${counted(competing.length, 'bid')} competed, and none won, because groups blocked one another`;
  }
  if (bids.length === 0) return 'nobody bid';
  return bids.length === 1 ? 'the one bid was refused' : `all ${bids.length} bids were refused`;
}

/** A winner, and what its price is made from. */
interface PricePath {
  readonly winner: BidPart;
  readonly ranked: readonly BidPart[];
  readonly price: PriceView;
  readonly parts: AuctionParts;
  readonly names: Names;
}

function describePrice(path: PricePath): string {
  const { winner, ranked, parts, names } = path;
  const { record } = winner;
  const first = ranked.length === 1 ? 'was the only one' : `ranked first of ${ranked.length}`;
  const name = nameOf(names.partner(record.demand_partner_id));
  const bid = `${name}'s bid of ${dollars(record.price_micros)} ${first} and pays ${dollars(record.clearing_micros)}`;
  return `${bid}, ${ruleText(path)}; ${payoutText(record.payout_micros, record.imp, parts)}`;
}

function payoutText(payoutMicros: number, imp: number, parts: AuctionParts): string {
  const payout = dollars(payoutMicros);
  if (parts.isTest) return `the publisher would get ${payout}, were it no test`;
  if (!parts.publisherDecides || isConfirmed(parts, imp)) return `the publisher gets ${payout}`;
  return `the publisher gets ${payout} if it takes the bid, which it has not confirmed`;
}

/** Why the winner pays what it pays. */
function ruleText(path: PricePath): string {
  const { winner, price } = path;
  const { dealid } = winner.record;
  switch (price.rule) {
    case null:
      return 'by a rule that the trace would tell';
    case 'fixed_price':
      return `the price agreed for deal ${dealid}`;
    case 'first_price':
      return `its bid, as ${dealid === '' ? 'the ad space is' : `deal ${dealid} is`} of first price`;
    case 'second_price':
      return secondPriceText(path);
  }
}

function secondPriceText({ winner, ranked, parts, names }: PricePath): string {
  const { record } = winner;
  const floorMicros = winner.trace?.floor_micros ?? 0;
  const runnerUp = runnerUpOf(winner, ranked);
  if (secondPriceMicros(winner, runnerUp) !== record.clearing_micros) {
    return parts.isClipped
      ? 'which a bid has set that is not recorded'
      : 'which the bids that are recorded do not explain';
  }
  if (runnerUp === null) {
    const nobody = 'no other demand partner competed';
    if (record.clearing_micros === floorMicros) return `its floor, as ${nobody}`;
    return `the least that is paid, as ${nobody}`;
  }
  const rival = nameOf(names.partner(runnerUp.record.demand_partner_id));
  const second = `${rival}'s ${dollars(runnerUp.record.price_micros)}`;
  const best = `the best bid of another demand partner`;
  if (record.clearing_micros === floorMicros)
    return `its floor, which is not below ${second}, ${best}`;
  if (record.clearing_micros === record.price_micros) {
    return `its whole bid, as it was not more than a cent above ${second}, ${best}`;
  }
  return `one cent more than ${second}, ${best}`;
}
