import type { Command } from 'commander';
import { addNode } from './api/program.ts';
import { addJson, placeOf, type Options, type ProgramTools } from './program-tools.ts';

/** `rialto explain`. */
export function addExplain(program: Command, tools: ProgramTools): void {
  const explain = program
    .command('explain')
    .description('say why an auction ended as it did, and what became of each call, bid and notice')
    .argument('<AUCTION>', "the auction's id, which bid requests and publishers' answers carry")
    .option('--partner <ID>', 'show what this demand partner may see of it')
    .addHelpText('after', '\nExit code: 0 explained, 4 there is no such auction.');
  addJson(explain);
  addNode(explain);
  explain.action(async (auctionId: string, { json, partner, ...options }: Options) => {
    const { explainCommand } = await import('./explain.ts');
    const chosen = typeof partner === 'string' ? partner : undefined;
    const given = { auctionId, partner: chosen, asJson: json === true };
    tools.setExitCode(await explainCommand(given, placeOf(options, tools)));
  });
}
