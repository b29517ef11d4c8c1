import { shareOf } from '../base/money.ts';
import type { AuctionRecord, BidRecord, ImpRecord } from '../events/auction-record.ts';
import type { AuctionTrace } from '../events/trace-record.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { Deal } from '../snapshot/entities.ts';
import type { Contestant } from './contestant.ts';
import { decide } from './decide.ts';

type TracedBid = AuctionTrace['bids'][number];

/** What of a bid's record and trace its auction is decided from, and what came of it. */
export type ReplayBid = Pick<
  BidRecord,
  | 'demand_partner_id'
  | 'imp'
  | 'bid_id'
  | 'dealid'
  | 'price_micros'
  | 'loss_reason'
  | 'in_auction'
  | 'clearing_micros'
  | 'payout_micros'
>;

/** Of an auction's trace. `bids` run parallel to the record's. */
export interface ReplayTrace extends Pick<AuctionTrace, 'revenue_share_bps'> {
  readonly imps: readonly Pick<AuctionTrace['imps'][number], 'first_price'>[];
  readonly bids: readonly Pick<
    TracedBid,
    'floor_micros' | 'lineitem_floor_micros' | 'deal_type' | 'group' | 'min_to_win_micros' | 'out'
  >[];
}

/** An auction as its records hold it. */
export interface ReplayAuction extends Pick<AuctionRecord, 'auction_id' | 'bids_dropped'> {
  readonly imps: readonly Pick<ImpRecord, 'zone_id' | 'floor_micros' | 'filled'>[];
  readonly bids: readonly ReplayBid[];
  /** Null where it was not kept. */
  readonly trace: ReplayTrace | null;
}

/** What is to be otherwise than it was, for open bids; deals have prices of their own. */
export interface ReplayChange {
  /** In the place of the publisher's floor, in micro-dollars CPM; null leaves it as it was. */
  readonly floorMicros: number | null;
  /** How an impression is priced; null leaves it as it was. */
  readonly firstPrice: boolean | null;
  /** The ad space that is meant; null for all. */
  readonly zoneId: number | null;
}

/** What a bid came to; prices in micro-dollars CPM, 0 unless it won. */
export interface ReplayedBid {
  readonly reason: number;
  readonly clearingMicros: number;
  readonly payoutMicros: number;
  /** The lowest bid that would have won; null where none would, or the bid did not compete. */
  readonly minToWinMicros: number | null;
  readonly competes: boolean;
  /** It had been refused at the floor, before anybody looked at its creative. */
  readonly isUnchecked: boolean;
}

/** How an auction is to be decided again. */
export interface Rules {
  readonly change: ReplayChange;
  /**
   * Lets in what was refused at a floor and reaches the new one. Its creative might have been refused
   * as well, so that this is the most that could come of a lower floor.
   */
  readonly admitsUnchecked: boolean;
}

const NO_CHANGE: ReplayChange = { floorMicros: null, firstPrice: null, zoneId: null };
/** As it was. */
export const UNCHANGED: Rules = { change: NO_CHANGE, admitsUnchecked: false };

/**
 * Decides a recorded auction again, by the same function that decided it. Bids are taken as they
 * were: bidders would bid otherwise for another floor or auction type. What fell out on the way to
 * the decision (no markup, no budget, a group that had lost) stays out.
 *
 * @returns for each bid of the record what came of it.
 * @throws Error for an auction whose trace is missing, or another one's; see `whyUndecidable`.
 */
export function replay(auction: ReplayAuction, rules: Rules): readonly ReplayedBid[] {
  const drafts = auction.bids.map((_, index) => draftOf(auction, index, rules));
  refuseBrokenGroups(drafts);
  const contestants: Contestant[] = [];
  for (const { contestant } of drafts) if (contestant !== null) contestants.push(contestant);
  const decisions = decide(auction.auction_id, contestants);
  const shareBps = auction.trace?.revenue_share_bps ?? 0;
  let next = 0;
  return drafts.map(({ contestant, reason, isUnchecked }) => {
    if (contestant === null) return refused(reason);
    const decision = decisions[next];
    next += 1;
    if (decision?.candidate !== contestant) throw new Error('decisions are out of order');
    const { clearingMicros, minToWinMicros } = decision;
    const payoutMicros = shareOf(clearingMicros, shareBps);
    return {
      reason: decision.reason,
      clearingMicros,
      payoutMicros,
      minToWinMicros,
      competes: true,
      isUnchecked,
    };
  });
}

/** Why an auction cannot be decided again. */
export type Undecidable = 'no_trace' | 'bids_dropped';

/** Whether the records hold all that this replay needs; null when they do. */
export function whyUndecidable(auction: ReplayAuction, change: ReplayChange): Undecidable | null {
  // Any of the bids that were left out may have set the price.
  if (auction.bids_dropped > 0) return 'bids_dropped';
  return auction.trace === null && isContested(auction, change) ? 'no_trace' : null;
}

