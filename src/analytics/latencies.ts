/** Calls by the step of their latency, as `sql/0005-traffic.sql` counts them. */
export type Latencies = ReadonlyMap<number, number>;

/** Step n begins at 2^(n/16) - 1 milliseconds. */
const STEPS_PER_DOUBLING = 16;

/**
 * The latency within which a share of calls was answered, in milliseconds: the middle of its step,
 * which is at most 2.2 % from the truth. Null where nothing was answered.
 */
export function latencyWithin(latencies: Latencies, share: number): number | null {
  const steps = [...latencies].sort(([a], [b]) => a - b);
  const calls = steps.reduce((sum, [, count]) => sum + count, 0);
  if (calls === 0) return null;
  let seen = 0;
  for (const [step, count] of steps) {
    seen += count;
    if (seen >= calls * share) return milliseconds(step);
  }
  return milliseconds(steps.at(-1)?.[0] ?? 0);
}

function milliseconds(step: number): number {
  const ms = 2 ** ((step + 0.5) / STEPS_PER_DOUBLING) - 1;
  return Number(ms.toPrecision(3));
}
