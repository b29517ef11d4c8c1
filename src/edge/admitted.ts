import type { IncomingMessage } from 'node:http';
import type { Market } from '../exchange/market.ts';
import type { ExchangeMetrics } from '../exchange/metrics.ts';
import { UNKNOWN_PUBLISHER, type Admission } from './admission.ts';

/** What decides which ad requests are taken on. */
export interface AdmissionParts {
  readonly admission: Admission;
  readonly metrics: ExchangeMetrics;
}

/** Whether the auction is to be held, by {@link holdAdmitted}; a refusal has been counted. */
export function isAdmitted({ admission, metrics }: AdmissionParts, publisher: number): boolean {
  const reason = admission.admit(publisher);
  if (reason === null) return true;
  metrics.countRefused(reason);
  return false;
}

/** Holds an auction that was admitted. */
export async function holdAdmitted(
  { admission, metrics }: AdmissionParts,
  hold: () => Promise<void>,
): Promise<void> {
  try {
    await hold();
  } catch (error) {
    metrics.countFailed('internal');
    throw error;
  } finally {
    admission.release();
  }
}

/** What a request waits for before it is read. */
export type FirstPiece =
  | { readonly kind: 'admitted'; readonly piece: Buffer }
  | { readonly kind: 'refused' }
  /** Nothing came, and nothing will. */
  | { readonly kind: 'empty' };

/**
 * Admits a request by the publisher that the first piece of its body names, which is nearly always all of
 * it. It is decided at once, before the piece is read, so that a refusal costs no turn.
 */
export function admitByBody(
  parts: AdmissionParts,
  request: IncomingMessage,
  market: Market | null,
  refuse: () => void,
): Promise<FirstPiece> {
  return new Promise((resolve) => {
    request.once('data', (piece: Buffer) => {
      if (isAdmitted(parts, publisherIn(piece, market))) {
        request.pause();
        resolve({ kind: 'admitted', piece });
      } else {
        refuse();
        resolve({ kind: 'refused' });
      }
    });
    // Both come later, and change nothing then, where a piece came.
    request.once('end', () => resolve({ kind: 'empty' }));
    request.once('close', () => resolve({ kind: 'empty' }));
  });
}

const AD_SPACE = Buffer.from('"tagid"');
/** What may follow the key, as far as it matters. */
const VALUE_BYTES_MAX = 64;
const VALUE = /^\s*:\s*"([^"\\]*)"/;

/**
 * The publisher of the first ad space that a piece of a body names, without reading the body. A gzipped one
 * names none.
 */
export function publisherIn(piece: Buffer, market: Market | null): number {
  const at = piece.indexOf(AD_SPACE);
  if (at < 0 || market === null) return UNKNOWN_PUBLISHER;
  const from = at + AD_SPACE.length;
  const [, adSpace = ''] = VALUE.exec(piece.toString('latin1', from, from + VALUE_BYTES_MAX)) ?? [];
  return market.space(adSpace)?.publisher.id ?? UNKNOWN_PUBLISHER;
}
