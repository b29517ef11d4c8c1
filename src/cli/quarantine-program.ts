import type { Command } from 'commander';
import { addNode } from './api/program.ts';
import { addJson, placeOf, type Options, type ProgramTools } from './program-tools.ts';
import { refuseUnknownCommands } from './unknown-command.ts';

/** What can be done with one entry, and what it is for. */
const ABOUT_ONE = {
  show: 'what can be read of an entry, and why it is held',
  retry: 'load the refused records of an entry again; what is still refused stays',
  drop: 'remove an entry with its records, which are in no report then',
} as const;

/** `rialto quarantine` and what stands below it. */
export function addQuarantine(program: Command, tools: ProgramTools): void {
  const quarantine = program
    .command('quarantine')
    .description('show what could not be loaded, load it again, or drop it');
  const list = quarantine
    .command('list', { isDefault: true })
    .description('records that were refused, and damaged places of journals');
  addJson(list);
  addNode(list);
  refuseUnknownCommands(quarantine, list);
  list.action(async ({ json, ...options }: Options) => {
    const { listQuarantine } = await import('./quarantine.ts');
    tools.setExitCode(await listQuarantine(json === true, placeOf(options, tools)));
  });
  for (const name of ['show', 'retry', 'drop'] as const) {
    const command = quarantine
      .command(name)
      .description(ABOUT_ONE[name])
      .argument('<ID>', 'of the entry, as rialto quarantine lists it');
    addJson(command);
    addNode(command);
    command.action(async (id: string, { json, ...options }: Options) => {
      const commands = await import('./quarantine.ts');
      const run = {
        show: commands.showHeld,
        retry: commands.retryHeld,
        drop: commands.dropHeld,
      }[name];
      tools.setExitCode(await run(id, json === true, placeOf(options, tools)));
    });
  }
}
