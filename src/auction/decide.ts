import { CENT_MICROS } from '../base/money.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { Contestant } from './contestant.ts';
import { bestRivalMicros, minToKeepOf, minToWinOf, rankOf } from './min-to-win.ts';
import type { Candidate } from './offer.ts';
import { tieBreak } from './tie-break.ts';

/** What became of one candidate. */
export interface Decision<C extends Contestant = Candidate> {
  readonly candidate: C;
  readonly reason: LossReason;
  /** What the buyer pays in micro-dollars CPM; 0 unless the bid won. */
  readonly clearingMicros: number;
  /** The lowest bid that would have won in its place; null where none would have. */
  readonly minToWinMicros: number | null;
}

/**
 * Decides one auction: at most one winner a slot, each winner's price, and a reason for everyone
 * else. A pure function of its arguments, so that a replay decides alike.
 *
 * @param auctionId breaks ties, together with the bids' ids.
 * @param candidates the valid bids, in any order. The result has one decision for each, in that order.
 */
export function decide<C extends Contestant>(
  auctionId: string,
  candidates: readonly C[],
): Decision<C>[] {
  const slots = rankSlots(candidates, compareCandidates(auctionId));
  dropLosingGroups(candidates, slots);
  return candidates.map((candidate) => {
    const ranked = slots.get(candidate.imp.slot);
    const winner = ranked?.[0];
    if (ranked === undefined || winner === undefined) {
      return lost(candidate, null);
    }
    if (winner === candidate) {
      const minToWinMicros = minToKeepOf(candidate, ranked);
      const clearingMicros = clearingPrice(ranked);
      return { candidate, reason: LossReason.Won, clearingMicros, minToWinMicros };
    }
    return lost(candidate, winner);
  });
}

/** @param winner null where the slot stays empty, because groups blocked one another. */
function lost<C extends Contestant>(candidate: C, winner: C | null): Decision<C> {
  const lostToDeal = winner !== null && winner.deal !== null;
  const reason = lostToDeal ? LossReason.LostToDeal : LossReason.LostToHigherBid;
  return {
    candidate,
    reason,
    clearingMicros: 0,
    minToWinMicros: minToWinOf(candidate, winner),
  };
}

type Order = (a: Contestant, b: Contestant) => number;

/** Best first: fixed-price deals by what they pay, other deals by bid, open bids by bid. */
function compareCandidates(auctionId: string): Order {
  return (a, b) =>
    rankOf(a) - rankOf(b) ||
    payable(b) - payable(a) ||
    tieBreak(auctionId, a.bid.id) - tieBreak(auctionId, b.bid.id) ||
    a.demandPartnerId - b.demandPartnerId;
}

/** What a candidate is ranked by: the agreed price of a fixed-price deal, else its bid. */
function payable(candidate: Contestant): number {
  return candidate.deal?.type === 'fixed_price' ? candidate.floorMicros : candidate.priceMicros;
}

/** Each slot's candidates, best first. */
type RankedSlots<C extends Contestant> = Map<number, C[]>;

function rankSlots<C extends Contestant>(candidates: readonly C[], order: Order): RankedSlots<C> {
  const slots: RankedSlots<C> = new Map();
  for (const candidate of candidates) {
    const slot = slots.get(candidate.imp.slot);
    if (slot === undefined) slots.set(candidate.imp.slot, [candidate]);
    else slot.push(candidate);
  }
  for (const slot of slots.values()) if (slot.length > 1) slot.sort(order);
  return slots;
}

/** Bids that win together, and what they offer together. */
interface Group<C extends Contestant> {
  readonly number: number;
  readonly members: C[];
  totalMicros: number;
}

/**
 * A group wins whole or not at all: while some group does not win all of its impressions, the one
 * among them that offers least leaves the ranking. One at a time, because two groups that block each
 * other must not both go. A single pass does it: what leaves takes nobody's first place but its own,
 * so that a group that wins when its turn comes still wins when all others have had theirs.
 */
function dropLosingGroups<C extends Contestant>(
  candidates: readonly C[],
  slots: RankedSlots<C>,
): void {
  const groups = new Map<number, Group<C>>();
  for (const candidate of candidates) {
    if (candidate.group === null) continue;
    const group = groups.get(candidate.group);
    if (group === undefined) {
      const { group: number, priceMicros: totalMicros } = candidate;
      groups.set(number, { number, members: [candidate], totalMicros });
    } else {
      group.members.push(candidate);
      group.totalMicros += candidate.priceMicros;
    }
  }
  if (groups.size === 0) return;
  const gone = new Set<number>();
  const isStanding = ({ group }: Contestant): boolean => group === null || !gone.has(group);
  // Where the best standing candidate of a slot is, as far as one has looked.
  const firsts = new Map<number, number>();
  const isFirst = (candidate: C): boolean => {
    const { slot } = candidate.imp;
    const ranked = slots.get(slot) ?? [];
    let at = firsts.get(slot) ?? 0;
    for (let best = ranked[at]; best !== undefined && !isStanding(best); best = ranked[at]) at += 1;
    firsts.set(slot, at);
    return ranked[at] === candidate;
  };
  const weakestFirst = [...groups.values()].sort(
    (a, b) => a.totalMicros - b.totalMicros || a.number - b.number,
  );
  for (const { number, members } of weakestFirst) if (!members.every(isFirst)) gone.add(number);
  for (const [slot, ranked] of slots) slots.set(slot, ranked.filter(isStanding));
}

/**
 * The winner's price. Second price plus: one cent above the best bid of another demand partner (for
 * a deal: its best deal bid), never below the floor, never above the winner's own bid.
 */
function clearingPrice(ranked: readonly Contestant[]): number {
  const winner = ranked[0];
  if (winner === undefined) throw new Error('a slot without candidates has no price');
  switch (winner.deal?.type) {
    case 'fixed_price':
      return winner.floorMicros;
    case 'first_price':
      return winner.priceMicros;
    case 'second_price':
      break;
    case undefined:
      if (winner.imp.firstPrice) return winner.priceMicros;
      break;
  }
  const runnerUpMicros = bestRivalMicros(winner, ranked);
  return Math.min(winner.priceMicros, Math.max(winner.floorMicros, runnerUpMicros + CENT_MICROS));
}
