import { readSettings } from '../config/settings.ts';
import { checkDetectionFiles } from '../roles/detection.ts';
import { runSupervisor } from '../roles/supervisor.ts';

/** The exit code of settings that are wrong. */
const EXIT_USAGE = 2;

/**
 * `rialto start`: runs a node until a signal stops it.
 *
 * @param flags the options given, by flag.
 * @returns the exit code: 2 after printing every wrong setting.
 * @throws CommandError when the node cannot start.
 */
export async function startCommand(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const read = readSettings(flags, environment);
  if (read.ok) {
    await checkDetectionFiles(read.settings);
    return await runSupervisor(read.settings);
  }
  for (const problem of read.problems) console.error(problem);
  return EXIT_USAGE;
}
