import { mkdir, readFile, readlink, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { CommandError } from '../base/errors.ts';
import { isMissing } from '../base/unknown-error.ts';
import { writeDurably } from '../courier/durable-file.ts';
import { AnalyticsStoreError } from '../ports/analytics-store.ts';
import { namesIn, PART_NAME, tablesIn } from './chdb-repair.ts';

const SUFFIX = '.sql';
/** What a statement has still to do with a table's parts, such as to make a projection. */
const MUTATION_NAME = /^mutation_\d+\.txt$/;

/** Definitions take kilobytes; the rest of the node may take room while one is written. */
const ROOM_BYTES = 16 * 1024 * 1024;

/**
 * The definitions of the engine's tables and views, and a copy of each beside its directory. chdb says
 * that a statement has done its work when its definition did not fit on the disk: the file is empty,
 * or cut, and ends every later opening (code 62, of a mutation code 27). A definition counts once its
 * copy is made; one that is broken when the directory is opened is replaced by its copy, and so is as
 * it was before the last statement, which is run again. A broken mutation is taken away, likewise.
 */
export class ChdbDefinitions {
  readonly #data: string;
  readonly #copies: string;
  /** What was last found whole, by path, so that only what changes is read. */
  readonly #known = new Map<string, string>();

  /** @param data the engine's directory. */
  constructor(data: string) {
    this.#data = data;
    this.#copies = join(dirname(data), 'definitions');
  }

  /**
   * Makes the definitions whole. To be run before the engine opens the directory.
   *
   * @returns the names of the tables and views that were brought back, or removed because they were
   *   never made.
   * @throws CommandError when a table has records and its definition is lost.
   */
  async repair(): Promise<string[]> {
    this.#known.clear();
    const repaired: string[] = [];
    for (const { database, name, path } of await definitionsIn(join(this.#data, 'metadata'))) {
      if (isWhole(await readFile(path, 'utf8'))) continue;
      const copy = await readCopy(this.#copyOf(database, name));
      if (copy === null) await this.#remove(database, name, path);
      else await writeDurably(path, copy);
      repaired.push(name);
    }
    for (const path of await this.#mutations()) {
      if (isWholeMutation(await readFile(path, 'utf8'))) continue;
      await rm(path);
      repaired.push(`${basename(dirname(path))}/${basename(path)}`);
    }
    return repaired;
  }

  /**
   * To be called before a statement that changes definitions.
   *
   * @throws AnalyticsStoreError where the disk has too little room to begin.
   */
  async reserveRoom(): Promise<void> {
    const { bsize, bavail } = await statfs(this.#data);
    const freeBytes = bsize * bavail;
    if (freeBytes >= ROOM_BYTES) return;
    throw new AnalyticsStoreError(
      `The disk of the analytics store has ${freeBytes} bytes left; changing its tables needs ${ROOM_BYTES}.`,
      null,
    );
  }

  /**
   * Copies what has changed.
   *
   * @throws AnalyticsStoreError where a definition did not come to the disk.
   */
  async keep(): Promise<void> {
    const there = new Set<string>();
    for (const { database, name, path } of await definitionsIn(join(this.#data, 'metadata'))) {
      const copyPath = this.#copyOf(database, name);
      there.add(copyPath);
      const changed = await this.#changed(path);
      if (changed === null) continue;
      const { text, mark } = changed;
      if (!isWhole(text)) throw notOnDisk(`The definition of ${name}`);
      if ((await readCopy(copyPath)) !== text) await writeCopy(copyPath, text);
      this.#known.set(path, mark);
    }
    for (const path of await this.#mutations()) {
      const changed = await this.#changed(path);
      if (changed === null) continue;
      if (!isWholeMutation(changed.text)) throw notOnDisk('A mutation');
      this.#known.set(path, changed.mark);
    }
    for (const { path } of await definitionsIn(this.#copies)) {
      if (!there.has(path)) await rm(path);
    }
  }

  async #mutations(): Promise<string[]> {
    const tables = await tablesIn(this.#data);
    const found = tables.map(async (table) =>
      (await namesIn(table))
        .filter((name) => MUTATION_NAME.test(name))
        .map((name) => join(table, name)),
    );
    return (await Promise.all(found)).flat();
  }

  /** What a file holds; null where that was looked at before, or the engine has removed it. */
  async #changed(path: string): Promise<{ text: string; mark: string } | null> {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const mark = `${ino} ${mtimeMs} ${size}`;
      if (this.#known.get(path) === mark) return null;
      return { text: await readFile(path, 'utf8'), mark };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  #copyOf(database: string, name: string): string {
    return join(this.#copies, database, `${name}${SUFFIX}`);
  }

  /** Removes what the statement that was to make it has left; it never had a record. */
  async #remove(database: string, name: string, path: string): Promise<void> {
    const link = join(this.#data, 'data', database, name);
    const target = await readlink(link).catch(() => null);
    const table = target === null ? null : join(dirname(link), target);
    const parts = (await namesIn(table ?? link)).filter((entry) => PART_NAME.test(entry));
    if (parts.length > 0) {
      throw new CommandError(
        `The definition of ${name} in the analytics store ${dirname(this.#data)} is lost, and the ` +
          'table has records. Stop the node and restore that directory from a backup; ' +
          'rialto reconcile then says what is missing.',
      );
    }
    if (table !== null) await rm(table, { recursive: true, force: true });
    await rm(link, { recursive: true, force: true });
    await rm(path);
  }
}

async function definitionsIn(directory: string) {
  const found: { database: string; name: string; path: string }[] = [];
  for (const database of await namesIn(directory)) {
    for (const file of await namesIn(join(directory, database))) {
      if (!file.endsWith(SUFFIX)) continue;
      const name = file.slice(0, -SUFFIX.length);
      found.push({ database, name, path: join(directory, database, file) });
    }
  }
  return found;
}

/** Null where there is none, or a power cut has left nothing of it. */
async function readCopy(path: string): Promise<string | null> {
  try {
    const text = await readFile(path, 'utf8');
    return isWhole(text) ? text : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Not synced, which would make a new store slow: the engine syncs the definition itself. */
async function writeCopy(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

function notOnDisk(what: string): AnalyticsStoreError {
  return new AnalyticsStoreError(`${what} did not come to the disk: is it full?`, null);
}

/** The engine ends a definition with a newline; one that was cut has open parentheses, or no end. */
function isWhole(text: string): boolean {
  const count = (character: string): number => text.split(character).length;
  return text.startsWith('ATTACH ') && text.endsWith('\n') && count('(') === count(')');
}

function isWholeMutation(text: string): boolean {
  return text.startsWith('format version:') && text.endsWith('\n');
}
