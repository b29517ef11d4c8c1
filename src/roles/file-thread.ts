import { parentPort, workerData } from 'node:worker_threads';
import type { Kysely } from 'kysely';
import { CommandError } from '../base/errors.ts';
import { applyFile } from '../configuration/apply.ts';
import { exportConfiguration } from '../configuration/export-file.ts';
import type { Database } from '../configuration/schema.ts';
import { applyConfigurationFile, checkConfigurationFile } from '../control/apply-file.ts';
import { fileAnswer } from '../management/configuration/file-answer.ts';
import { openConfigurationStore } from './configuration-store.ts';
import type { FileOutcome, FileResults, FileTask } from './file-threads.ts';

/**
 * The entry of a thread that does one task with a whole configuration and ends: what it took of memory
 * goes with it.
 */
const task: FileTask = workerData;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort?.postMessage(await outcomeOf(task));

async function outcomeOf(given: FileTask): Promise<FileOutcome> {
  try {
    return { result: await perform(given) };
  } catch (error) {
    // Of what an error is, its class does not get to another thread.
    if (error instanceof CommandError) return { refusal: error.message };
    throw error;
  }
}

async function perform(given: FileTask): Promise<FileResults[FileTask['kind']]> {
  switch (given.kind) {
    case 'check':
      return checkConfigurationFile(given.file);
    case 'apply':
      return withStore(given, async (db) => fileAnswer(await applyFile(db, given.text, given)));
    case 'apply at start': {
      return withStore(given, async (db) => {
        const { changes: _, ...sums } = await applyConfigurationFile(db, given.file);
        return sums;
      });
    }
    case 'export':
      return withStore(given, exportConfiguration);
  }
}

/** With a connection of its own: nobody else waits for this one. */
async function withStore<T>(
  { place }: Exclude<FileTask, { readonly kind: 'check' }>,
  work: (db: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const db = await openConfigurationStore(place);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
