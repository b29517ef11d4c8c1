import type { Command } from 'commander';
import { addNode } from './api/program.ts';
import { addJson, placeOf, type Options, type ProgramTools } from './program-tools.ts';
import { refuseUnknownCommands } from './unknown-command.ts';

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
    .description('who is called, and who is stopped since when and why');
  addJson(list);
  addNode(list);
  refuseUnknownCommands(bidders, list);
  list.action(async ({ json, ...options }: Options) => {
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
  addJson(stop);
  addNode(stop);
  stop.action(async (id: string, { reason, json, ...options }: Options) => {
    const { stopBidder } = await import('./bidders.ts');
    const given = {
      reason: typeof reason === 'string' ? reason : 'no reason given',
      asJson: json === true,
    };
    tools.setExitCode(await stopBidder(id, given, placeOf(options, tools)));
  });
}

function addStart(bidders: Command, tools: ProgramTools): void {
  const start = bidders
    .command('start')
    .description('call one again that was stopped')
    .argument('<ID>', "the demand partner's id");
  addJson(start);
  addNode(start);
  start.action(async (id: string, { json, ...options }: Options) => {
    const { startBidder } = await import('./bidders.ts');
    tools.setExitCode(await startBidder(id, json === true, placeOf(options, tools)));
  });
}
