import { mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

import type { Batch } from '../ports/batch.ts';

const RECORDS_SUFFIX = '.ndjson';
const REASON_SUFFIX = '.json';

/**
 * Batches that the schema refused, kept with the reason until a person has looked: `TOKEN.ndjson`
 * has the bytes, `TOKEN.json` the manifest, the reason and the time.
 */
export interface Quarantine {
  /** How many batches are held: the alarm is this being more than 0. */
  count(): Promise<number>;
  /** Durable when it resolves; done twice, it is there once. */
  hold(token: string, batch: Batch, reason: string): Promise<void>;
}

/** @param now Unix time in milliseconds. */
export function createQuarantine(directory: string, now: () => number): Quarantine {
  return {
    count: async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return (await readdir(directory)).filter((name) => name.endsWith(REASON_SUFFIX)).length;
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
