import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Compile } from 'typebox/compile';
import { syncDirectory } from '../base/sync-directory.ts';

import { figuresOf, HeldSchema, type Held, type HeldFigures } from './held.ts';

/**
 * What could not be loaded, kept until a person has looked: `ID.json` says what it is and why it is
 * here, `ID-TRIES.ndjson` has the bytes.
 */
export interface Quarantine {
  /** The alarm is any of it being more than 0. */
  figures(): Promise<HeldFigures>;
  /** All that is held, without the bytes; the oldest first. */
  list(): Promise<readonly Held[]>;
  /** Null where there is no such entry. */
  find(id: string): Promise<Held | null>;
  /** The bytes of all parts, one after the other. */
  read(held: Held): Promise<Buffer>;
  /** Durable when it resolves; in place of an entry with the same id. */
  hold(held: Held, bytes: Uint8Array): Promise<void>;
  remove(id: string): Promise<void>;
}

const BYTES_SUFFIX = '.ndjson';
const ENTRY_SUFFIX = '.json';

const heldValidator = Compile(HeldSchema);

export function createQuarantine(directory: string): Quarantine {
  /** What each file says; a person may move files away at any time. */
  const known = new Map<string, Held | null>();
  const read = async (): Promise<Held[]> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const present = (await readdir(directory)).filter((name) => name.endsWith(ENTRY_SUFFIX));
    for (const name of known.keys()) if (!present.includes(name)) known.delete(name);
    for (const name of present) {
      if (!known.has(name)) known.set(name, await readHeld(join(directory, name)));
    }
    const held = [...known.values()].filter((each) => each !== null);
    return held.toSorted((a, b) => (a.at < b.at || (a.at === b.at && a.id < b.id) ? -1 : 1));
  };
  return {
    figures: async () => figuresOf(await read()),
    list: read,
    find: async (id) => (await read()).find((held) => held.id === id) ?? null,
    read: (held) => readFile(join(directory, bytesName(held))),
    hold: async (held, bytes) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const text = `${JSON.stringify(held, null, 2)}\n`;
      // The entry comes last: where it is, the bytes are.
      await place(join(directory, bytesName(held)), bytes);
      await syncDirectory(directory);
      await place(join(directory, `${held.id}${ENTRY_SUFFIX}`), Buffer.from(text));
      await syncDirectory(directory);
      await removeBytes(directory, held.id, bytesName(held));
      known.set(`${held.id}${ENTRY_SUFFIX}`, held);
    },
    remove: async (id) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await rm(join(directory, `${id}${ENTRY_SUFFIX}`), { force: true });
      await syncDirectory(directory);
      await removeBytes(directory, id, null);
    },
  };
}

/** Bytes are never replaced by others: the entry that tells them apart comes after them. */
function bytesName({ id, tries, trying }: Held): string {
  return `${id}-${trying === null ? tries : tries - 1}${BYTES_SUFFIX}`;
}

/** Removes the bytes of an entry, but those that it has now. */
async function removeBytes(directory: string, id: string, kept: string | null): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(`${id}-`) || name === kept) continue;
    await rm(join(directory, name), { force: true });
  }
}

/** Null for what a person has moved away meanwhile, or put there. */
async function readHeld(path: string): Promise<Held | null> {
  try {
    const held: unknown = JSON.parse(await readFile(path, 'utf8'));
    return heldValidator.Check(held) ? held : null;
  } catch {
    return null;
  }
}

async function place(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
