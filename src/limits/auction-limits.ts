import type { LineItem } from '../snapshot/entities.ts';

/** Why a line item's budget lets nothing through now. */
export type BudgetRefusal = 'daily_impressions' | 'daily_spend' | 'no_lease';

/** The limits as an auction sees them. None of these waits for anything. */
export interface AuctionLimits {
  /** Takes one from an allowance per second; false when it is used up. `nowMs` is monotonic. */
  takeQps(key: string, ratePerSecond: number, nowMs: number): boolean;
  /** Puts back what was taken for a call that was not made after all. */
  giveBackQps(key: string): void;
  /** Null where the line item may be offered: it has no daily limit, or some of it left. */
  budget(lineItem: LineItem): BudgetRefusal | null;
  /**
   * Reserves what a win costs.
   *
   * @param clearingMicros micro-dollars CPM.
   * @param expiresMs Unix time in milliseconds from which the impression does not count any more.
   * @returns why it cannot, with nothing reserved; null when it could.
   */
  reserve(lineItem: LineItem, clearingMicros: number, expiresMs: number): BudgetRefusal | null;
  /** Gives back what `reserve` took, with the same arguments, for a win that was none. */
  release(lineItem: LineItem, clearingMicros: number, expiresMs: number): void;
}
