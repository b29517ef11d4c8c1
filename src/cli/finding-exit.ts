import { CommandError } from '../base/errors.ts';
import { exitCodeOf, type Exit } from '../base/exit-codes.ts';

/**
 * For commands that compare: `failed` says of them that something differs, so that a script can tell.
 * What kept them from comparing at all is something else.
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
    if (!(error instanceof CommandError) || error.exitCode !== exitCodeOf('failed')) throw error;
    throw new CommandError(error.message, { exit, cause: error });
  }
}
