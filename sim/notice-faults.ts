import type { ServerResponse } from 'node:http';
import type { NoticeKind } from './notice-ledger.ts';
import type { Random } from './random.ts';
import { assertRates, chooseByRate, type Rates } from './rates.ts';
import { after, sendAnswer, type Answer } from './wire.ts';

/** What can be wrong with the way in which a bidder takes a notice. */
export const NOTICE_FAULTS = [
  /** Reads the notice and never answers. */
  'hang',
  /** Closes the connection without an answer. */
  'refuse',
  'status500',
  /** Answers as it should, but late. */
  'slow',
  /** Answers 302 to a place of its own, which counts whoever goes there. */
  'redirect',
] as const;

export type NoticeFault = (typeof NOTICE_FAULTS)[number];

/** How often each fault happens to a notice, each between 0 and 1 and together at most 1. */
export type NoticeFaultRates = Rates<NoticeFault>;

/** A fault that every notice meets, for as long as a test wants it. */
export interface NoticeFailure {
  readonly fault: NoticeFault;
  /** The kinds that meet it; all of them when left out. */
  readonly kinds?: readonly NoticeKind[];
  /** How late a slow answer is, in milliseconds; `NOTICE_SLOW_MS` when left out. */
  readonly slowMs?: number;
}

/** Longer than an exchange should wait for a notice. */
const NOTICE_SLOW_MS = 3000;

/** Where a redirect leads. No notice has this path. */
export const REDIRECT_PATH = '/notice/elsewhere';

/** Throws a RangeError when rates are no probabilities or add up to more than 1. */
export function assertNoticeFaultRates(rates: NoticeFaultRates): void {
  assertRates(NOTICE_FAULTS, rates);
}

/** The fault of one notice, if it has one. Takes exactly one draw. */
export function chooseNoticeFault(
  rates: NoticeFaultRates,
  random: Random,
): NoticeFault | undefined {
  return chooseByRate(NOTICE_FAULTS, rates, random);
}

/** Answers a notice with a fault; `answer` is what it would have got without. */
export function sendNoticeFault(
  { fault, slowMs = NOTICE_SLOW_MS }: NoticeFailure,
  response: ServerResponse,
  answer: Answer,
): void {
  switch (fault) {
    case 'hang':
      return undefined;
    case 'refuse':
      response.socket?.resetAndDestroy();
      return undefined;
    case 'status500':
      return sendAnswer(response, { status: 500, body: 'out of order' });
    case 'slow':
      return after(response, slowMs, () => sendAnswer(response, answer));
    case 'redirect':
      return sendAnswer(response, { status: 302, headers: { location: REDIRECT_PATH } });
  }
}
