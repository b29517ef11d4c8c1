import type { DayFacts, NoticeFacts } from '../../analytics/count-facts.ts';
import type { Sums } from '../../analytics/sums.ts';
import { shownValue, valueOf } from './figures.ts';
import type { Counted, TheirDay } from './uploaded-counts.ts';

/** Why the figures of a day differ, as far as the records tell. */
export interface Cause {
  readonly code: CauseCode;
  readonly sentence: string;
  readonly metrics: Counted[];
  readonly figures: Record<string, number>;
}

/** `docs/reference/exports.md` says what each of them means. */
type CauseCode =
  | 'day_missing'
  | 'rounding'
  | 'time_zone'
  | 'wins_as_impressions'
  | 'notices_not_delivered'
  | 'no_billing_notice'
  | 'notices_repeated'
  | 'auction_day'
  | 'test_traffic'
  | 'unconfirmed_wins'
  | 'records_expired'
  | 'unknown';

export interface CauseQuestion {
  readonly side: 'demand' | 'supply';
  readonly ours: Sums;
  /** Null for a day that they have no line of. */
  readonly theirs: TheirDay | null;
  readonly metrics: readonly Counted[];
  /** Null where nothing is kept, or nothing happened. */
  readonly facts: DayFacts | null;
  /** Whether raw records of the day are kept. */
  readonly isKept: boolean;
  /** Our figures in the hours of their day. */
  readonly shift: { readonly hours: number; readonly sums: Sums } | null;
}

/** What a difference might come from, with how much of it is left then. */
interface Guess {
  readonly cause: Cause;
  /** Of the difference, from 0 (it explains all) to 1. */
  readonly left: number;
}

/** Amounts rounded to cents, or each impression to a millionth of a dollar. */
const CENT_MICROS = 10_000_000n;
const IMPRESSION_MICROS = 1_000n;

/** The likeliest first; never empty. */
export function causesOf(question: CauseQuestion): Cause[] {
  const { theirs, isKept } = question;
  if (theirs === null) return [DAY_MISSING];
  const rounding = roundingOf(question, theirs);
  if (rounding !== null) return [rounding];
  const guesses = [
    ...shiftGuess(question, theirs),
    ...countGuesses(question, theirs),
    ...factGuesses(question, theirs),
  ].toSorted((a, b) => a.left - b.left);
  const causes = guesses.map(({ cause }) => cause);
  if (!isKept) return [...causes, RECORDS_EXPIRED];
  return causes.length > 0 ? causes : [UNKNOWN];
}

/** Only the money differs, by what rounding does. */
function roundingOf({ ours, metrics }: CauseQuestion, { counts }: TheirDay): Cause | null {
  const others = metrics.filter((metric) => metric !== 'revenue');
  const theirs = counts.get('revenue');
  if (theirs === undefined || others.length === 0) return null;
  if (others.some((metric) => counts.get(metric) !== valueOf(ours, metric))) return null;
  const difference = theirs - ours.cpmMicros;
  const size = difference < 0n ? -difference : difference;
  if (size > CENT_MICROS + BigInt(ours.impressions) * IMPRESSION_MICROS) return null;
  return {
    code: 'rounding',
    sentence: 'The counts agree, and the amounts differ by no more than rounding does.',
    metrics: ['revenue'],
    figures: { difference: shownValue(difference, 'revenue') },
  };
}

function shiftGuess({ ours, metrics, shift }: CauseQuestion, theirs: TheirDay): Guess[] {
  if (shift === null) return [];
  const { hours, sums } = shift;
  const zone = `UTC${hours > 0 ? '+' : '−'}${Math.abs(hours)}`;
  const [metric = 'impressions'] = metrics;
  return guess(
    { theirs, ours, metrics: [...metrics], instead: () => sums },
    {
      code: 'time_zone',
      sentence: `Their days fit ours when they begin at midnight of ${zone}: in the hours of that day we have counted what "figures" says.`,
      figures: {
        hours_ahead: hours,
        [`ours_${metric}`]: shownValue(valueOf(sums, metric), metric),
      },
    },
  );
}

