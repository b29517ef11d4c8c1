import { type Amount, DIMENSIONS, type Dimension, noAmount } from './amount.ts';
import {
  ADVANCE_KEPT,
  advanceFor,
  type BudgetGrant,
  isAlive,
  isIdle,
  outstanding,
  unitOf,
} from './budget-grant.ts';

/** A process that has reserved nothing for so long is not counted among those who share. */
const SHARES_FOR_MS = 10 * 60 * 1000;

/** What a line item may have in one UTC day; null is no limit. */
export interface BudgetCap {
  readonly impressions: number | null;
  /** Micro-dollars CPM, summed over impressions: dollars × 1e9. */
  readonly micros: number | null;
}

/** What is the same for all line items at one moment. */
export interface BudgetMoment {
  readonly nowMs: number;
  /** The UTC day, and when it began. */
  readonly date: string;
  readonly dayStartMs: number;
  /** Up to when what expired at a node is settled. */
  settledMs(node: string): number;
}

/**
 * The daily limits of one line item and who has what of them. What is granted never exceeds what the
 * limits leave after everything that was billed today or can still be.
 */
export class BudgetLine {
  readonly lineItemId: number;
  readonly grants = new Map<string, BudgetGrant>();
  cap: BudgetCap | null = null;
  /** What today's impressions are is known: the limit was there before, or has been settled. */
  isKnown = false;
  /** Impressions of `billedDate` by node, as far as settled. */
  readonly billed = new Map<string, Amount>();
  billedDate = '';

  constructor(lineItemId: number) {
    this.lineItemId = lineItemId;
  }

  /** Everything that counts against the limits of the day. */
  used(dimension: Dimension, moment: BudgetMoment): number {
    let sum = 0;
    for (const grant of this.grants.values()) {
      // What expired before the day began cannot be billed on it.
      const settledMs = Math.max(moment.settledMs(grant.node), moment.dayStartMs);
      sum += outstanding(grant, dimension, settledMs);
    }
    if (this.billedDate !== moment.date) return sum;
    for (const amount of this.billed.values()) sum += amount[dimension];
    return sum;
  }

  /**
   * Whether a limit of the day leaves nothing to any process: what has been granted in advance and not
   * spent is left.
   */
  isUsedUp(moment: BudgetMoment): boolean {
    if (this.cap === null || !this.isKnown) return false;
    const alive = [...this.grants.values()].filter(isAlive);
    return DIMENSIONS.some((dimension) => {
      const limit = this.cap?.[dimension] ?? null;
      if (limit === null) return false;
      const unspent = alive.reduce(
        (sum, { committed, reserved }) => sum + committed[dimension] - reserved[dimension],
        0,
      );
      const unit = Math.min(...alive.map((grant) => unitOf(grant, dimension)));
      const left = limit - this.used(dimension, moment) + unspent;
      return left < (Number.isFinite(unit) ? unit : 1);
    });
  }

  /**
   * Decides what a process should have.
   *
   * @returns whether that is to be said, and whether more is out there than before.
   */
  decide(
    grant: BudgetGrant,
    moment: BudgetMoment,
  ): { readonly isSaid: boolean; readonly isMore: boolean } {
    const { cap } = this;
    if (cap === null || !this.isKnown) return { isSaid: false, isMore: false };
    const isVoid = grant.date !== moment.date;
    const sharers = this.#sharers(grant, moment.nowMs);
    let isSaid = isVoid || grant.wanted;
    let isMore = false;
    for (const dimension of DIMENSIONS) {
      const before = grant.granted[dimension];
      const after = this.#decideOn(grant, dimension, { moment, sharers, isVoid });
      if (after !== before) isSaid = true;
      grant.granted[dimension] = after;
      if (after > grant.committed[dimension]) {
        grant.committed[dimension] = after;
        isMore = true;
      }
    }
    grant.date = moment.date;
    return { isSaid, isMore };
  }

  #decideOn(
    grant: BudgetGrant,
    dimension: Dimension,
    on: { readonly moment: BudgetMoment; readonly sharers: number; readonly isVoid: boolean },
  ): number {
    const limit = this.cap?.[dimension] ?? null;
    if (limit === null) return Number.POSITIVE_INFINITY;
    const reserved = grant.reserved[dimension];
    const granted = grant.granted[dimension];
    const unspent = grant.committed[dimension] - reserved;
    // The limit is new, and what the process had without it is not known before it confirms this.
    if (unspent === Number.POSITIVE_INFINITY) return reserved;
    const free = limit - this.used(dimension, on.moment);
    const left = free + unspent;
    const advance = advanceFor(grant, dimension, { left, sharers: on.sharers });
    const isShort = granted - reserved < Math.max(unitOf(grant, dimension), advance * ADVANCE_KEPT);
    const isExceeded = free < 0 && granted - reserved > advance;
    return on.isVoid || isShort || isExceeded ? Math.max(reserved, reserved + advance) : granted;
  }

  /**
   * Takes back from others what they do not need: all from who is idle, half from who has plenty. It is
   * free once they have confirmed it.
   *
   * @returns whose grants have become smaller.
   */
  reclaimFor(asker: BudgetGrant, moment: BudgetMoment): readonly BudgetGrant[] {
    const short = DIMENSIONS.filter((dimension) => this.#isShort(asker, dimension, moment));
    if (short.length === 0) return [];
    const lowered: BudgetGrant[] = [];
    for (const grant of this.grants.values()) {
      if (grant === asker || !isAlive(grant)) continue;
      let isLowered = false;
      for (const dimension of short) {
        const { granted, reserved, committed } = grant;
        const unspent = granted[dimension] - reserved[dimension];
        if (unspent <= 0 || committed[dimension] > granted[dimension]) continue;
        const isFree = isIdle(grant, moment.nowMs) || unspent === Number.POSITIVE_INFINITY;
        const kept = isFree ? 0 : Math.floor(unspent / 2);
        if (!isFree && kept < unitOf(grant, dimension)) continue;
        granted[dimension] = reserved[dimension] + kept;
        isLowered = true;
      }
      if (isLowered) lowered.push(grant);
    }
    return lowered;
  }

  #isShort(grant: BudgetGrant, dimension: Dimension, moment: BudgetMoment): boolean {
    const limit = this.cap?.[dimension] ?? null;
    if (limit === null) return false;
    const unspent = grant.granted[dimension] - grant.reserved[dimension];
    return unspent < unitOf(grant, dimension) && this.used(dimension, moment) <= limit;
  }

  #sharers(asker: BudgetGrant, nowMs: number): number {
    let sharers = 0;
    for (const grant of this.grants.values()) {
      if (!isAlive(grant)) continue;
      if (grant === asker || nowMs - grant.usedMs < SHARES_FOR_MS) sharers += 1;
    }
    return Math.max(1, sharers);
  }

  /** The newest lease is in force: what it took back is free. @pre the process has just reported it. */
  confirm(grant: BudgetGrant): void {
    for (const dimension of DIMENSIONS) {
      grant.committed[dimension] = Math.max(grant.granted[dimension], grant.reserved[dimension]);
    }
  }

  /** @param billed null where nothing was billed. */
  settle(node: string, billed: Readonly<Amount> | null, date: string): boolean {
    if (this.billedDate !== date) {
      this.billed.clear();
      this.billedDate = date;
    }
    const before = this.billed.get(node) ?? noAmount();
    const { impressions, micros } = billed ?? noAmount();
    if (before.impressions === impressions && before.micros === micros) return false;
    this.billed.set(node, { impressions, micros });
    return true;
  }
}
