import type { Command } from 'commander';
import { addServer } from './api/program.ts';
import {
  addJson,
  addPresentData,
  addSetting,
  placeOf,
  type Options,
  type ProgramTools,
} from './program-tools.ts';

/** Where a node of this machine is looked at. */
const STATUS_SETTINGS = [
  'roles',
  'host',
  'controlPort',
  'exchangePort',
  'trackerPort',
  'metricsHost',
  'metricsPort',
] as const;

/** `rialto status`. */
export function addStatus(program: Command, tools: ProgramTools): void {
  const status = program
    .command('status')
    .description('tell how the nodes are, and what needs somebody')
    .addHelpText(
      'after',
      '\nA server is asked where one is named or signed in to (by an operator), else the ports of this' +
        "\nmachine's node. Exit code: 0 all is well, 1 something needs attention, 5 nobody answers.",
    );
  addServer(status);
  addPresentData(status);
  for (const key of STATUS_SETTINGS) addSetting(status, key);
  addJson(status);
  status.action(async ({ json, ...options }: Options) => {
    const { statusCommand } = await import('./status.ts');
    tools.setExitCode(await statusCommand(json === true, placeOf(options, tools)));
  });
}
