import { CommandError } from '../base/errors.ts';
import { readStorePlace } from '../settings/read-settings.ts';
import { runRebuild } from '../commands/rebuild.ts';
import { assertDataDirectory } from './data-directory.ts';
import { showJson } from './terminal-text.ts';

/**
 * `rialto rebuild`: the reports of some days are computed anew from the raw records.
 *
 * @param flags the options given, by flag: `--from` and `--to` are UTC days, both included.
 * @returns the exit code.
 * @throws CommandError when the days are none, or the node runs.
 */
export async function rebuildCommand(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
  asJson: boolean,
): Promise<number> {
  const { dataDirectory, databaseUrl } = readStorePlace(flags, environment);
  assertDataDirectory(dataDirectory);
  const today = new Date().toISOString().slice(0, 10);
  const startDate = readDay(flags['--from'] ?? today, '--from');
  const endDate = readDay(flags['--to'] ?? today, '--to');
  await runRebuild({ dataDirectory, databaseUrl, startDate, endDate, today });
  const text = `The reports from ${startDate} to ${endDate} were computed anew.`;
  console.log(asJson ? showJson({ from: startDate, to: endDate }) : text);
  return 0;
}

function readDay(text: string, flag: string): string {
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (!Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text) return text;
  throw new CommandError(`${flag} is ${text}; give a day as YYYY-MM-DD.`, { exit: 'usage' });
}
