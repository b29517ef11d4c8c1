import { CENT_MICROS } from '../base/money.ts';
import type { Contestant } from './contestant.ts';

/** A bid as far as the least that would have won in its place depends on it. */
export type Contender = Pick<Contestant, 'deal' | 'floorMicros'>;

/**
 * The lowest bid that would have won in the place of a bid that lost, in micro-dollars CPM: its
 * floor, and a cent above the winner's bid. Null where no bid would have: behind a deal of a better
 * kind, or where both prices were agreed and are no longer bid for.
 *
 * @param winner of the same slot; null where nobody won.
 */
export function minToWinOf(loser: Contender, winner: Contestant | null): number | null {
  if (winner === null) return loser.floorMicros;
  const classes = rankOf(loser) - rankOf(winner);
  if (classes > 0) return null;
  if (classes < 0) return loser.floorMicros;
  if (loser.deal?.type === 'fixed_price') {
    return loser.floorMicros > winner.floorMicros ? loser.floorMicros : null;
  }
  return Math.max(loser.floorMicros, winner.priceMicros + CENT_MICROS);
}

/** What a bid is compared by before any price: the lower comes first. */
export function rankOf({ deal }: Pick<Contestant, 'deal'>): number {
  if (deal === null) return 2;
  return deal.type === 'fixed_price' ? 0 : 1;
}

/**
 * The lowest bid with which a winner would still have won, in micro-dollars CPM.
 *
 * @param rivals the candidates of its slot, itself included.
 */
export function minToKeepOf(winner: Contestant, rivals: readonly Contestant[]): number {
  if (winner.deal?.type === 'fixed_price') return winner.floorMicros;
  const rivalMicros = bestRivalMicros(winner, rivals);
  if (rivalMicros === 0) return winner.floorMicros;
  return Math.min(winner.priceMicros, Math.max(winner.floorMicros, rivalMicros + CENT_MICROS));
}

/**
 * The best bid of another demand partner that the winner competes with: for a deal among the bids
 * for deals, because open ones rank below whatever they bid. 0 where there is none.
 */
export function bestRivalMicros(winner: Contestant, rivals: readonly Contestant[]): number {
  let bestMicros = 0;
  for (const rival of rivals) {
    if (rival.demandPartnerId === winner.demandPartnerId) continue;
    if (winner.deal !== null && rival.deal === null) continue;
    if (rival.priceMicros > bestMicros) bestMicros = rival.priceMicros;
  }
  return bestMicros;
}
