import Type from 'typebox';
import { CommandError } from '../base/errors.ts';
import {
  ShownCreativeReviewSchema,
  type ShownCreativeReview,
} from '../management/creative-reviews/schema.ts';
import { ShownCreativeSchema, type ShownCreative } from '../management/creatives/schema.ts';
import { apiOf } from './api/local-access.ts';
import { describeCreative, describeCreatives, describeReviews } from './creatives-table.ts';
import type { CommandPlace } from './program-tools.ts';
import { showJson } from './terminal-text.ts';

/** Creatives are listed to this number, unless they are printed as JSON. */
const LISTED_MAX = 200;
const ALL = 10_000;
const CREATIVES = '/api/creatives/';
const REVIEWS = '/api/creative-reviews/';

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
  const found = await findCreatives(place, {
    demand_partner: idOf('--partner', partner),
    publisher: idOf('--publisher', publisher),
    pending: pending || undefined,
    limit: json ? undefined : LISTED_MAX + 1,
  });
  const creatives = json ? found : found.slice(0, LISTED_MAX);
  if (json) console.log(showJson({ creatives }));
  else if (creatives.length === 0)
    console.log(
      pending ? 'No creatives are waiting for review.' : 'No creatives have been seen yet.',
    );
  else console.log(`${describeCreatives(creatives)}\n\n${COUNTS_AGE}`);
  if (found.length > creatives.length) {
    console.log('There are more: choose by --partner or --publisher, or --json.');
  }
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
    throw new CommandError(`${key} is not a creative: give PARTNER/CRID, as the list shows it.`, {
      exit: 'usage',
    });
  }
  const subject = { demand_partner: idOf('PARTNER', partner), crid, markup: true };
  const [creative] = await findCreatives(place, subject);
  if (creative === undefined) {
    const message = `${key} was not seen in the last 90 days; see rialto creatives.`;
    throw new CommandError(message, { exit: 'not_found' });
  }
  console.log(json ? showJson(creative) : describeCreative(creative));
  return 0;
}

/** `rialto creatives reviews`: all that was decided. */
export async function listReviews(json: boolean, place: CommandPlace): Promise<number> {
  const reviews = await findReviews(place, {});
  if (json) console.log(showJson({ reviews }));
  else console.log(reviews.length === 0 ? 'No decisions yet.' : describeReviews(reviews));
  return 0;
}

const DECISIONS = {
  block: { verdict: 'blocked', isTaken: true, done: 'Blocked' },
  approve: { verdict: 'approved', isTaken: true, done: 'Approved' },
  unblock: { verdict: 'blocked', isTaken: false, done: 'No longer blocked' },
  unapprove: { verdict: 'approved', isTaken: false, done: 'No longer approved' },
} as const;

export type Decision = keyof typeof DECISIONS;

/** `rialto creatives block` and its like. Nothing to take back is no error. */
export async function decideCreative(
  decision: Decision,
  options: SubjectOptions,
  place: CommandPlace,
): Promise<number> {
  const { partner, publisher, crid, domain, reason, json } = options;
  const { verdict, isTaken, done } = DECISIONS[decision];
  const subject = {
    demand_partner: idOf('--partner', partner),
    publisher: idOf('--publisher', publisher),
    crid,
    domain,
    verdict,
  };
  const changed = isTaken
    ? [await decide(place, { ...subject, reason })]
    : await takeBack(place, subject);
  if (json) {
    console.log(showJson({ reviews: changed }));
    return 0;
  }
  const of = partner === undefined ? '' : ` of partner ${partner}`;
  const where = publisher === undefined ? 'everywhere' : `at publisher ${publisher}`;
  const what = crid === undefined ? `advertiser ${domain}` : `creative ${crid}`;
  if (changed.length > 0) console.log(`${done} ${where}: ${what}${of}.`);
  else {
    const hint =
      publisher === undefined ? ' What holds at one publisher is taken back with --publisher.' : '';
    console.log(`Was not ${verdict} ${where}: ${what}${of}.${hint}`);
  }
  return 0;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function findCreatives(place: CommandPlace, query: Query): Promise<ShownCreative[]> {
  const call = { method: 'GET', path: CREATIVES, query: given(query) };
  return apiOf(place).ask(call, Type.Array(ShownCreativeSchema));
}

function findReviews(place: CommandPlace, query: Query): Promise<ShownCreativeReview[]> {
  const call = { method: 'GET', path: REVIEWS, query: given({ ...query, limit: ALL }) };
  return apiOf(place).ask(call, Type.Array(ShownCreativeReviewSchema));
}

function decide(place: CommandPlace, review: Query): Promise<ShownCreativeReview> {
  const headers = { 'content-type': 'application/json' };
  const call = { method: 'POST', path: REVIEWS, headers, body: JSON.stringify(review) };
  return apiOf(place).ask(call, ShownCreativeReviewSchema);
}

/** The list has all that are about the subject: also those of one publisher or of any partner. */
async function takeBack(place: CommandPlace, subject: Query): Promise<ShownCreativeReview[]> {
  const { publisher = null, demand_partner: partner = null } = subject;
  const reviews = (await findReviews(place, subject)).filter(
    (review) => review.publisher === publisher && review.demand_partner === partner,
  );
  for (const { id } of reviews) {
    await apiOf(place).tell({ method: 'DELETE', path: `${REVIEWS}${id}/` });
  }
  return reviews;
}

function given(query: Query): [name: string, value: string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

function idOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const id = Number(text);
  if (/^\d+$/.test(text) && id > 0 && Number.isSafeInteger(id)) return id;
  throw new CommandError(`${flag} is ${text}; give an id, a whole number above 0.`, {
    exit: 'usage',
  });
}
