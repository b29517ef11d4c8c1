import type { Command } from 'commander';
import { addServer } from './api/program.ts';
import {
  addJson,
  addPresentData,
  placeOf,
  type Options,
  type ProgramTools,
} from './program-tools.ts';

/** Where both find what they work on. */
const PLACES =
  '\nA server is meant where one is named or signed in to, else the store of this machine:' +
  '\nthe database of RIALTO_DATABASE_URL, or the data directory.';

/** `rialto export`, the other way round. */
export function addExport(program: Command, tools: ProgramTools): void {
  const command = program
    .command('export')
    .description('write the whole configuration as the YAML that apply takes, without secrets')
    .option('--out <FILE>', 'write to a file, which is there whole or not at all')
    .addHelpText('after', PLACES);
  addPresentData(command);
  addServer(command);
  command.action(async ({ out, ...options }: Options) => {
    const { exportCommand } = await import('./export-configuration.ts');
    const file = typeof out === 'string' ? out : null;
    tools.setExitCode(await exportCommand({ ...placeOf(options, tools), file }));
  });
}

/** `rialto apply`. */
export function addApply(program: Command, tools: ProgramTools): void {
  const apply = program
    .command('apply')
    .description('bring the configuration to what a file says; all of it or nothing')
    .argument('<FILE>', 'a YAML file like examples/exchange.yaml; - is the input')
    .option('--dry-run', 'say what would change, from what to what, and change nothing')
    .addHelpText(
      'after',
      `${PLACES} What it was is said in the end.\n--data and --url choose between server and machine.`,
    );
  addPresentData(apply);
  addServer(apply);
  addJson(apply);
  apply.action(async (file: string, { dryRun, json, ...options }: Options) => {
    const { applyCommand } = await import('./apply.ts');
    const given = { file, isDryRun: dryRun === true, asJson: json === true };
    tools.setExitCode(await applyCommand(given, placeOf(options, tools)));
  });
}
