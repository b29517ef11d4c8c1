import type { Market } from '../exchange/market.ts';
import type { ExchangeMetrics } from '../exchange/metrics.ts';
import { beginningOf } from '../base/inflate.ts';
import { UNKNOWN_PUBLISHER, type Admission } from './admission.ts';
import type { BodyReader } from './read-body.ts';

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

/**
 * Admits a request by the publisher that the first piece of its body names, which is nearly always all of
 * it. It is decided at once, before the piece is read, so that a refusal costs no turn.
 *
 * @param refuse called for one that is not admitted.
 */
export function admitByBody(
  parts: AdmissionParts,
  body: BodyReader,
  market: Market | null,
  refuse: () => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    body.first((piece) => {
      const publisher = piece === null ? UNKNOWN_PUBLISHER : publisherIn(piece, market);
      const admitted = isAdmitted(parts, publisher);
      if (!admitted) {
        refuse();
        body.discard();
      }
      resolve(admitted);
    });
  });
}

const AD_SPACE = Buffer.from('"tagid"');
/** What may follow the key, as far as it matters. */
const VALUE_BYTES_MAX = 64;
const VALUE = /^\s*:\s*"([^"\\]*)"/;

/** How gzip begins (RFC 1952). */
const GZIP = Buffer.from([0x1f, 0x8b, 8]);
/** As much of gzip as is looked into, and of what is in it. Impressions mostly come first. */
const GZIP_BYTES_MAX = 512;
const INFLATED_BYTES_MAX = 16 * 1_024;

/** The publisher of the first ad space that a piece of a body names, without reading the body. */
export function publisherIn(piece: Buffer, market: Market | null): number {
  if (market === null) return UNKNOWN_PUBLISHER;
  const isZipped = piece.length > GZIP.length && GZIP.equals(piece.subarray(0, GZIP.length));
  const text = isZipped
    ? beginningOf(piece.subarray(0, GZIP_BYTES_MAX), INFLATED_BYTES_MAX)
    : piece;
  const at = text.indexOf(AD_SPACE);
  if (at < 0) return UNKNOWN_PUBLISHER;
  const from = at + AD_SPACE.length;
  const [, adSpace = ''] = VALUE.exec(text.toString('latin1', from, from + VALUE_BYTES_MAX)) ?? [];
  return market.space(adSpace)?.publisher.id ?? UNKNOWN_PUBLISHER;
}
