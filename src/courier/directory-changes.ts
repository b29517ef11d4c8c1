import { readdirSync, statSync } from 'node:fs';

/** A directory that changed so recently may change again within the same tick of its clock. */
const SETTLED_MS = 100;

/** Lists a directory again only after names have come to it or gone. */
export class DirectoryChanges {
  readonly #directory: string;
  /** When it had changed last as it was listed; null when it may have changed since. */
  #listedMs: number | null = null;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** All names, in no order; null where they are those that were listed last. */
  list(): string[] | null {
    const changedMs = statSync(this.#directory).mtimeMs;
    if (changedMs === this.#listedMs) return null;
    this.#listedMs = Math.abs(Date.now() - changedMs) < SETTLED_MS ? null : changedMs;
    return readdirSync(this.#directory);
  }
}
