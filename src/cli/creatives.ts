import { userInfo } from 'node:os';

import type { Static, TSchema } from 'typebox';
import { CommandError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import { requireSettings } from '../settings/settings.ts';
import { ListAnswerSchema, ReviewAnswerSchema, ReviewsAnswerSchema } from '../control/creatives.ts';
import { findControl, type ControlClient } from '../commands/ask-control.ts';
import { describeCreative, describeCreatives, describeReviews } from './creatives-table.ts';
import { assertDataDirectory } from './data-directory.ts';
import type { CommandPlace } from './program-tools.ts';
import { showJson } from './terminal-text.ts';

/** Creatives are listed to this number, unless they are printed as JSON. */
const LISTED_MAX = 200;

/** Exchange processes tell of a creative that goes on winning this often. */
const COUNTS_AGE = 'Wins and when they were last seen may be five minutes old.';

export interface ListOptions {
  readonly partner: string | undefined;
  readonly publisher: string | undefined;
  readonly pending: boolean;
  readonly json: boolean;
}

/** What a decision is about, as it stands on the command line. */
export interface SubjectOptions {
  readonly partner: string | undefined;
  readonly publisher: string | undefined;
  readonly crid: string | undefined;
  readonly domain: string | undefined;
  readonly reason: string | undefined;
  readonly json: boolean;
}

/**
 * `rialto creatives`: what won, or waits for a review, in the last 90 days.
 *
 * @returns the exit code.
 * @throws CommandError when control cannot be asked, or does not know what is named.
 */
export async function listCreatives(options: ListOptions, place: CommandPlace): Promise<number> {
  const { partner, publisher, pending, json } = options;
  const question = {
    ...idField('demand_partner', '--partner', partner),
    ...idField('publisher', '--publisher', publisher),
    pending,
    ...(json ? {} : { limit: LISTED_MAX }),
  };
  const answer = await ask(place, '/internal/creatives', question, ListAnswerSchema);
  assertNoProblems(answer.problems);
  const { creatives, more } = answer;
  if (json) console.log(showJson({ creatives, more }));
  else if (creatives.length === 0) console.log(pending ? 'None waits.' : 'None was seen yet.');
  else console.log(`${describeCreatives(creatives)}\n\n${COUNTS_AGE}`);
  if (more && !json) console.log('There are more: choose by --partner or --publisher, or --json.');
  return 0;
}

/** `rialto creatives show`: one creative, with a sample of its markup. */
export async function showCreative(
  key: string,
  json: boolean,
  place: CommandPlace,
): Promise<number> {
  const [, partner, crid] = /^(\d+)\/(.+)$/s.exec(key) ?? [];
  if (partner === undefined || crid === undefined) {
    throw new CommandError(`${key} is no creative: give PARTNER/CRID, as the list shows it.`, {
      exit: 'usage',
    });
  }
  const question = { demand_partner: readId('PARTNER', partner), crid, markup: true };
  const answer = await ask(place, '/internal/creatives', question, ListAnswerSchema);
  assertNoProblems(answer.problems);
  const [creative] = answer.creatives;
  if (creative === undefined) {
    const message = `${key} was not seen in the last 90 days; see rialto creatives.`;
    throw new CommandError(message, { exit: 'not_found' });
  }
  console.log(json ? showJson(creative) : describeCreative(creative));
  return 0;
}

/** `rialto creatives reviews`: all that was decided. */
export async function listReviews(json: boolean, place: CommandPlace): Promise<number> {
  const { reviews } = await ask(place, '/internal/creatives/reviews', {}, ReviewsAnswerSchema);
  if (json) console.log(showJson({ reviews }));
  else console.log(reviews.length === 0 ? 'Nothing was decided.' : describeReviews(reviews));
  return 0;
}

const DECISIONS = {
  block: { path: 'save', verdict: 'blocked', done: 'Blocked', already: 'Was blocked already' },
  approve: {
    path: 'save',
    verdict: 'approved',
    done: 'Approved',
    already: 'Was approved already',
  },
  unblock: {
    path: 'remove',
    verdict: 'blocked',
    done: 'No longer blocked',
    already: 'Was not blocked',
  },
  unapprove: {
    path: 'remove',
    verdict: 'approved',
    done: 'No longer approved',
    already: 'Was not approved',
  },
} as const;

export type Decision = keyof typeof DECISIONS;

/** `rialto creatives block` and its like. What stood like this before is no error. */
export async function decideCreative(
  decision: Decision,
  options: SubjectOptions,
  place: CommandPlace,
): Promise<number> {
  const { partner, publisher, crid, domain, reason, json } = options;
  const { path, verdict, done, already } = DECISIONS[decision];
  const question = {
    ...idField('demand_partner', '--partner', partner),
    ...idField('publisher', '--publisher', publisher),
    ...(crid === undefined ? {} : { crid }),
    ...(domain === undefined ? {} : { domain }),
    verdict,
    ...(path === 'remove' ? {} : { by: userInfo().username }),
    ...(reason === undefined ? {} : { reason }),
  };
  const address = `/internal/creatives/reviews/${path}`;
  const { problems, outcome } = await ask(place, address, question, ReviewAnswerSchema);
  assertNoProblems(problems);
  if (json) {
    console.log(showJson({ ...question, outcome }));
    return 0;
  }
  const of = partner === undefined ? '' : ` of partner ${partner}`;
  const where = publisher === undefined ? 'everywhere' : `at publisher ${publisher}`;
  const what = crid === undefined ? `advertiser ${domain}` : `creative ${crid}`;
  const isMissed = outcome === 'unchanged' && path === 'remove' && publisher === undefined;
  const hint = isMissed ? ' What holds at one publisher is taken back with --publisher.' : '';
  console.log(`${outcome === 'unchanged' ? already : done} ${where}: ${what}${of}.${hint}`);
  return 0;
}

/** @throws CommandError when no control is found, or it is of a version without creatives. */
async function ask<Schema extends TSchema>(
  place: CommandPlace,
  path: string,
  question: object,
  schema: Schema,
): Promise<Static<Schema>> {
  const answer = await controlOf(place).ask(path, question, schema);
  if (answer !== null) return answer;
  throw new CommandError('Control is of another version of Rialto, which knows no creatives.', {
    exit: 'unreachable',
  });
}

function controlOf({ flags, environment }: CommandPlace): ControlClient {
  const settings = requireSettings(flags, environment);
  const { dataDirectory, internalUrls } = settings;
  if (internalUrls.length === 0) assertDataDirectory(dataDirectory, 'GET /creatives/');
  const control = findControl(settings);
  if (control !== null) return control;
  throw new CommandError(
    `No node runs on ${dataDirectory}: start it, or name the control of another node with ` +
      '--internal-url (RIALTO_INTERNAL_URL).',
    { exit: 'unreachable' },
  );
}

function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new CommandError(problems.map(({ message }) => sentence(message)).join('\n'));
}

function sentence(message: string): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return text.endsWith('.') ? text : `${text}.`;
}

function idField(name: string, flag: string, text: string | undefined): Record<string, number> {
  return text === undefined ? {} : { [name]: readId(flag, text) };
}

function readId(flag: string, text: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && id > 0 && Number.isSafeInteger(id)) return id;
  throw new CommandError(`${flag} is ${text}; give an id, a whole number above 0.`, {
    exit: 'usage',
  });
}
