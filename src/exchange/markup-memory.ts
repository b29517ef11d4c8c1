import type { PlannedCall } from './plan.ts';
import type { SettledBid } from './settle.ts';

/** Kept back where markup may still have to be asked for: a part of `tmax`, and so much at most. */
const RESERVE_SHARE = 1 / 3;
const RESERVE_MAX_MS = 100;
/** How long a partner is remembered. */
const MEMORY_MS = 10 * 60 * 1000;

/**
 * Who lately left markup to the win notice. Only where such a partner is asked do bidders get less
 * time, so that some is left to bring the markup.
 */
export class MarkupMemory {
  readonly #now: () => number;
  /** When a partner last did, by its id. */
  readonly #lateMs = new Map<number, number>();

  /** @param now monotonic, in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Time that the bidders of an auction are not given. */
  reserveMs(calls: readonly PlannedCall[], tmaxMs: number): number {
    if (this.#lateMs.size === 0) return 0;
    const sinceMs = this.#now() - MEMORY_MS;
    const isLate = ({ partner }: PlannedCall): boolean =>
      (this.#lateMs.get(partner.id) ?? -Infinity) > sinceMs;
    return calls.some(isLate) ? Math.min(tmaxMs * RESERVE_SHARE, RESERVE_MAX_MS) : 0;
  }

  /** To be shown the bids of an auction before any late markup has come. */
  remember(bids: readonly SettledBid[]): void {
    for (const { candidate } of bids) {
      if (candidate?.adm === null) this.#lateMs.set(candidate.demandPartnerId, this.#now());
    }
  }
}
