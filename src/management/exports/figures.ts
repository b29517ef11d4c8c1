import { dollarsOf } from '../../analytics/revenue.ts';
import type { Sums } from '../../analytics/sums.ts';
import type { Counted } from './uploaded-counts.ts';

/** Of our figures the one that a metric names; money undivided. */
export function valueOf(sums: Sums, metric: Counted): bigint {
  return metric === 'revenue' ? sums.cpmMicros : BigInt(sums[metric]);
}

/** As it is shown: dollars for money. */
export function shownValue(value: bigint, metric: Counted): number {
  if (metric !== 'revenue') return Number(value);
  return value < 0n ? -dollarsOf(-value) : dollarsOf(value);
}
