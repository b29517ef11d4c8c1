import { readdirSync, statSync } from 'node:fs';

/** A directory that changed so recently may change again within the same tick of its clock. */
const SETTLED_MS = 100;

/** So often it is listed whatever its time says: some file systems count seconds only. */
const RELIST_MS = 5_000;

/** Lists a directory again after names have come to it or gone, and every few seconds. */
export class DirectoryChanges {
  readonly #directory: string;
  /** The clock of `performance.now()`. */
  readonly #monotonic: () => number;
  /** When it had changed last as it was listed; null when it may have changed since. */
  #listedMs: number | null = null;
  /** From when on it is listed in any case, on the monotonic clock. */
  #relistMs = -Infinity;

  constructor(directory: string, monotonic = (): number => performance.now()) {
    this.#directory = directory;
    this.#monotonic = monotonic;
  }

  /** All names, in no order; null where they are taken to be those that were listed last. */
  list(): string[] | null {
    const changedMs = statSync(this.#directory).mtimeMs;
    const nowMs = this.#monotonic();
    if (changedMs === this.#listedMs && nowMs < this.#relistMs) return null;
    const names = readdirSync(this.#directory);
    // Only now: had the listing failed, it would be repeated.
    this.#listedMs = Math.abs(Date.now() - changedMs) < SETTLED_MS ? null : changedMs;
    this.#relistMs = nowMs + RELIST_MS;
    return names;
  }
}
