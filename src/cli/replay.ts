import { existsSync } from 'node:fs';

import { CommandError } from '../base/errors.ts';
import { readSettings } from '../config/settings.ts';
import { runReplay } from '../roles/replay.ts';
import { readReplayOptions } from './replay-options.ts';
import { reportOf } from './replay-report.ts';
import { describeReplay } from './replay-table.ts';
import { ReplayTally } from './replay-tally.ts';

/** An auction was decided otherwise than its records say. */
const EXIT_DISAGREES = 1;
/** Nothing was decided, or could be: 1 alone says that something disagrees. */
const EXIT_NOT_DECIDED = 2;

/**
 * `rialto replay`: decides the recorded auctions of some time again, as they were or with another
 * floor or auction type, and prints what that changes.
 *
 * @param flags the options given, by flag.
 * @param asJson prints the report as one JSON document instead of tables.
 * @returns the exit code: 0 when every auction that was decided again agrees with its records, 1 when
 *   one does not, 2 when there was none.
 */
export async function replayCommand(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
  asJson: boolean,
): Promise<number> {
  try {
    const read = readSettings(flags, environment);
    if (!read.ok) throw new CommandError(read.problems.join('\n'));
    const { dataDirectory, internalUrl, internalSecret } = read.settings;
    if (internalUrl === null && !existsSync(dataDirectory)) {
      throw new CommandError(`There is no data directory ${dataDirectory}; name it with --data.`);
    }
    const options = readReplayOptions(flags, Date.now());
    const { choice, auctionsMax, seed } = options;
    const tally = new ReplayTally(options.change, options.changes);
    const extent = await runReplay({
      dataDirectory,
      internalUrl,
      internalSecret,
      choice,
      auctionsMax,
      seed,
      take: (auctions) => {
        for (const auction of auctions) tally.take(auction);
      },
    });
    const report = reportOf(options, tally, extent);
    console.log(asJson ? JSON.stringify(report, null, 2) : describeReplay(report));
    if (report.auctions.disagreeing > 0) return EXIT_DISAGREES;
    return report.auctions.agreeing > 0 ? 0 : EXIT_NOT_DECIDED;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
    return EXIT_NOT_DECIDED;
  }
}
