import type { Command } from 'commander';
import type { ProgramTools } from './creatives-program.ts';
import { refuseUnknownCommands } from './unknown-command.ts';

type Flags = Readonly<Record<string, string | undefined>>;

/** `rialto bidders` and what stands below it. */
export function addBidders(program: Command, tools: ProgramTools): void {
  const bidders = program
    .command('bidders')
    .description('show whom bid requests go to, and stop or start one at once');
  addList(bidders, tools);
  addStop(bidders, tools);
  addStart(bidders, tools);
}

function addList(bidders: Command, tools: ProgramTools): void {
  const list = bidders
    .command('list', { isDefault: true })
    .description('who is called, and who is stopped since when and why')
    .option('--json', 'print one JSON document instead of a table');
  tools.addPlace(list);
  refuseUnknownCommands(bidders, list);
  list.action(async ({ json, ...options }: Flags & { readonly json?: true }) => {
    const { listBidders } = await import('./bidders.ts');
    tools.setExitCode(await listBidders(json === true, placeOf(options, tools)));
  });
}

function addStop(bidders: Command, tools: ProgramTools): void {
  const stop = bidders
    .command('stop')
    .description('call it no more, on any node, whatever file is applied, until it is started')
    .argument('<ID>', "the demand partner's id")
    .option('--reason <TEXT>', 'why, for whoever reads the list');
  tools.addPlace(stop);
  stop.action(async (id: string, { reason = '', ...options }: Flags) => {
    const { stopBidder } = await import('./bidders.ts');
    tools.setExitCode(await stopBidder(id, reason, placeOf(options, tools)));
  });
}

function addStart(bidders: Command, tools: ProgramTools): void {
  const start = bidders
    .command('start')
    .description('call one again that was stopped')
    .argument('<ID>', "the demand partner's id");
  tools.addPlace(start);
  start.action(async (id: string, options: Flags) => {
    const { startBidder } = await import('./bidders.ts');
    tools.setExitCode(await startBidder(id, placeOf(options, tools)));
  });
}

function placeOf(options: Flags, { byFlag }: ProgramTools) {
  return { flags: byFlag(options), environment: process.env };
}
