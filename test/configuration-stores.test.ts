import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useStores } from './support/configuration-store.ts';

/**
 * The tests that open a configuration store, once more, on PostgreSQL: where they stand they run on
 * SQLite. Whoever writes one more with `openTestStore` finds it here.
 */
const ROOT = join(import.meta.dirname, '..');
/** Not the fuzzing of all of control, and no browser: what they find is no store's doing. */
const WORK_WITH_A_STORE = [
  'src/{configuration,control,identity,management}/**/*.test.ts',
  'test/*.test.ts',
];
const OPENS_A_STORE = /from '.*\/support\/(?:configuration-store|management)\.ts'/;
/** Whole nodes open their stores by themselves. */
const STARTS_A_NODE = /from '.*\/support\/(?:node|exchange)\.ts'/;

useStores('postgres');
for (const path of globSync(WORK_WITH_A_STORE, { cwd: ROOT }).toSorted()) {
  const file = join(ROOT, path);
  const text = readFileSync(file, 'utf8');
  if (file === import.meta.filename || !OPENS_A_STORE.test(text)) continue;
  if (STARTS_A_NODE.test(text)) continue;
  // One after the other, in an order that can be repeated.
  // oxlint-disable-next-line no-await-in-loop
  await import(file);
}
