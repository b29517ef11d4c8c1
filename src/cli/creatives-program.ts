import type { Command } from 'commander';
import type { Decision } from './creatives.ts';
import { addNode } from './api/program.ts';
import { addJson, placeOf, type Options, type ProgramTools } from './program-tools.ts';
import { refuseUnknownCommands } from './unknown-command.ts';

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
    .option('--pending', 'those that wait for a review only');
  addJson(list);
  addNode(list);
  refuseUnknownCommands(creatives, list);
  list.action(async ({ pending, json, ...given }: Options & Subject) => {
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
    .argument('<KEY>', 'PARTNER/CRID, as the list shows it');
  addJson(show);
  addNode(show);
  show.action(async (key: string, { json, ...options }: Options) => {
    const { showCreative } = await import('./creatives.ts');
    tools.setExitCode(await showCreative(key, json === true, placeOf(options, tools)));
  });
}

function addReviews(creatives: Command, tools: ProgramTools): void {
  const reviews = creatives
    .command('reviews')
    .description('all that was decided, the latest first');
  addJson(reviews);
  addNode(reviews);
  reviews.action(async ({ json, ...options }: Options) => {
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
  addJson(command);
  addNode(command);
  command.action(async (given: Options & Subject) => {
    const { partner, publisher, crid, domain, reason, json, ...options } = given;
    const { decideCreative } = await import('./creatives.ts');
    const subject = { partner, publisher, crid, domain, reason, json: json === true };
    if (!namesSubject(subject)) {
      command.error('Give --crid with --partner, or --domain.', { exitCode: 2 });
    }
    tools.setExitCode(await decideCreative(decision, subject, placeOf(options, tools)));
  });
}

/** One creative of a partner, or one advertiser. */
function namesSubject({ partner, crid, domain }: Omit<Subject, 'publisher' | 'reason'>): boolean {
  if (crid === undefined) return domain !== undefined;
  return partner !== undefined && domain === undefined;
}

/** Options of these commands that take a value. */
type Subject = Readonly<
  Record<'partner' | 'publisher' | 'crid' | 'domain' | 'reason', string | undefined>
>;
