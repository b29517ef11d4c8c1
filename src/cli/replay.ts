import { exitCodeOf } from '../base/exit-codes.ts';
import { requireSettings } from '../settings/read-settings.ts';
import { runReplay } from '../commands/replay.ts';
import { assertDataDirectory } from './data-directory.ts';
import { keepFindingApart } from './finding-exit.ts';
import { readReplayOptions } from './replay-options.ts';
import { reportOf } from './replay-report.ts';
import { describeReplay } from './replay-table.ts';
import { ReplayTally } from './replay-tally.ts';
import { showJson } from './terminal-text.ts';

/**
 * `rialto replay`: decides the recorded auctions of some time again, as they were or with another
 * floor or auction type, and prints what that changes.
 *
 * @param flags the options given, by flag.
 * @param asJson prints the report as one JSON document instead of tables.
 * @returns the exit code: `failed` when an auction was decided otherwise than its records say, and
 *   never otherwise; `not_found` when there was none to decide.
 * @throws CommandError when nothing can be decided.
 */
export async function replayCommand(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
  asJson: boolean,
): Promise<number> {
  const { dataDirectory, databaseUrl, internalUrls, internalSecret } = requireSettings(
    flags,
    environment,
  );
  if (internalUrls.length === 0) assertDataDirectory(dataDirectory);
  const options = readReplayOptions(flags, Date.now());
  const { choice, auctionsMax, seed } = options;
  const tally = new ReplayTally(options.change, options.changes);
  const place = { dataDirectory, databaseUrl, internalUrls, internalSecret };
  const extent = await keepFindingApart(() =>
    runReplay({
      ...place,
      choice,
      auctionsMax,
      seed,
      take: (auctions) => {
        for (const auction of auctions) tally.take(auction);
      },
    }),
  );
  const report = reportOf(options, tally, extent);
  console.log(asJson ? showJson(report) : describeReplay(report));
  if (report.auctions.disagreeing > 0) return exitCodeOf('failed');
  return exitCodeOf(report.auctions.agreeing > 0 ? 'done' : 'not_found');
}
