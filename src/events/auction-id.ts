/**
 * Auction ids are 32 hexadecimal digits: Unix time in milliseconds in the first twelve, then chance.
 * Tables that are ordered by time so say where an auction of some id is.
 */
const AUCTION_ID = /^[0-9a-f]{32}$/;

export const TIME_DIGITS = 12;

/** 2024 to 2100, as the analytics store takes it for plausible. */
const FIRST_MS = Date.UTC(2024, 0, 1);
const LAST_MS = Date.UTC(2100, 0, 1) - 1;

/**
 * When the auction of an id was held, in Unix time in milliseconds; null for what is no auction id.
 */
export function timeOfAuctionId(id: string): number | null {
  if (!AUCTION_ID.test(id)) return null;
  const timeMs = Number.parseInt(id.slice(0, TIME_DIGITS), 16);
  return timeMs >= FIRST_MS && timeMs <= LAST_MS ? timeMs : null;
}
