import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readConsoleFiles, type ConsoleFiles } from './files.ts';

export interface ConsoleSourceOptions {
  /** Where a build is put, whole, by a rename. */
  readonly directory: string;
  readonly now: () => number;
  /** There is a build that cannot be read; told once of each. */
  readonly onUnreadable: (error: unknown) => void;
}

/** A build that was put there is seen within this time. */
const LOOK_EVERY_MS = 1_000;

/**
 * The console as it was built last. It is looked for when somebody asks, so that a build that is
 * done meanwhile is served without a restart, and what is in memory stays when the folder goes.
 */
export class ConsoleSource {
  readonly #options: ConsoleSourceOptions;
  #files: ConsoleFiles | null = null;
  /** Those of the build before: pages that are open in browsers still ask for them. */
  #olderAssets: ConsoleFiles['assets'] = new Map();
  #identity: string | null = null;
  #unreadable = { identity: '', times: 0 };
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;

  constructor(options: ConsoleSourceOptions) {
    this.#options = options;
  }

  /** Null where none was built yet. */
  async current(): Promise<ConsoleFiles | null> {
    if (this.#looking === null && this.#options.now() - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = this.#options.now();
      this.#looking = this.#look().finally(() => {
        this.#looking = null;
      });
    }
    await this.#looking;
    return this.#files;
  }

  /** The next who asks looks at once: a build is done. */
  lookAgain(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  async #look(): Promise<void> {
    const identity = await identityOf(join(this.#options.directory, 'index.html'));
    if (identity === null || identity === this.#identity) return;
    try {
      const files = await readConsoleFiles(this.#options.directory);
      const older = this.#olderAssets;
      this.#olderAssets = files.assets;
      this.#files = { ...files, assets: new Map([...older, ...files.assets]) };
      this.#identity = identity;
    } catch (error) {
      // Perhaps it was being replaced at this moment: the second look tells.
      if (this.#unreadable.identity !== identity) this.#unreadable = { identity, times: 0 };
      this.#unreadable.times += 1;
      if (this.#unreadable.times === 2) this.#options.onUnreadable(error);
    }
  }
}

/** What a build has in common with no other; null where none is. */
async function identityOf(path: string): Promise<string | null> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return null;
  }
}
