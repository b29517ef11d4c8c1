import type { PlannedCall } from './plan.ts';

/** Kept back where markup may still have to be asked for: a part of `tmax`, and so much at most. */
const RESERVE_SHARE = 1 / 3;
const RESERVE_MAX_MS = 100;
/** How long a partner is remembered. */
const MEMORY_MS = 10 * 60 * 1000;

/** Calls for markup that one partner may have under way in this process. */
const UNDERWAY_MAX = 64;

/**
 * Who lately brought markup with the win notice. Only where such a partner is asked do bidders get
 * less time, so that some is left to bring the markup. One that promises it and brings none takes
 * nobody's time.
 */
export class MarkupMemory {
  readonly #now: () => number;
  /** When a partner last did, by its id. */
  readonly #lateMs = new Map<number, number>();
  /** Calls under way, by partner. */
  readonly #underway = new Map<number, number>();

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

  /** To be told of each partner whose win notice has brought markup. */
  remember(partnerId: number): void {
    this.#lateMs.set(partnerId, this.#now());
  }

  /**
   * Begins a call for markup; false when the partner has too many under way, which then leave room
   * for those of others.
   */
  begin(partnerId: number): boolean {
    const underway = this.#underway.get(partnerId) ?? 0;
    if (underway >= UNDERWAY_MAX) return false;
    this.#underway.set(partnerId, underway + 1);
    return true;
  }

  end(partnerId: number): void {
    const underway = (this.#underway.get(partnerId) ?? 1) - 1;
    if (underway === 0) this.#underway.delete(partnerId);
    else this.#underway.set(partnerId, underway);
  }
}
