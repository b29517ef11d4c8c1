import type { KeyRing } from '../beacons/key-ring.ts';
import { sealerOf, type NonceSource } from '../beacons/token.ts';
import type { ExchangeParts } from './exchange.ts';

export interface SealOptions {
  /** The tracker as pages reach it, without a slash at the end. */
  readonly trackerUrl: string;
  /** The tracker that counts, by the incarnation of its data directory. */
  readonly home: string;
  /** Asked for each winner: keys change while the exchange runs. */
  readonly keys: { readonly ring: KeyRing };
  readonly drawNonce: NonceSource;
}

/**
 * Makes the beacons of winners: addresses of the tracker with all that their records need, sealed.
 * An impression makes the bidder's billing notice due; where the publisher decides it confirms the
 * win as well, as the win's own address does.
 */
export function createSeal(options: SealOptions): ExchangeParts['seal'] {
  const { trackerUrl, home, keys, drawNonce } = options;
  return (imp, { nurl, burl }) => {
    const seal = sealerOf({ home, imp }, keys.ring, drawNonce);
    const decides = imp.fd === 1;
    return {
      win: decides ? `${trackerUrl}/win/${seal('win', nurl)}` : null,
      impression: `${trackerUrl}/imp/${seal('impression', burl, decides ? nurl : '')}`,
      view: `${trackerUrl}/view/${seal('view')}`,
      click: `${trackerUrl}/click/${seal('click')}`,
    };
  };
}
