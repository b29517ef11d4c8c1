import type { CallSum } from '../../analytics/funnel.ts';
import {
  describeError,
  describeNoBid,
  describeThrottle,
  type ERROR_CLAUSES,
  type NO_BID_CLAUSES,
  type THROTTLE_CLAUSES,
} from '../auctions/call-reasons.ts';

/**
 * What a demand partner can do about bid requests that came to nothing, by what `call-reasons.ts` has
 * words for: a reason that is added there without an action does not compile here.
 */

const CONSENT =
  'There is nothing to change on your side: the publisher has to send a consent string that can be read.';
const LIMIT =
  'Raise the limit of the line items that should have had them, or the budget that is left.';
const DEFECT = 'There is nothing to change on your side: tell the operator.';

export const THROTTLE_ACTIONS: Readonly<Record<keyof typeof THROTTLE_CLAUSES, string>> = {
  bidder_qps: 'Raise `max_qps` of your bidder if it can take more.',
  lineitem_qps: 'Raise `capping.max_qps` of the line items, or narrow their targeting.',
  daily_impressions: LIMIT,
  daily_spend: LIMIT,
  no_lease:
    'Raise the daily limit if it is nearly used up; otherwise ask the operator whether control is well.',
  gdpr_consent_missing: CONSENT,
  gdpr_consent_unreadable: CONSENT,
  gdpr_vendor_id_missing: 'Give the operator your id in the global vendor list.',
  gdpr_vendor_not_disclosed:
    'Ask the publisher to name you, by your id in the global vendor list, among the vendors of its consent banner.',
  gdpr_purpose_2_refused:
    'There is nothing to change: the person has not agreed to ads that you select.',
  unhealthy:
    'Look for errors and timeouts of your bidder: it is called again as soon as it answers.',
  stopped: 'Ask the operator why your bidder was stopped, and to start it again.',
  no_format:
    'Let the operator know which formats, and which OpenRTB version, your bidder takes, or narrow the targeting to them.',
  'test_in_2.2': 'There is nothing to change, unless your bidder can take OpenRTB 2.5.',
  no_time:
    'There is nothing to change on your side: the publisher gave the auction too little time.',
  busy: 'Answer faster, or raise `max_concurrency` of your bidder if it can take more at a time.',
  internal: DEFECT,
};

export const NO_BID_ACTIONS: Readonly<Record<keyof typeof NO_BID_CLAUSES, string>> = {
  '': "Send `nbr` to tell why, and narrow your line items' targeting to what you would bid on.",
  empty: 'Answer with status 204 where you do not bid.',
  malformed:
    'Open such an auction to see what is wrong with the answer, and correct it in your bidder.',
  oversized: 'Send shorter markup, or fewer bids, in one answer.',
  nbr_other: 'Send a reason of OpenRTB list 5.24, so that it can be told here.',
};

const SPEAK_HTTP = 'Look at what your server, or a proxy before it, writes: it is not HTTP/1.1.';

export const ERROR_ACTIONS: Readonly<Record<keyof typeof ERROR_CLAUSES, string>> = {
  ERR_INVALID_URL: "Correct your bidder's address.",
  ERR_ADDRESS_REFUSED: 'Give your bidder a public address, or ask the operator to allow its range.',
  ERR_CONTENT_ENCODING: 'Answer plainly or with gzip.',
  ERR_DEFLATE: DEFECT,
  ERR_EXPIRED: 'There is nothing to change on your side: tell the operator if it is frequent.',
  internal: DEFECT,
  ERR_INVALID_HEADER: "Correct the headers in your bidder's settings.",
  ERR_CLIENT_CLOSED: 'There is nothing to change: the exchange was being restarted.',
  ERR_CONNECT_TIMEOUT: 'Check that your bidder takes new connections quickly, TLS included.',
  ERR_CONNECTION_CLOSED:
    'Keep connections open longer than a minute, and do not close them before the answer is complete.',
  ERR_ANSWER_STATUS_LINE: SPEAK_HTTP,
  ERR_ANSWER_INTERIM: 'Answer without interim responses, and do not switch protocols.',
  ERR_ANSWER_HEADER: SPEAK_HTTP,
  ERR_ANSWER_HEAD_SIZE: 'Send fewer and shorter headers.',
  ERR_ANSWER_LENGTH:
    'Send either one `Content-Length` or `Transfer-Encoding: chunked` with every answer.',
  ERR_ANSWER_CHUNK: SPEAK_HTTP,
  ECONNREFUSED: 'Check that your bidder runs and listens at its address.',
  ECONNRESET:
    'Keep connections open longer than a minute, and do not close them before the answer.',
  ENOTFOUND: "Check the host name in your bidder's address.",
};

/** What became of bid requests, in a sentence, and what can be done about it in another. */
export interface CallTelling {
  readonly meaning: string;
  readonly action: string;
}

/** Of bid requests that did not end in bids. */
export function tellCall({ outcome, reason }: Pick<CallSum, 'outcome' | 'reason'>): CallTelling {
  switch (outcome) {
    case 'throttled':
      return {
        meaning: `Your line items matched and you were not asked: ${describeThrottle(reason)}.`,
        action: actionIn(THROTTLE_ACTIONS, reason),
      };
    case 'timeout':
      return {
        meaning: 'The answer had not come when the auction stopped waiting.',
        action: 'Answer within `tmax`, the way through the network included.',
      };
    case 'error':
      return {
        meaning: `The call failed: ${describeError(reason)}.`,
        action: reason.startsWith('http_')
          ? "Look for this status in your bidder's log; answer with 200 for bids and 204 for none."
          : actionIn(ERROR_ACTIONS, reason),
      };
    case 'no_bid':
      return {
        meaning: `The answer had no bid: ${describeNoBid(reason, '')}.`,
        action: actionIn(
          NO_BID_ACTIONS,
          reason,
          "If you did not mean it, look for this reason in your bidder; if you did, narrow your line items' targeting.",
        ),
      };
    case 'bid':
      return { meaning: 'The answer had bids.', action: 'There is nothing to do.' };
  }
}

/** A reason comes from a record, and is none of the object's own inherited names. */
function actionIn(
  actions: Readonly<Record<string, string>>,
  reason: string,
  otherwise = 'Open such an auction to see what happened, and tell the operator if it is not clear.',
): string {
  return (Object.hasOwn(actions, reason) ? actions[reason] : undefined) ?? otherwise;
}
