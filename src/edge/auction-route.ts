import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../base/errors.ts';
import { contentCodingOf } from '../base/inflate.ts';
import { parseJson } from '../base/json.ts';
import type { Problem } from '../base/problem.ts';
import type { AuctionAnswer, Exchange } from '../exchange/exchange.ts';
import type { Caller } from '../exchange/facts.ts';
import { validateIncomingRequest } from '../openrtb/validate-incoming.ts';
import type { AdmissionParts } from './admitted.ts';
import { answerError, answerJson, answerNothing, nameAuction } from './answer.ts';
import { BodyReader } from './read-body.ts';
import { readAuctionUser, setKeepsakes, type UserParts } from './user-matching.ts';

/** The longest body of an ad request, in bytes, also inflated. Real ones have one to ten kilobytes. */
export const AUCTION_BODY_BYTES_MAX = 256 * 1024;

/** What an ad request meets. */
export interface AuctionParts extends AdmissionParts {
  readonly exchange: Exchange;
  readonly users: UserParts;
}

/** An HTTP request and its response. */
export interface HttpPair {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface ArrivedRequest extends HttpPair {
  /** When it arrived, on the monotonic clock. */
  readonly startMs: number;
}

/**
 * `POST /openrtb2/auction`: an OpenRTB 2.5 request from a publisher's server, or from a header
 * bidding wrapper in a browser (which sends `text/plain` to spare itself a preflight).
 *
 * @param arrived with the reader of its body, where that is being read already.
 */
export async function handleAuction(
  { exchange, metrics, users }: AuctionParts,
  caller: Caller,
  arrived: ArrivedRequest & { readonly body: BodyReader | null },
): Promise<void> {
  const { request, response, startMs } = arrived;
  const refuse = (code: ErrorCode, problems: readonly Problem[] = []): void => {
    metrics.countFailed('invalid');
    answerError(response, code, problems);
  };
  const coding = codingOf(request);
  if (coding === null || !isReadable(request)) {
    // Or the next request on the connection would wait behind it.
    arrived.body?.discard();
    return refuse('unsupported_media_type');
  }
  const reader = arrived.body ?? new BodyReader(request, AUCTION_BODY_BYTES_MAX);
  const body = await reader.read(coding);
  if (body.kind === 'aborted') return metrics.countFailed('aborted');
  if (body.kind === 'too_large') {
    const message = `the body is larger than ${AUCTION_BODY_BYTES_MAX} bytes`;
    return refuse('body_too_large', [{ pointer: '', message }]);
  }
  if (body.kind === 'broken') {
    return refuse('invalid_json', [{ pointer: '', message: 'the body is no whole gzip' }]);
  }
  let parsed: unknown;
  try {
    parsed = parseJson(body.text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refuse('invalid_json', [{ pointer: '', message }]);
  }
  const checked = validateIncomingRequest(parsed);
  if (!checked.ok) return refuse('invalid_request', checked.problems);

  // Cookies are the browser's: those of a publisher's server would be of nobody in front of a screen.
  const user = caller.fromBrowser ? readAuctionUser(users, request) : null;
  const known = user === null ? caller : { ...caller, user: user.caller };
  const answer = await exchange.hold(checked.value, known, startMs);
  if (user !== null && 'keepsakes' in answer) setKeepsakes(users, user, answer.keepsakes, response);
  answerAuction(response, answer);
}

function answerAuction(response: ServerResponse, answer: AuctionAnswer): void {
  switch (answer.kind) {
    case 'filled':
      return answerJson(response, 200, answer.response);
    case 'unfilled':
      if (answer.response === undefined) return answerNothing(response, answer.auctionId);
      nameAuction(response, answer.auctionId);
      return answerJson(response, 200, answer.response);
    case 'invalid':
      return answerError(response, 'invalid_request', answer.problems);
    case 'late':
      return answerError(response, 'overloaded');
    case 'not_ready':
      return answerError(response, 'not_ready');
    case 'unrecorded':
      return answerError(response, 'journal_unavailable');
  }
}

/**
 * How the body is packed, as the header says; in a page `?gzip=1` says it instead, because that header
 * would cost a preflight. Null for a coding that nobody reads here.
 */
function codingOf({ headers, url = '' }: IncomingMessage): 'plain' | 'gzip' | null {
  const coding = contentCodingOf(headers['content-encoding']);
  const query = url.indexOf('?');
  if (coding !== 'plain' || query < 0) return coding;
  return new URLSearchParams(url.slice(query)).get('gzip') === '1' ? 'gzip' : 'plain';
}

const MEDIA_TYPES = new Set(['application/json', 'text/plain']);

function isReadable({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  return type !== undefined && MEDIA_TYPES.has(type);
}
