import { addDays, dateOf, startOf } from '../analytics/dates.ts';
import { RAW_DAYS } from '../analytics/rebuild.ts';
import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { requireSettings } from '../settings/read-settings.ts';
import { runReconcile } from '../commands/reconcile.ts';
import { assertDataDirectory } from './data-directory.ts';
import { describeReport } from './reconcile-table.ts';
import { showJson } from './terminal-text.ts';
import { keepFindingApart } from './finding-exit.ts';

/**
 * `rialto reconcile`: compares the journal of this node, the raw records, the rollups and the notices
 * of one UTC day, and prints both figures of each comparison.
 *
 * @param flags the options given, by flag: `--date` is the day, today by default.
 * @param asJson prints the report as one JSON document instead of tables.
 * @returns the exit code: `failed` when something differs, and never otherwise; `not_found` when
 *   nothing was recorded on the day.
 * @throws CommandError when nothing can be compared.
 */
export async function reconcileCommand(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
  asJson: boolean,
): Promise<number> {
  const { dataDirectory, databaseUrl, internalUrls, internalSecret } = requireSettings(
    flags,
    environment,
  );
  assertDataDirectory(dataDirectory);
  const today = dateOf(Date.now());
  const date = readDate(flags['--date'] ?? today, today);
  const request = { dataDirectory, databaseUrl, date, internalUrls, internalSecret };
  const report = await keepFindingApart(() => runReconcile(request));
  console.log(asJson ? showJson(report) : describeReport(report));
  if (!report.agrees) return exitCodeOf('failed');
  return exitCodeOf(report.isEmpty ? 'not_found' : 'done');
}

/** @throws CommandError for what is no day, or one of which there are no raw records for certain. */
function readDate(text: string, today: string): string {
  if (!isDate(text)) {
    throw new CommandError(`--date is ${text}; give a day as YYYY-MM-DD.`, { exit: 'usage' });
  }
  const first = addDays(today, 1 - RAW_DAYS);
  if (startOf(text) >= startOf(first) && startOf(text) <= startOf(today)) return text;
  throw new CommandError(
    `--date is ${text}; raw records are kept for two weeks: give a day from ${first} to ${today}.`,
    { exit: 'usage' },
  );
}

function isDate(text: string): boolean {
  try {
    return startOf(text) >= 0;
  } catch {
    return false;
  }
}
