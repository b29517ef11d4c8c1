import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS, type ErrorCode } from '../base/errors.ts';
import { PIXEL } from '../base/pixel.ts';
import type { Problem } from '../base/problem.ts';
import { wellFormedJson } from '../base/well-formed-json.ts';
import { dateLine, headOf, wholeAnswerSocket, writeWhole } from './whole-answer.ts';

/** Every answer is about one moment: nobody may keep it. */
const CACHE = { 'cache-control': 'no-store' } as const;

export function answerJson(response: ServerResponse, status: number, body: object): void {
  const text = wellFormedJson(body);
  const bytes = Buffer.byteLength(text);
  const socket = status === 200 ? wholeAnswerSocket(response) : null;
  if (socket !== null) {
    const whole = `${JSON_HEAD}${dateLine()}content-length: ${bytes}\r\n\r\n${text}`;
    // One byte for each character is cheaper to write, and what it mostly takes.
    return writeWhole(response, socket, whole, bytes === text.length ? 'latin1' : 'utf8');
  }
  response.writeHead(status, {
    ...CACHE,
    'content-type': 'application/json',
    'content-length': bytes,
  });
  response.end(text);
}

const JSON_HEAD = headOf('200 OK', ['cache-control: no-store', 'content-type: application/json']);

/** @param auctionId of an auction that nobody won; see `nameAuction`. */
export function answerNothing(response: ServerResponse, auctionId?: string): void {
  const socket = wholeAnswerSocket(response);
  if (socket !== null) {
    const named = auctionId === undefined ? '' : `${AUCTION_ID}: ${auctionId}\r\n`;
    return writeWhole(response, socket, `${NOTHING_HEAD}${dateLine()}${named}\r\n`);
  }
  if (auctionId !== undefined) nameAuction(response, auctionId);
  response.writeHead(204, CACHE);
  response.end();
}

const NOTHING_HEAD = headOf('204 No Content', ['cache-control: no-store']);
const AUCTION_ID = 'x-auction-id';

/** Says by which id an auction that nobody won can be explained: its answer has no other place for it. */
export function nameAuction(response: ServerResponse, auctionId: string): void {
  response.setHeader(AUCTION_ID, auctionId);
}

export function answerText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    ...CACHE,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** A document, and what is said of it. */
export interface AnswerDocument {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function answerDocument(response: ServerResponse, { text, headers }: AnswerDocument): void {
  response.writeHead(200, { ...CACHE, ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/**
 * A tag may be called from any page, by a player or a script. A page is named back, because the
 * cookies of user matching come along for no other answer. A sandboxed frame, as ads are in, has none.
 */
export function allowAnyPage(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  response.setHeader('access-control-allow-origin', origin ?? '*');
  response.setHeader('vary', 'origin');
  if (origin !== undefined && origin !== 'null')
    response.setHeader('access-control-allow-credentials', 'true');
  if (request.method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', 'GET, HEAD, OPTIONS');
  response.setHeader('access-control-allow-headers', 'content-type');
  response.setHeader('access-control-max-age', '86400');
}

/**
 * A page of the exchange itself.
 *
 * @param policy its Content-Security-Policy.
 */
export function answerPage(response: ServerResponse, html: string, policy: string): void {
  response.writeHead(200, {
    ...CACHE,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'content-security-policy': policy,
    // Not "no-referrer", with which a form of the page would not say where it comes from.
    'referrer-policy': 'same-origin',
  });
  response.end(html);
}

/** A picture of one point, which any page may embed. */
export function answerPixel(response: ServerResponse): void {
  response.writeHead(200, {
    ...CACHE,
    'content-type': 'image/gif',
    'content-length': PIXEL.length,
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
  });
  response.end(PIXEL);
}

/**
 * Answers an ad request with an error of the table: `{"code","message","errors"}`. A 503 says when
 * to come back; after a body that was not read to its end the connection closes.
 */
export function answerError(
  response: ServerResponse,
  code: ErrorCode,
  errors: readonly Problem[] = [],
): void {
  const { status, message } = ERRORS[code];
  if (status === 503) response.setHeader('retry-after', '1');
  if (status === 413 || status === 501) response.setHeader('connection', 'close');
  answerJson(response, status, { code, message, errors });
}
