import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { requireSettings } from '../settings/read-settings.ts';
import { ReofferAnswerSchema, type ReofferAnswer } from '../control/reoffer.ts';
import { findControl } from '../commands/ask-control.ts';
import { assertDataDirectory } from './data-directory.ts';
import type { CommandPlace } from './program-tools.ts';
import { showJson } from './terminal-text.ts';

const BEFORE: Readonly<Record<ReofferAnswer['before'], string>> = {
  known: 'The analytics store is the one that was loaded into.',
  empty: 'The analytics store was empty; it is kept.',
  another: 'The analytics store was another one than was loaded into; it is kept.',
  older: 'The analytics store was an older copy; it is kept.',
};

/**
 * `rialto reoffer`: control takes its analytics store as it is, and all couriers offer again what their
 * journals hold, of which control loads what the store lacks.
 *
 * @returns the exit code.
 * @throws CommandError when no control can be asked.
 */
export async function reofferCommand(
  asJson: boolean,
  { flags, environment }: CommandPlace,
): Promise<number> {
  const settings = requireSettings(flags, environment);
  assertDataDirectory(settings.dataDirectory);
  const control = findControl(settings);
  const answer = (await control?.ask('/internal/reoffer', {}, ReofferAnswerSchema)) ?? null;
  if (answer === null) {
    throw new CommandError(
      `No control runs on ${settings.dataDirectory} that knows this: start the node, or name the ` +
        'control of another one with --internal-url (RIALTO_INTERNAL_URL).',
      { exit: 'unreachable' },
    );
  }
  const text = [
    BEFORE[answer.before],
    'Couriers now offer again what their journals hold, and what the store lacks of it is loaded.',
    'When rialto status shows no backlog, run rialto reconcile for the days concerned.',
  ];
  console.log(asJson ? showJson(answer) : text.join('\n'));
  return exitCodeOf('done');
}
