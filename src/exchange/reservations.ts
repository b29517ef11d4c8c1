import type { Objection } from '../auction/objection.ts';
import type { AuctionLimits, BudgetRefusal } from '../limits/auction-limits.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { LineItem } from '../snapshot/entities.ts';
import type { SettledBid } from './settle.ts';
import type { Winner } from './winners.ts';

interface Held {
  readonly lineItem: LineItem;
  readonly clearingMicros: number;
  readonly expiresMs: number;
}

/** A winner that its line item's budget does not cover. */
export interface Uncovered {
  readonly settled: SettledBid;
  readonly objection: Objection;
}

/**
 * What the winners of one auction cost their line items, reserved before anybody is told that it
 * won. A win that a budget does not cover is none: limits are never exceeded.
 */
export class Reservations {
  readonly #limits: AuctionLimits;
  readonly #held = new Map<SettledBid, Held>();

  constructor(limits: AuctionLimits) {
    this.#limits = limits;
  }

  /** Holds what these winners cost, and nothing else; returns those that are not covered. */
  hold(winners: ReadonlyMap<number, Winner>): readonly Uncovered[] {
    this.#releaseOthers(winners);
    const uncovered: Uncovered[] = [];
    for (const { settled, candidate, clearingMicros, expiresMs } of winners.values()) {
      if (this.#held.has(settled)) continue;
      const lineItem = lineItemOf(settled, candidate.lineItemId);
      const { maxDailyImpressions, maxDailySpendMicros } = lineItem.capping;
      if (maxDailyImpressions === null && maxDailySpendMicros === null) continue;
      const refusal = this.#limits.reserve(lineItem, clearingMicros, expiresMs);
      if (refusal === null) this.#held.set(settled, { lineItem, clearingMicros, expiresMs });
      else uncovered.push({ settled, objection: objectTo(lineItem, refusal) });
    }
    return uncovered;
  }

  /** The auction does not count after all. */
  releaseAll(): void {
    this.#releaseOthers(new Map());
  }

  /** What was held for bids that win no more, or at another price. */
  #releaseOthers(winners: ReadonlyMap<number, Winner>): void {
    if (this.#held.size === 0) return;
    const costs = new Map<SettledBid, number>();
    for (const { settled, clearingMicros } of winners.values()) costs.set(settled, clearingMicros);
    for (const [settled, { lineItem, clearingMicros, expiresMs }] of this.#held) {
      if (costs.get(settled) === clearingMicros) continue;
      this.#limits.release(lineItem, clearingMicros, expiresMs);
      this.#held.delete(settled);
    }
  }
}

function lineItemOf({ result }: SettledBid, lineItemId: number): LineItem {
  const lineItem = result.call.lineItems.find(({ id }) => id === lineItemId);
  if (lineItem === undefined) throw new Error(`line item ${lineItemId} is none of the call's`);
  return lineItem;
}

const NAMES: Readonly<Record<BudgetRefusal, string>> = {
  daily_impressions: 'impressions of the day',
  daily_spend: 'spend of the day',
  no_lease: 'budget of this process',
};

function objectTo({ id }: LineItem, refusal: BudgetRefusal): Objection {
  const detail = `line item ${id} has no more ${NAMES[refusal]} to cover the price`;
  return { reason: LossReason.InternalError, detail };
}
