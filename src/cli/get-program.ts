import type { Command } from 'commander';
import { addServer } from './api/program.ts';
import { collect } from './api-program.ts';
import { RESOURCES } from './resources.ts';
import { addJson, placeOf, type Options, type ProgramTools } from './program-tools.ts';

/** `rialto get`. */
export function addGet(program: Command, tools: ProgramTools): void {
  const get = program
    .command('get')
    .description('list resources of the management API, or show one')
    .argument('<RESOURCE>', 'one of those below')
    .argument('[ID]', 'shows this one with all that is known of it')
    .option('--demand-partner <ID>', "whose (default: the caller's own)")
    .option('--publisher <ID>', "whose (default: the caller's own)")
    .option('--filter <NAME=VALUE>', 'those that are so; may be repeated', collect, [])
    .option('--sort <FIELD>', 'in this order; -FIELD for the highest first')
    .option(
      '--limit <N>',
      'at most so many (default: 50; with --json what the server gives at once)',
    )
    .option('--all', 'all there are')
    .option('--from <DAY>', 'of kpi: the first UTC day, YYYY-MM-DD (default: six days ago)')
    .option('--to <DAY>', 'of kpi: the last UTC day (default: today)')
    .option('--targeting <JSON>', 'of discovery: what to count (default: everything)')
    .addHelpText('after', `\nResources:\n${describeResources()}`);
  addServer(get);
  addJson(get);
  get.action(async (resource: string, id: string | undefined, options: Options & Lists) => {
    const { getCommand } = await import('./get.ts');
    const { filter, all, json, ...rest } = options;
    const given = { resource, id, filters: filter, all: all === true, asJson: json === true };
    tools.setExitCode(await getCommand(given, placeOf(rest, tools)));
  });
}

interface Lists {
  readonly filter: readonly string[];
}

function describeResources(): string {
  const names = Object.keys(RESOURCES);
  const width = Math.max(...names.map((name) => name.length));
  return Object.entries(RESOURCES)
    .map(([name, { description }]) => `  ${name.padEnd(width)}  ${description}`)
    .join('\n');
}
