import type { BidRequest } from '../src/openrtb/bid-request.ts';

/**
 * A bid request from its text, or undefined when it is none. Only what a bidder relies on is
 * checked (an id, and impressions with ids): a simulator need not judge the exchange's request,
 * the tests that read `bidder.requests` do.
 */
export function decodeBidRequest(text: string): BidRequest | undefined {
  const request = parseJson(text);
  return isBidRequest(request) ? request : undefined;
}

function isBidRequest(value: unknown): value is BidRequest {
  const request = recordOf(value);
  const imps = listOf(request?.['imp']);
  const sound = imps.length > 0 && imps.every((imp) => typeof recordOf(imp)?.['id'] === 'string');
  return sound && typeof request?.['id'] === 'string';
}

/** What JSON says, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value as an object with fields, or undefined where it is none. */
export function recordOf(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as a list; what is no list is an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value where it is a number, otherwise the one given. */
export function numberOr<T>(value: unknown, otherwise: T): number | T {
  return typeof value === 'number' ? value : otherwise;
}

/** The value where it is a text, otherwise the one given. */
export function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}
