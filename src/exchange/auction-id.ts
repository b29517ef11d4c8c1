import { TIME_DIGITS } from '../events/auction-id.ts';

/** Too many to guess one, and more than ever meet in one millisecond. */
export const RANDOM_BYTES = 10;

/**
 * Makes auction ids: the layout of a UUID of version 7 without its marks, so that ids sort by time.
 *
 * @param drawRandom gives `RANDOM_BYTES` bytes of chance, good until the next call.
 * @param unixTime in milliseconds.
 */
export function createAuctionIds(drawRandom: () => Buffer, unixTime: () => number): () => string {
  return () => {
    const time = unixTime().toString(16).padStart(TIME_DIGITS, '0');
    return `${time}${drawRandom().toString('hex')}`;
  };
}
