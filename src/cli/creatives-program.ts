import type { Command } from 'commander';
import type { Decision } from './creatives.ts';
import { refuseUnknownCommands } from './unknown-command.ts';

type Flags = Readonly<Record<string, string | undefined>>;

/** What these commands share with all others. */
export interface ProgramTools {
  /** Adds the settings by which control is found. */
  readonly addPlace: (command: Command) => void;
  /** Options by their flags, as settings are read. */
  readonly byFlag: (options: Flags) => Flags;
  readonly setExitCode: (code: number) => void;
}

const SUBJECT = [
  ['--partner <ID>', 'the demand partner'],
  ['--crid <CRID>', "a creative of the partner's, by its id"],
  ['--domain <DOMAIN>', 'all creatives of an advertiser, subdomains included'],
  ['--publisher <ID>', 'on the ad spaces of this publisher only (default: everywhere)'],
] as const;

const DECISIONS: Readonly<Record<Decision, string>> = {
  block: 'show it no more, from now on',
  unblock: 'take a block back',
  approve: 'let it be shown where creatives are reviewed first',
  unapprove: 'take an approval back',
};

/** `rialto creatives` and what stands below it. */
export function addCreatives(program: Command, tools: ProgramTools): void {
  const creatives = program
    .command('creatives')
    .description('list the creatives that were seen, and decide about them');
  addList(creatives, tools);
  addShow(creatives, tools);
  addReviews(creatives, tools);
  for (const decision of ['block', 'unblock', 'approve', 'unapprove'] as const) {
    addDecision(creatives, decision, tools);
  }
}

function addList(creatives: Command, tools: ProgramTools): void {
  const list = creatives
    .command('list', { isDefault: true })
    .description('what won, or waits for a review, in the last 90 days')
    .option('--partner <ID>', 'of this demand partner only')
    .option('--publisher <ID>', 'at this publisher only')
    .option('--pending', 'those that wait for a review only')
    .option('--json', 'print one JSON document instead of a table');
  tools.addPlace(list);
  refuseUnknownCommands(creatives, list);
  list.action(async ({ pending, json, ...given }: Flags & Switches) => {
    const { listCreatives } = await import('./creatives.ts');
    const { partner, publisher, ...options } = given;
    const chosen = { partner, publisher, pending: pending === true, json: json === true };
    tools.setExitCode(await listCreatives(chosen, placeOf(options, tools)));
  });
}

function addShow(creatives: Command, tools: ProgramTools): void {
  const show = creatives
    .command('show')
    .description('one creative, with a sample of its markup')
    .argument('<KEY>', 'PARTNER/CRID, as the list shows it')
    .option('--json', 'print one JSON document instead of text');
  tools.addPlace(show);
  show.action(async (key: string, { json, ...options }: Flags & Switches) => {
    const { showCreative } = await import('./creatives.ts');
    tools.setExitCode(await showCreative(key, json === true, placeOf(options, tools)));
  });
}

function addReviews(creatives: Command, tools: ProgramTools): void {
  const reviews = creatives
    .command('reviews')
    .description('all that was decided, the latest first')
    .option('--json', 'print one JSON document instead of a table');
  tools.addPlace(reviews);
  reviews.action(async ({ json, ...options }: Flags & Switches) => {
    const { listReviews } = await import('./creatives.ts');
    tools.setExitCode(await listReviews(json === true, placeOf(options, tools)));
  });
}

function addDecision(creatives: Command, decision: Decision, tools: ProgramTools): void {
  const command = creatives.command(decision).description(DECISIONS[decision]);
  for (const [flag, description] of SUBJECT) command.option(flag, description);
  if (decision === 'block' || decision === 'approve') {
    command.option('--reason <TEXT>', 'why, in words that the partner may read');
  }
  tools.addPlace(command);
  command.action(async (given: Flags) => {
    const { partner, publisher, crid, domain, reason, ...options } = given;
    const { decideCreative } = await import('./creatives.ts');
    const subject = { partner, publisher, crid, domain, reason };
    if (!namesSubject(subject)) {
      command.error('Give --crid with --partner, or --domain.', { exitCode: 2 });
    }
    tools.setExitCode(await decideCreative(decision, subject, placeOf(options, tools)));
  });
}

/** One creative of a partner, or one advertiser. */
function namesSubject({ partner, crid, domain }: Flags): boolean {
  if (crid === undefined) return domain !== undefined;
  return partner !== undefined && domain === undefined;
}

interface Switches {
  readonly json?: true;
  readonly pending?: true;
}

function placeOf(options: Flags, { byFlag }: ProgramTools) {
  return { flags: byFlag(options), environment: process.env };
}