/** What our counts alone suggest. */
function countGuesses({ ours, metrics }: CauseQuestion, theirs: TheirDay): Guess[] {
  if (!metrics.includes('impressions') || ours.wins === ours.impressions) return [];
  const instead = (sums: Sums): Sums => ({ ...sums, impressions: sums.wins });
  return guess(
    { theirs, ours, metrics: ['impressions'], instead },
    {
      code: 'wins_as_impressions',
      sentence: `Their impressions come nearer to our ${ours.wins} wins than to our impressions: an auction that was won is not an ad that was shown.`,
      figures: { wins: ours.wins, impressions: ours.impressions },
    },
  );
}

/** What the raw records suggest. */
function factGuesses(question: CauseQuestion, theirs: TheirDay): Guess[] {
  const { facts, side } = question;
  if (facts === null) return [];
  const { billing, win } = facts;
  const notices =
    side === 'supply'
      ? []
      : [
          ...noticeGuesses('billing', billing, { question, theirs }),
          ...noticeGuesses('win', win, { question, theirs }),
        ];
  return [
    ...notices,
    ...auctionDayGuess(question, theirs, facts),
    ...added(question, theirs, {
      code: 'test_traffic',
      sums: { impressions: facts.testImpressions, wins: facts.testWins },
      sentence: `There were tests on this day, which are counted nowhere here: ${facts.testWins} wins and ${facts.testImpressions} impressions.`,
      figures: { test_wins: facts.testWins, test_impressions: facts.testImpressions },
    }),
    ...added(question, theirs, {
      code: 'unconfirmed_wins',
      sums: { wins: Math.max(0, facts.offeredWins - facts.confirmedWins) },
      sentence: `Of ${facts.offeredWins} wins that the publisher decided about it took ${facts.confirmedWins}; the others count nowhere here.`,
      figures: { offered: facts.offeredWins, confirmed: facts.confirmedWins },
    }),
  ];
}

interface NoticePlace {
  readonly question: CauseQuestion;
  readonly theirs: TheirDay;
}

/** Who counts by our notices counts those that came, and one that came twice twice. */
function noticeGuesses(
  event: 'billing' | 'win',
  { due, delivered, givenUp, repeated }: NoticeFacts,
  { question, theirs }: NoticePlace,
): Guess[] {
  const { ours } = question;
  const counted: readonly Counted[] = event === 'billing' ? ['impressions', 'revenue'] : ['wins'];
  const metrics = counted.filter((metric) => question.metrics.includes(metric));
  const all = event === 'billing' ? ours.impressions : ours.wins;
  const pending = Math.max(0, due - delivered - givenUp);
  const figures = { due, delivered, given_up: givenUp, pending, repeated };
  const less = (missing: number) => (sums: Sums) => scaled(sums, event, all - missing, all);
  const guesses: Guess[] = [];
  if (givenUp + pending > 0) {
    guesses.push(
      ...guess(
        { theirs, ours, metrics, instead: less(givenUp + pending) },
        {
          code: 'notices_not_delivered',
          sentence: `Of ${due} ${event} notices of this day ${givenUp} were given up without an answer, and ${pending} are not known to be delivered.`,
          figures,
        },
      ),
    );
  }
  if (event === 'billing' && due < all) {
    guesses.push(
      ...guess(
        { theirs, ours, metrics, instead: less(all - delivered) },
        {
          code: 'no_billing_notice',
          sentence: `${all - due} of ${all} impressions were of bids without a billing notice, of which only the impression itself tells.`,
          figures: { impressions: all, ...figures },
        },
      ),
    );
  }
  if (repeated > 0) {
    guesses.push(
      ...guess(
        { theirs, ours, metrics, instead: less(-repeated) },
        {
          code: 'notices_repeated',
          sentence: `${repeated} ${event} notices were called more than once, since an answer did not come: they have one x-notice-id, and count once.`,
          figures,
        },
      ),
    );
  }
  return guesses;
}

