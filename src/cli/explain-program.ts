import type { Command } from 'commander';
import type { ProgramTools } from './creatives-program.ts';

type Options = Readonly<Record<string, string | undefined>> & { readonly json?: true };

/** `rialto explain`. */
export function addExplain(
  program: Command,
  { addPlace, byFlag, setExitCode }: ProgramTools,
): void {
  const explain = program
    .command('explain')
    .description('say why an auction ended as it did, and what became of each call, bid and notice')
    .argument('<AUCTION>', "the auction's id, which bid requests and publishers' answers carry")
    .option('--partner <ID>', 'show what this demand partner may see of it')
    .option('--json', 'print one JSON document instead of sentences')
    .addHelpText('after', '\nExit code: 0 explained, 1 there is no such auction, 2 nobody asked.');
  addPlace(explain);
  explain.action(async (auctionId: string, { json, ...options }: Options) => {
    const { explainCommand } = await import('./explain.ts');
    const given = { auctionId, asJson: json === true };
    setExitCode(await explainCommand(given, byFlag(options), process.env));
  });
}
