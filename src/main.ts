import { CommandError } from './base/errors.ts';

/**
 * The one entry of every process: `role NAME` is a process that the supervisor started, all else is
 * a command of a person. What either needs is loaded here and nowhere else, so that no process
 * carries what belongs to another.
 */
async function main(argv: readonly string[]): Promise<void> {
  const [command, name] = argv;
  if (command !== 'role') {
    const { runCli } = await import('./cli/program.ts');
    process.exit(await runCli(argv));
  }
  const { ROLES, roleNamed } = await import('./roles/table.ts');
  const role = roleNamed(name);
  if (role === undefined) throw new CommandError(`There is no role "${name ?? ''}".`);
  const { runRole } = await import('./roles/child.ts');
  await runRole(role, await ROLES[role].load());
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.exitCode);
}
