import type { LeaseCaps } from '../limits/lease-book.ts';
import type { Entity } from '../snapshot/entities.ts';

/** A thousand impressions cost what the sum of their CPM prices is a thousand times of. */
const CPM_MICROS_A_MICRO = 1_000;

/** The limits of a configuration, as they are leased. */
export function leaseCaps(entities: Iterable<Entity>): LeaseCaps {
  const rates = new Map<string, number>();
  const budgets = new Map<number, { impressions: number | null; micros: number | null }>();
  for (const entity of entities) {
    if (entity.kind === 'demandPartner') {
      const maxQps = entity.bidder?.maxQps ?? null;
      if (entity.status === 'ACTIVE' && maxQps !== null) rates.set(`partner ${entity.id}`, maxQps);
    } else if (entity.kind === 'lineItem' && entity.status !== 'ARCHIVED') {
      const { maxQps, maxDailyImpressions, maxDailySpendMicros } = entity.capping;
      const { id } = entity;
      if (entity.status === 'ACTIVE' && maxQps !== null) rates.set(`line item ${id}`, maxQps);
      // One that is paused has the same day before it when it goes on.
      if (maxDailyImpressions === null && maxDailySpendMicros === null) continue;
      const micros = maxDailySpendMicros === null ? null : summedCpmMicros(maxDailySpendMicros);
      budgets.set(id, { impressions: maxDailyImpressions, micros });
    }
  }
  return { rates, budgets };
}

/** Micro-dollars as the sum of CPM prices over impressions; of nine million dollars on, all there is. */
function summedCpmMicros(micros: number): number {
  return Math.min(micros * CPM_MICROS_A_MICRO, Number.MAX_SAFE_INTEGER);
}
