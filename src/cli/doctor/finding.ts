/** What a check of `rialto doctor` found. */
export interface Finding {
  /** What was looked at, in a word or two: `disk`, `port of the exchange`. */
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** One sentence. Secrets are in none. */
  readonly message: string;
  /** What to do next; null where nothing is. */
  readonly next: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, state: 'ok', message, next: null };
}

export function warn(check: string, message: string, next: string): Finding {
  return { check, state: 'warn', message, next };
}

export function fail(check: string, message: string, next: string): Finding {
  return { check, state: 'fail', message, next };
}
