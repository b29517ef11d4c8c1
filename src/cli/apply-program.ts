import type { Command } from 'commander';
import { addServer } from './api/program.ts';
import {
  addJson,
  addPresentData,
  placeOf,
  type Options,
  type ProgramTools,
} from './program-tools.ts';

/** `rialto apply`. */
export function addApply(program: Command, tools: ProgramTools): void {
  const apply = program
    .command('apply')
    .description('bring the configuration to what a file says; all of it or nothing')
    .argument('<FILE>', 'a YAML file like examples/exchange.yaml; - is the input')
    .option('--dry-run', 'say what would change, and change nothing')
    .addHelpText(
      'after',
      '\nA server is meant where one is named or signed in to, else the store of this machine:' +
        '\nthe database of RIALTO_DATABASE_URL, or the data directory. What it was is said in the end.' +
        '\n--data and --url choose between server and machine.',
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
