import type { BidderHealth } from '../../exchange/bidder-health.ts';
import type { BudgetRefusal } from '../../limits/auction-limits.ts';
import { meaningOf } from '../../openrtb/enumerated-list.ts';
import { NO_BID_REASONS } from '../../openrtb/no-bid-reason.ts';
import type { PrivacyReason } from '../../privacy/effects.ts';
import { asClause } from './wording.ts';

/** Why a partner that matched was not asked: those that other modules name, and those of a plan. */
type ThrottleReason =
  | BudgetRefusal
  | PrivacyReason
  | NonNullable<ReturnType<BidderHealth['admit']>>
  | 'bidder_qps'
  | 'lineitem_qps'
  | 'stopped'
  | 'no_format'
  | 'test_in_2.2'
  | 'no_time'
  | 'busy'
  | 'internal';

/** Each completes "was not asked: …". */
export const THROTTLE_CLAUSES: Readonly<Record<ThrottleReason, string>> = {
  bidder_qps: 'its limit of bid requests a second was used up',
  lineitem_qps: 'the line items that matched had used up their bid requests of that second',
  daily_impressions: 'the line items that matched had used up their impressions of the day',
  daily_spend: 'the line items that matched had used up their spend of the day',
  no_lease: 'the exchange process held no part of the daily budget of the line items that matched',
  gdpr_consent_missing: 'GDPR applies and the request carried no consent string',
  gdpr_consent_unreadable: 'GDPR applies and the consent string could not be read',
  gdpr_vendor_id_missing: 'GDPR applies and the partner has no id in the global vendor list',
  gdpr_vendor_not_disclosed:
    'the consent string does not name it among the vendors that the user was told of',
  gdpr_purpose_2_refused: 'the consent string does not allow it purpose 2, selecting basic ads',
  unhealthy: 'its bidder had failed too often, and is tried with single requests until it recovers',
  stopped: 'the operator has stopped its bidder',
  no_format: 'its bidder has neither words nor creatives for what was on sale',
  'test_in_2.2': 'the request was a test, which OpenRTB 2.2 cannot say',
  no_time: 'no time was left for an answer',
  busy: 'too many of its bid requests were open already',
  internal: 'the exchange failed to write its bid request',
};

/** Why a partner that matched was not asked, to complete "was not asked: …". */
export function describeThrottle(reason: string): string {
  return lookUp(THROTTLE_CLAUSES, reason) ?? `the reason was ${reason}`;
}

/** The reasons of an answer without a bid; each completes "answered without a bid: …". */
export const NO_BID_CLAUSES = {
  '': 'it did not say why',
  empty: 'the body was empty',
  malformed: 'the body was no bid response',
  oversized: 'the body was too large',
  nbr_other: 'it gave a reason that OpenRTB does not name',
};

const NBR = /^nbr_(\d+)$/;

/** @param detail what was wrong with the answer; empty when nothing was. */
export function describeNoBid(reason: string, detail: string): string {
  const code = NBR.exec(reason)?.[1];
  if (code !== undefined) {
    const meaning = meaningOf(NO_BID_REASONS, Number(code)) ?? 'a reason of its own';
    return `it gave as its reason ${asClause(meaning)} (nbr ${code})`;
  }
  const clause = lookUp(NO_BID_CLAUSES, reason) ?? `the reason was ${reason}`;
  return detail === '' ? clause : `${clause} (${asClause(detail)})`;
}

/** Codes of ours, and those of others that say little to who does not know them. */
export const ERROR_CLAUSES = {
  ERR_INVALID_URL: 'the address of its bidder cannot be called',
  ERR_ADDRESS_REFUSED: 'its bidder is at an address that is not public and that no range allows',
  ERR_CONTENT_ENCODING: 'the answer was neither plain nor gzipped',
  ERR_DEFLATE: 'the bid request could not be compressed',
  ERR_EXPIRED: 'the time was over before the bid request was ready',
  internal: 'the exchange failed to read its answer',
  ERR_INVALID_HEADER: 'a header that its bidder is to be called with is not valid',
  ERR_CLIENT_CLOSED: 'the exchange process was ending',
  ERR_CONNECT_TIMEOUT: 'its bidder could not be connected to within a second',
  ERR_CONNECTION_CLOSED: 'its bidder closed the connection before the answer was complete',
  ERR_ANSWER_STATUS_LINE: 'the answer did not begin with a status line of HTTP/1.1',
  ERR_ANSWER_INTERIM: 'the answer changed the protocol, or followed more than five interim ones',
  ERR_ANSWER_HEADER: 'a header of the answer was malformed',
  ERR_ANSWER_HEAD_SIZE: 'the headers of the answer took more than 16 kB',
  ERR_ANSWER_LENGTH: 'the answer said nothing of its length, or nothing that could be relied on',
  ERR_ANSWER_CHUNK: 'the chunks of the answer were malformed',
  ECONNREFUSED: 'its bidder refused the connection (ECONNREFUSED)',
  ECONNRESET: 'its bidder broke the connection off (ECONNRESET)',
  ENOTFOUND: 'the name of its bidder was not found (ENOTFOUND)',
};

const HTTP = /^http_(\d+)$/;

/** What went wrong with a call; completes "the call failed: …". */
export function describeError(reason: string): string {
  const status = HTTP.exec(reason)?.[1];
  if (status !== undefined) return `its bidder answered with HTTP status ${status}`;
  return lookUp(ERROR_CLAUSES, reason) ?? `the connection failed or was broken off (${reason})`;
}

/** A reason comes from a record, and is none of the object's own inherited names. */
function lookUp(clauses: Readonly<Record<string, string>>, reason: string): string | undefined {
  return Object.hasOwn(clauses, reason) ? clauses[reason] : undefined;
}
