import { exitCodeOf } from '../base/exit-codes.ts';
import { readSettings } from '../settings/settings.ts';
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
    const { applyFile, geoDatabase, spiderList, dataCenterList } = read.settings;
    // The supervisor works with neither of these, and does not carry their code otherwise.
    if ([geoDatabase, spiderList, dataCenterList].some((path) => path !== null)) {
      const { checkDetectionFiles } = await import('../roles/detection.ts');
      await checkDetectionFiles(read.settings);
    }
    if (applyFile !== null) {
      const { checkInThread } = await import('../roles/file-threads.ts');
      await checkInThread(applyFile);
    }
    return await runSupervisor(read.settings);
  }
  for (const problem of read.problems) console.error(problem);
  return exitCodeOf('usage');
}
