/** Sums of micro-dollars CPM over impressions: so many are one dollar. */
const CPM_MICROS_PER_DOLLAR = 1_000_000_000n;

/**
 * A sum of micro-dollars CPM over impressions in dollars: the one division, at the edge of a report.
 * Whole dollars and the rest are converted by themselves, so that no digit of the rest is lost.
 */
export function dollarsOf(cpmMicros: bigint): number {
  const whole = cpmMicros / CPM_MICROS_PER_DOLLAR;
  const rest = cpmMicros % CPM_MICROS_PER_DOLLAR;
  return Number(`${whole}.${String(rest).padStart(9, '0')}`);
}
