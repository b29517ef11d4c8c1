import type { Command } from 'commander';
import {
  addJson,
  addPlace,
  addPresentData,
  byFlag,
  placeOf,
  type Options,
  type ProgramTools,
} from './program-tools.ts';

/** `rialto rebuild`, `reoffer`, `reconcile` and `replay`: what is done with records. */
export function addAnalytics(program: Command, tools: ProgramTools): void {
  addRebuild(program, tools);
  addReoffer(program, tools);
  addReconcile(program, tools);
  addReplay(program, tools);
}

function addRebuild(program: Command, tools: ProgramTools): void {
  const rebuild = program
    .command('rebuild')
    .description('compute the reports of some days anew from the raw records; stop the node first')
    .option('--from <DAY>', 'the first UTC day, YYYY-MM-DD (default: today)')
    .option('--to <DAY>', 'the last UTC day (default: today)');
  addJson(rebuild);
  addPresentData(rebuild);
  rebuild.action(async ({ json, ...options }: Options) => {
    const { rebuildCommand } = await import('./rebuild.ts');
    const asJson = json === true;
    tools.setExitCode(await rebuildCommand(byFlag(options), tools.environment, asJson));
  });
}

function addReoffer(program: Command, tools: ProgramTools): void {
  const reoffer = program
    .command('reoffer')
    .description(
      'keep the analytics store as it is, and load what it lacks of all that journals still hold',
    )
    .addHelpText(
      'after',
      '\nFor a store that was lost, replaced or set back to a backup. What it has is not loaded twice.',
    );
  addJson(reoffer);
  addPlace(reoffer);
  reoffer.action(async ({ json, ...options }: Options) => {
    const { reofferCommand } = await import('./reoffer.ts');
    tools.setExitCode(await reofferCommand(json === true, placeOf(options, tools)));
  });
}

function addReconcile(program: Command, tools: ProgramTools): void {
  const reconcile = program
    .command('reconcile')
    .description('compare journal, raw records, reports and notices of one UTC day')
    .option('--date <DAY>', 'the day, YYYY-MM-DD (default: today)')
    .addHelpText(
      'after',
      '\nExit code: 0 all agrees, 1 something differs, 4 nothing was recorded; never 1 otherwise.',
    );
  addJson(reconcile);
  addPlace(reconcile);
  reconcile.action(async ({ json, ...options }: Options) => {
    const { reconcileCommand } = await import('./reconcile.ts');
    const asJson = json === true;
    tools.setExitCode(await reconcileCommand(byFlag(options), tools.environment, asJson));
  });
}

function addReplay(program: Command, tools: ProgramTools): void {
  const replay = program
    .command('replay')
    .description('decide recorded auctions again, as they were or otherwise, and show what changes')
    .option('--from <TIME>', 'a UTC day or time, YYYY-MM-DD or YYYY-MM-DDTHH:MM (default: today)')
    .option('--to <TIME>', 'the last day, or the time before which to end (default: today)')
    .option('--publisher <ID>', 'auctions of this publisher')
    .option('--ad-space <ID>', 'impressions of this ad space')
    .option('--partner <ID>', 'auctions in which this demand partner bid')
    .option('--floor <USD>', "a CPM in the place of the publisher's floor, for open bids")
    .option('--auction-type <TYPE>', 'first_price or second_price, for open bids')
    .option('--limit <N>', 'of more auctions take a sample (default: 1000000)')
    .option('--seed <TEXT>', 'what the sample follows from (default: 1)')
    .addHelpText(
      'after',
      '\nExit code: 0 all agree with their records, 1 one does not, 4 none was decided; never 1 otherwise.',
    );
  addJson(replay);
  addPlace(replay);
  replay.action(async ({ json, ...options }: Options) => {
    const { replayCommand } = await import('./replay.ts');
    const asJson = json === true;
    tools.setExitCode(await replayCommand(byFlag(options), tools.environment, asJson));
  });
}
