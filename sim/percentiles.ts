/** Latencies in milliseconds. Of no values at all they are NaN, which passes no comparison. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Percentiles by nearest rank: the smallest value that so many percent do not exceed. */
export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = Float64Array.from(values).sort();
  const rank = (percent: number): number =>
    sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? Number.NaN;
  return { p50: rank(50), p95: rank(95), p99: rank(99), max: rank(100) };
}
