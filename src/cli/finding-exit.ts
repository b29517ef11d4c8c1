import { CommandError } from '../base/errors.ts';
import { exitCodeOf, type Exit } from '../base/exit-codes.ts';
import { messageOf } from '../base/unknown-error.ts';

/** ClickHouse names whole tables in a message. */
const REASON_LENGTH_MAX = 500;

/**
 * For commands that compare: `failed` says of them that something differs, so that a script can tell.
 * What kept them from comparing at all is something else, told in a sentence, whatever it is.
 *
 * @throws CommandError that never says `failed`.
 */
export async function keepFindingApart<Result>(
  work: () => Promise<Result>,
  exit: Exclude<Exit, 'failed'> = 'unreachable',
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandError && error.exitCode !== exitCodeOf('failed')) throw error;
    if (error instanceof CommandError)
      throw new CommandError(error.message, { exit, cause: error });
    const [reason = ''] = messageOf(error).split('\n', 1);
    throw new CommandError(
      `Nothing could be compared: ${reason.slice(0, REASON_LENGTH_MAX)}. Run rialto doctor, and look ` +
        'into the log of control.',
      { exit, cause: error },
    );
  }
}
