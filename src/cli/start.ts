import { exitCodeOf } from '../base/exit-codes.ts';
import { readSettings } from '../settings/settings.ts';
import { checkDetectionFiles } from '../roles/detection.ts';
import { runSupervisor } from '../roles/supervisor.ts';

/**
 * `rialto start`: runs a node until a signal stops it.
 *
 * @param flags the options given, by flag.
 * @returns the exit code, after printing every setting that is wrong.
 * @throws CommandError when the node cannot start.
 */
export async function startCommand(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const read = readSettings(flags, environment);
  if (read.ok) {
    const { applyFile } = read.settings;
    await checkDetectionFiles(read.settings);
    if (applyFile !== null) {
      // The supervisor works with no configuration, and does not carry its code otherwise.
      const { checkConfigurationFile } = await import('../control/apply-file.ts');
      await checkConfigurationFile(applyFile);
    }
    return await runSupervisor(read.settings);
  }
  for (const problem of read.problems) console.error(problem);
  return exitCodeOf('usage');
}
