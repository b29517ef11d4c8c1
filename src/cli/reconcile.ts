import { existsSync } from 'node:fs';

import { addDays, dateOf, startOf } from '../analytics/dates.ts';
import { RAW_DAYS } from '../analytics/rebuild.ts';
import { CommandError } from '../base/errors.ts';
import { readSettings } from '../config/settings.ts';
import { runReconcile } from '../roles/reconcile.ts';
import { describeReport } from './reconcile-table.ts';

/** Something differs. */
const EXIT_DIFFERS = 1;
/** Nothing was compared, or there was nothing: 1 alone says that something differs. */
const EXIT_NOT_COMPARED = 2;

/**
 * `rialto reconcile`: compares the journal of this node, the raw records, the rollups and the notices
 * of one UTC day, and prints both figures of each comparison.
 *
 * @param flags the options given, by flag: `--date` is the day, today by default.
 * @param asJson prints the report as one JSON document instead of tables.
 * @returns the exit code: 0 when all agrees, 1 when something differs, 2 when nothing could be
 *   compared or nothing was recorded on the day.
 */
export async function reconcileCommand(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
  asJson: boolean,
): Promise<number> {
  try {
    const read = readSettings(flags, environment);
    if (!read.ok) throw new CommandError(read.problems.join('\n'));
    const { dataDirectory, internalUrl, internalSecret } = read.settings;
    if (!existsSync(dataDirectory)) {
      throw new CommandError(`There is no data directory ${dataDirectory}; name it with --data.`);
    }
    const today = dateOf(Date.now());
    const date = readDate(flags['--date'] ?? today, today);
    const report = await runReconcile({ dataDirectory, date, internalUrl, internalSecret });
    console.log(asJson ? JSON.stringify(report, null, 2) : describeReport(report));
    if (!report.agrees) return EXIT_DIFFERS;
    return report.isEmpty ? EXIT_NOT_COMPARED : 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
    return EXIT_NOT_COMPARED;
  }
}

/** @throws CommandError for what is no day, or one of which there are no raw records for certain. */
function readDate(text: string, today: string): string {
  if (!isDate(text)) throw new CommandError(`--date is ${text}; give a day as YYYY-MM-DD.`);
  const first = addDays(today, 1 - RAW_DAYS);
  if (startOf(text) >= startOf(first) && startOf(text) <= startOf(today)) return text;
  throw new CommandError(
    `--date is ${text}; raw records are kept for two weeks: give a day from ${first} to ${today}.`,
  );
}

function isDate(text: string): boolean {
  try {
    return startOf(text) >= 0;
  } catch {
    return false;
  }
}
