import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { BatchManifestSchema, type Batch } from '../ports/batch.ts';

const RECORDS_SUFFIX = '.ndjson';
const REASON_SUFFIX = '.json';

/** What is told of a batch that is held. */
const HeldBatchSchema = Type.Object({
  token: Type.String(),
  at: Type.String(),
  reason: Type.String(),
  manifest: BatchManifestSchema,
});
export type HeldBatch = Static<typeof HeldBatchSchema>;

const heldValidator = Compile(HeldBatchSchema);

/**
 * Batches that the schema refused, kept with the reason until a person has looked: `TOKEN.ndjson`
 * has the bytes, `TOKEN.json` the manifest, the reason and the time.
 */
export interface Quarantine {
  /** How many batches are held: the alarm is this being more than 0. */
  count(): Promise<number>;
  /** All that are held, without their bytes. */
  held(): Promise<HeldBatch[]>;
  /** Durable when it resolves; done twice, it is there once. */
  hold(token: string, batch: Batch, reason: string): Promise<void>;
}

/** @param now Unix time in milliseconds. */
export function createQuarantine(directory: string, now: () => number): Quarantine {
  const reasons = async (): Promise<string[]> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return (await readdir(directory)).filter((name) => name.endsWith(REASON_SUFFIX));
  };
  return {
    count: async () => (await reasons()).length,
    held: async () => {
      const held = await Promise.all(
        (await reasons()).map(async (name) => readHeld(join(directory, name))),
      );
      return held.filter((batch) => batch !== null);
    },
    hold: async (token, { manifest, records }, reason) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const at = new Date(now()).toISOString();
      const text = `${JSON.stringify({ token, at, reason, manifest }, null, 2)}\n`;
      // The reason comes last: where it is, the bytes are.
      await place(join(directory, `${token}${RECORDS_SUFFIX}`), records);
      await place(join(directory, `${token}${REASON_SUFFIX}`), Buffer.from(text));
      await syncDirectory(directory);
    },
  };
}

/** Null for what a person has moved away meanwhile, or put there. */
async function readHeld(path: string): Promise<HeldBatch | null> {
  try {
    const batch: unknown = JSON.parse(await readFile(path, 'utf8'));
    return heldValidator.Check(batch) ? batch : null;
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

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
