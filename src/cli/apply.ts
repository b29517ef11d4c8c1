import { readSetting } from '../config/settings.ts';
import { applyConfigurationFile, describeInFile, type AppliedFile } from '../control/apply-file.ts';
import { openConfigurationStore } from '../roles/configuration-store.ts';

/** Changes told one by one; of a larger file the sums say enough. */
const CHANGES_SHOWN_MAX = 50;

/**
 * `rialto apply FILE`: brings the configuration of a data directory to what a file says, whether
 * or not an exchange is running on it; a running one takes the change within two seconds.
 *
 * @returns the exit code.
 * @throws CommandError with all problems of the file.
 */
export async function applyCommand(
  file: string,
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const dataDirectory = readSetting('dataDirectory', flags, environment);
  const db = await openConfigurationStore(dataDirectory);
  try {
    printApplied(file, await applyConfigurationFile(db, file));
    return 0;
  } finally {
    await db.destroy();
  }
}

function printApplied(file: string, applied: AppliedFile): void {
  const { created, updated, unchanged, changes, notes } = applied;
  console.log(`${file}: ${created} created, ${updated} updated, ${unchanged} unchanged`);
  for (const { action, noun, name } of changes.slice(0, CHANGES_SHOWN_MAX)) {
    console.log(`  ${action} ${noun} ${name}`);
  }
  const rest = changes.length - CHANGES_SHOWN_MAX;
  if (rest > 0) console.log(`  and ${rest} more`);
  for (const note of notes) console.log(`note: ${describeInFile(file, note)}`);
}
