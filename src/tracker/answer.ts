import type { ServerResponse } from 'node:http';

import { ERRORS, type ErrorCode } from '../base/errors.ts';
import { PIXEL } from '../base/pixel.ts';
import type { BeaconKind } from '../events/beacon-record.ts';

/**
 * Headers of every answer to a beacon: any page may send one and embed what comes back, nobody may
 * keep it, and where a click leads learns nothing of where it came from.
 */
const BEACON_HEADERS = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
} as const;

const RETRY_AFTER_S = '1';

/**
 * Tells that a beacon is settled, the first time and every time. A picture for what pages embed as
 * one; nothing for a win, which a server may take for markup, and for a click without a target.
 */
export function answerSettled(response: ServerResponse, kind: BeaconKind): void {
  if (kind === 'impression' || kind === 'view') {
    response.writeHead(200, {
      ...BEACON_HEADERS,
      'content-type': 'image/gif',
      'content-length': PIXEL.length,
    });
    response.end(PIXEL);
  } else {
    response.writeHead(204, BEACON_HEADERS);
    response.end();
  }
}

/** Leads a person on. @param target where a click leads, fit for a header. */
export function answerRedirect(response: ServerResponse, target: string): void {
  response.writeHead(302, { ...BEACON_HEADERS, location: target, 'content-length': 0 });
  response.end();
}

/** What a browser asks before a beacon with headers of its own. */
export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    ...BEACON_HEADERS,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '86400',
  });
  response.end();
}

export function answerText(response: ServerResponse, text: string): void {
  response.writeHead(200, {
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** An error of the table; one that may pass says when to come back. */
export function answerError(response: ServerResponse, code: ErrorCode): void {
  const { status, message } = ERRORS[code];
  const text = JSON.stringify({ code, message, errors: [] });
  if (status === 501) response.setHeader('connection', 'close');
  const retry = status === 503 || status === 421 ? { 'retry-after': RETRY_AFTER_S } : {};
  response.writeHead(status, {
    ...BEACON_HEADERS,
    ...retry,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
