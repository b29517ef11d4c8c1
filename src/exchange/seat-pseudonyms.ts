import { createHmac } from 'node:crypto';
import type { KeyRing } from '../beacons/key-ring.ts';
import type { NameSeat } from './seat-non-bids.ts';

/** Characters of a pseudonym: 96 bits, so that no two partners of an exchange share one. */
const PSEUDONYM_CHARS = 24;

/**
 * Names the seats of demand partners by pseudonyms: the same for a publisher each time, another one for
 * every publisher, and nothing that a publisher could find the partner by.
 *
 * @param ring of keys that nothing replaces by itself. The oldest of them makes the names, so that they
 *   stay while an operator puts newer ones beside it.
 */
export function createSeatPseudonyms(ring: () => KeyRing): NameSeat {
  return (publisherId, demandPartnerId) => {
    const [oldest] = [...ring().byId.values()].sort((a, b) => a.sealsFromMs - b.sealsFromMs);
    if (oldest === undefined) throw new Error('a key ring without a key');
    return createHmac('sha256', oldest.secret)
      .update(`seat pseudonym ${publisherId} ${demandPartnerId}`)
      .digest('hex')
      .slice(0, PSEUDONYM_CHARS);
  };
}
