import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useStores } from './configuration-store.ts';

/**
 * The tests that open a configuration store, once more, on PostgreSQL: where they stand they run on
 * SQLite. Whoever writes one more with `openTestStore` finds it here.
 */
const ROOT = join(import.meta.dirname, '../..');
/** Not the fuzzing of all of control, and no browser: what they find is no store's doing. */
const WORK_WITH_A_STORE = [
  'src/{commands,configuration,control,identity,management,sign-in,subscriptions}/**/*.test.ts',
  'test/*.test.ts',
];
const OPENS_A_STORE = /from '.*\/support\/(?:configuration-store|management)\.ts'/;
/** Whole nodes open their stores by themselves. */
const STARTS_A_NODE = /from '.*\/support\/(?:node|exchange)\.ts'/;

/** Which of several processes this is: they share the files out among themselves. */
interface Share {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** Runs this process's share of those tests on a server that starts and ends with it. */
export async function testOnPostgres({ part, of }: Share): Promise<void> {
  useStores('postgres');
  const files = filesWithStores();
  for (const file of files.filter((_, index) => index % of === part - 1)) {
    // One after the other, in an order that can be repeated.
    // oxlint-disable-next-line no-await-in-loop
    await import(file);
  }
}

function filesWithStores(): readonly string[] {
  const files = globSync(WORK_WITH_A_STORE, { cwd: ROOT }).toSorted();
  return files
    .map((path) => join(ROOT, path))
    .filter((file) => {
      const text = readFileSync(file, 'utf8');
      return OPENS_A_STORE.test(text) && !STARTS_A_NODE.test(text);
    });
}
