import { parseJson } from '../base/json.ts';
import { describeProblems } from '../base/problem.ts';
import { messageOf } from '../base/unknown-error.ts';
import type { CallOutcome } from '../events/auction-record.ts';
import type { BidderReply } from '../ports/bidder-client.ts';
import { describeNoBidReason, NO_BID_REASONS } from '../openrtb/no-bid-reason.ts';
import { validateBidResponse, type ReceivedResponse } from '../openrtb/validate-response.ts';
import type { PlannedCall } from './plan.ts';

/** What became of one planned call: exactly one outcome, and the bids that came with it. */
export interface CallResult {
  readonly call: PlannedCall;
  /** The id that this bid request carried. */
  readonly requestId: string;
  readonly outcome: CallOutcome;
  /** In a word or two, for counting; empty when the outcome says it all. */
  readonly reason: string;
  /** What was wrong, in words, for people; empty when nothing was. */
  readonly detail: string;
  readonly latencyUs: number;
  /** Null when nothing was sent. */
  readonly sent: SentRequest | null;
  /** HTTP status of the answer; 0 without one. */
  readonly status: number;
  /** The answer's body; empty without one, or where nobody wants it. */
  readonly response: string;
  /** Null unless the outcome is `bid`. */
  readonly answer: ReceivedResponse | null;
}

/** A bid request as it went out. */
export interface SentRequest {
  readonly body: string;
  /** What the bidder was told. */
  readonly tmaxMs: number;
  /** When it was sent, on the monotonic clock. */
  readonly atMs: number;
}

/** Reads a bidder's reply. Whatever it is, it is one of the outcomes; it disturbs nobody else. */
export function readReply(
  call: PlannedCall,
  requestId: string,
  reply: BidderReply,
  { latencyUs, sent }: { readonly latencyUs: number; readonly sent: SentRequest },
): CallResult {
  const { status, body: response } = reply.kind === 'answer' ? reply : NO_ANSWER;
  const known = { call, requestId, latencyUs, sent, status, response };
  const result = (outcome: CallOutcome, reason = '', detail = ''): CallResult => {
    return { ...known, outcome, reason, detail, answer: null };
  };
  switch (reply.kind) {
    case 'timeout':
      return result('timeout');
    case 'error':
      return result('error', reply.code);
    case 'busy':
      return result('throttled', 'busy', `${reply.inFlightMax} calls are open already`);
    case 'oversized':
      return result('no_bid', 'oversized', `the answer is larger than ${reply.bytesMax} bytes`);
    case 'answer':
      break;
  }
  if (status === 204) return result('no_bid');
  if (status !== 200) return result('error', `http_${status}`);
  if (response.trim() === '') return result('no_bid', 'empty');

  let parsed: unknown;
  try {
    parsed = parseJson(response);
  } catch (error) {
    const detail = messageOf(error);
    return result('no_bid', 'malformed', `the answer is not JSON: ${detail}`);
  }
  const checked = validateBidResponse(parsed, call.bidder.openrtbVersion);
  if (!checked.ok) {
    return result('no_bid', 'malformed', describeProblems(checked.problems));
  }
  const answer = checked.value;
  if (answer.bids.length === 0 && answer.malformed.length === 0) {
    const { nbr } = answer;
    if (nbr === undefined) return result('no_bid');
    // Reasons are counted one by one, so a bidder must not be able to invent them.
    if (nbr in NO_BID_REASONS.meanings) return result('no_bid', `nbr_${nbr}`);
    return result('no_bid', 'nbr_other', describeNoBidReason(nbr));
  }
  return { ...known, outcome: 'bid', reason: '', detail: '', answer };
}

const NO_ANSWER = { status: 0, body: '' };
