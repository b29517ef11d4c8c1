import type { Command } from 'commander';
import { addJson, addPlace, byFlag, type Options, type ProgramTools } from './program-tools.ts';

/** `rialto explain`. */
export function addExplain(program: Command, { environment, setExitCode }: ProgramTools): void {
  const explain = program
    .command('explain')
    .description('say why an auction ended as it did, and what became of each call, bid and notice')
    .argument('<AUCTION>', "the auction's id, which bid requests and publishers' answers carry")
    .option('--partner <ID>', 'show what this demand partner may see of it')
    .addHelpText('after', '\nExit code: 0 explained, 4 there is no such auction.');
  addJson(explain);
  addPlace(explain);
  explain.action(async (auctionId: string, { json, ...options }: Options) => {
    const { explainCommand } = await import('./explain.ts');
    const given = { auctionId, asJson: json === true };
    setExitCode(await explainCommand(given, byFlag(options), environment));
  });
}