/** Whether there is anything to decide: a bid that competed, or that another floor may let in. */
export function isContested({ bids }: ReplayAuction, { floorMicros }: ReplayChange): boolean {
  return bids.some(
    ({ in_auction, loss_reason }) =>
      in_auction === 1 || (floorMicros !== null && loss_reason === LossReason.BelowFloor),
  );
}

/** Whether an impression is one that the change is about. */
export function isMeant(imp: { readonly zone_id: number }, { zoneId }: ReplayChange): boolean {
  return zoneId === null || imp.zone_id === zoneId;
}

/** A bid on its way to the decision. */
interface Draft {
  /** Null for a bid that does not compete. */
  contestant: Contestant | null;
  /** Why it does not. */
  reason: number;
  readonly isUnchecked: boolean;
  /** −1 stands alone. */
  readonly group: number;
}

function draftOf(auction: ReplayAuction, index: number, rules: Rules): Draft {
  const bid = auction.bids[index];
  if (bid === undefined) throw new Error(`no bid ${index}`);
  const { in_auction: inAuction, loss_reason: reason } = bid;
  const traced = auction.trace?.bids[index];
  if (traced === undefined) {
    if (inAuction === 1) throw new Error(`${auction.auction_id} has no trace of bid ${index}`);
    return { contestant: null, reason, isUnchecked: false, group: -1 };
  }
  const { group } = traced;
  const enters = inAuction === 1 ? traced.out === 0 : rules.admitsUnchecked && mayEnter(bid, group);
  if (!enters) return { contestant: null, reason, isUnchecked: false, group };
  const contestant = contestantOf(auction, { bid, traced, change: rules.change });
  const hasReached = inAuction === 1 && contestant.floorMicros === traced.floor_micros;
  if (!hasReached && bid.price_micros < contestant.floorMicros) {
    return { contestant: null, reason: LossReason.BelowFloor, isUnchecked: false, group };
  }
  const isUnchecked = inAuction === 0 && reason === LossReason.BelowFloor;
  return { contestant, reason, isUnchecked, group };
}

/** An open bid that was refused at its floor, or because another of its group was. */
function mayEnter({ imp, dealid, loss_reason: reason }: ReplayBid, group: number): boolean {
  if (imp < 0 || dealid !== '') return false;
  return reason === LossReason.BelowFloor || (reason === LossReason.CreativeFiltered && group >= 0);
}

interface BidParts {
  readonly bid: ReplayBid;
  readonly traced: ReplayTrace['bids'][number];
  readonly change: ReplayChange;
}

function contestantOf(auction: ReplayAuction, { bid, traced, change }: BidParts): Contestant {
  const imp = auction.imps[bid.imp];
  const tracedImp = auction.trace?.imps[bid.imp];
  if (imp === undefined || tracedImp === undefined) throw new Error(`no impression ${bid.imp}`);
  const type = DEAL_TYPES.find((each) => each === traced.deal_type);
  const isChanged = type === undefined && isMeant(imp, change);
  const firstPrice = isChanged ? change.firstPrice : null;
  return {
    bid: { id: bid.bid_id },
    demandPartnerId: bid.demand_partner_id,
    imp: { slot: bid.imp, firstPrice: firstPrice ?? tracedImp.first_price === 1 },
    deal: type === undefined ? null : { type },
    priceMicros: bid.price_micros,
    floorMicros: floorOf(isChanged ? change.floorMicros : null, imp.floor_micros, { bid, traced }),
    group: traced.group < 0 ? null : traced.group,
  };
}

/** A line item keeps its own floor, whatever the publisher's is. */
function floorOf(
  newMicros: number | null,
  publisherMicros: number,
  { bid, traced }: Pick<BidParts, 'bid' | 'traced'>,
): number {
  // Recorded of a bid that competed, and of most others; formats may have floors of their own.
  const isKnown = bid.in_auction === 1 || traced.floor_micros > 0;
  if (newMicros === null && isKnown) return traced.floor_micros;
  return Math.max(newMicros ?? publisherMicros, traced.lineitem_floor_micros);
}

const DEAL_TYPES: readonly Deal['type'][] = ['first_price', 'second_price', 'fixed_price'];

/** A group of which a bid does not compete cannot win whole. */
function refuseBrokenGroups(drafts: readonly Draft[]): void {
  const broken = new Set<number>();
  for (const { contestant, group } of drafts) {
    if (contestant === null && group >= 0) broken.add(group);
  }
  for (const draft of drafts) {
    if (draft.contestant === null || !broken.has(draft.group)) continue;
    draft.contestant = null;
    draft.reason = LossReason.CreativeFiltered;
  }
}

function refused(reason: number): ReplayedBid {
  return {
    // What did not compete has not won, whatever a record says.
    reason: reason === LossReason.Won ? LossReason.InternalError : reason,
    clearingMicros: 0,
    payoutMicros: 0,
    minToWinMicros: null,
    competes: false,
    isUnchecked: false,
  };
}