function auctionDayGuess(
  { ours, metrics }: CauseQuestion,
  theirs: TheirDay,
  { fromDayBefore, onDayAfter }: DayFacts,
): Guess[] {
  const instead = (sums: Sums): Sums => ({
    impressions: sums.impressions - fromDayBefore.impressions + onDayAfter.impressions,
    clicks: sums.clicks - fromDayBefore.clicks + onDayAfter.clicks,
    wins: sums.wins - fromDayBefore.wins + onDayAfter.wins,
    cpmMicros: sums.cpmMicros - fromDayBefore.cpmMicros + onDayAfter.cpmMicros,
  });
  return guess(
    { theirs, ours, metrics: [...metrics], instead },
    {
      code: 'auction_day',
      sentence: `We count an impression on the day of its beacon: ${fromDayBefore.impressions} of this day are of auctions of the day before, and ${onDayAfter.impressions} of its auctions count on the next.`,
      figures: {
        of_day_before: fromDayBefore.impressions,
        on_day_after: onDayAfter.impressions,
      },
    },
  );
}

interface Addition extends Omit<Cause, 'metrics'> {
  readonly sums: Partial<Pick<Sums, 'impressions' | 'wins'>>;
}

/** What they may count beside ours. */
function added(
  { ours, metrics }: CauseQuestion,
  theirs: TheirDay,
  { sums: more, ...cause }: Addition,
): Guess[] {
  const counted = (['impressions', 'wins'] as const).filter(
    (metric) => metrics.includes(metric) && (more[metric] ?? 0) > 0,
  );
  const instead = (sums: Sums): Sums => ({
    ...sums,
    impressions: sums.impressions + (more.impressions ?? 0),
    wins: sums.wins + (more.wins ?? 0),
  });
  return guess({ theirs, ours, metrics: counted, instead }, cause);
}

/** An even share of impressions and of the money that they brought, or of the wins. */
function scaled(sums: Sums, event: 'billing' | 'win', part: number, whole: number): Sums {
  if (event === 'win') return { ...sums, wins: part };
  const cpmMicros = whole === 0 ? 0n : (sums.cpmMicros * BigInt(part)) / BigInt(whole);
  return { ...sums, impressions: part, cpmMicros };
}

interface Assumption {
  readonly theirs: TheirDay;
  readonly ours: Sums;
  /** What it may be about. */
  readonly metrics: readonly Counted[];
  /** Our figures, if we counted as they may do. */
  readonly instead: (sums: Sums) => Sums;
}

/** A cause for the metrics whose difference would be less; none where there is no such metric. */
function guess(
  { theirs, ours, metrics, instead }: Assumption,
  cause: Omit<Cause, 'metrics'>,
): Guess[] {
  const assumed = instead(ours);
  const nearer = metrics.flatMap((metric) => {
    const their = theirs.counts.get(metric) ?? 0n;
    const present = sizeOf(their - valueOf(ours, metric));
    const left = sizeOf(their - valueOf(assumed, metric));
    return left < present ? [{ metric, left: Number(left) / Number(present) }] : [];
  });
  if (nearer.length === 0) return [];
  const left = nearer.reduce((least, each) => Math.min(least, each.left), 1);
  return [{ cause: { ...cause, metrics: nearer.map(({ metric }) => metric) }, left }];
}

function sizeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

const DAY_MISSING: Cause = {
  code: 'day_missing',
  sentence: 'Their figures have no line of this day.',
  metrics: [],
  figures: {},
};

const RECORDS_EXPIRED: Cause = {
  code: 'records_expired',
  sentence: 'The raw records of this day are not kept any more, so that no more can be told.',
  metrics: [],
  figures: {},
};

const UNKNOWN: Cause = {
  code: 'unknown',
  sentence: 'Nothing in our records explains the difference.',
  metrics: [],
  figures: {},
};
