import type { Command } from 'commander';
import {
  addJson,
  addPresentData,
  placeOf,
  type Options,
  type ProgramTools,
} from './program-tools.ts';

/** `rialto copy-store`. */
export function addCopyStore(program: Command, tools: ProgramTools): void {
  const copy = program
    .command('copy-store')
    .description(
      'copy the configuration into the database of RIALTO_DATABASE_URL; stop the node first',
    );
  addPresentData(copy);
  addJson(copy);
  copy.action(async ({ json, ...options }: Options) => {
    const { copyStoreCommand } = await import('./copy-store.ts');
    tools.setExitCode(await copyStoreCommand(json === true, placeOf(options, tools)));
  });
}
