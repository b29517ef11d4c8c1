/**
 * What a line item's daily limits count. Infinity stands for no limit; JSON, which does not know it,
 * has null instead.
 */
export interface Amount {
  impressions: number;
  /** Micro-dollars CPM, summed over impressions: dollars × 1e9. */
  micros: number;
}

export const DIMENSIONS = ['impressions', 'micros'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export function noAmount(): Amount {
  return { impressions: 0, micros: 0 };
}

/** Infinity as null. */
export function finiteOrNull(value: number): number | null {
  return value === Number.POSITIVE_INFINITY ? null : value;
}

export function nullAsInfinity(value: number | null): number {
  return value ?? Number.POSITIVE_INFINITY;
}
