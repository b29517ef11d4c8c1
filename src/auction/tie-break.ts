/**
 * A number that orders equal bids by chance, but by the same chance every time: the 32-bit FNV-1a
 * hash of both ids. No bidder can steer it without knowing the auction's id beforehand, and a
 * bidder that tries bid ids for a given auction gains one tie among equals.
 */
export function tieBreak(auctionId: string, bidId: string): number {
  return fnv1a(bidId, fnv1a(auctionId, 0x811c9dc5));
}

function fnv1a(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
