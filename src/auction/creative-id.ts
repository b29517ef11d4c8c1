import type { Bid } from '../openrtb/bid-response.ts';

/** Longer ids are cut, since they are recorded, stored and shown. */
const ID_LENGTH_MAX = 128;
/** What is kept of one that is too long; a hash of the whole of it follows. */
const ID_LENGTH_KEPT = 100;

/**
 * What a creative is called, within its demand partner: the bid's `crid`, else `adid:` and its ad id,
 * else `adm:` and a hash of its markup. The empty text while none of these is known.
 *
 * @param adm null while the markup is to come.
 */
export function creativeIdOf({ crid, adid }: Pick<Bid, 'crid' | 'adid'>, adm: string | null) {
  if (crid !== undefined) return boundedId(crid);
  if (adid !== undefined) return boundedId(`adid:${adid}`);
  return adm === null ? '' : `adm:${hashOf(adm)}`;
}

/** A creative's id as it is stored: the same text unless it is very long, or no text at all. */
export function boundedId(id: string): string {
  if (id.length <= ID_LENGTH_MAX) return id.isWellFormed() ? id : id.toWellFormed();
  return `${id.slice(0, ID_LENGTH_KEPT).toWellFormed()}~${hashOf(id)}`;
}

/**
 * Two 32-bit hashes as 16 hexadecimal digits. They tell apart what one partner sends; whoever looks
 * for two texts of one hash can only mistake its own creatives for one another.
 */
function hashOf(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
  }
  return hexOf(mix(one, other)) + hexOf(mix(other, one));
}

function mix(hash: number, with_: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (half ^ Math.imul(with_ ^ (with_ >>> 13), 0xc2b2ae35)) >>> 0;
}

function hexOf(hash: number): string {
  return hash.toString(16).padStart(8, '0');
}
