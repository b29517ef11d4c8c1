const DAY_MS = 86_400_000;

const offsetMs = DAY_MS / 2 - (Date.now() % DAY_MS);

/**
 * The environment of nodes whose clock is near noon (UTC): a day that ends in the middle of a test has
 * two budgets. Every node of a test gets it, or none does.
 */
export const AT_NOON: Readonly<Record<string, string>> = clockAheadBy(offsetMs);

/** The environment of processes whose clock is ahead of this one's by so many milliseconds. */
export function clockAheadBy(aheadMs: number): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${import.meta.resolve('./noon-clock.ts')}`,
    TEST_CLOCK_OFFSET_MS: String(aheadMs),
  };
}

/** The present, as those nodes see it: Unix time in milliseconds. */
export function noonNow(): number {
  return Date.now() + offsetMs;
}
