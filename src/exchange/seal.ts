import { clickTarget } from '../beacons/click-target.ts';
import type { KeyRing } from '../beacons/key-ring.ts';
import { sealWin, type NonceSource } from '../beacons/token.ts';
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
    const decides = imp.fd === 1;
    const win = { home, burl, nurl: decides ? nurl : '', clickUrl: '', imp };
    const seal = sealWin(win, keys.ring, drawNonce);
    return {
      win: decides ? `${trackerUrl}/win/${seal('win')}` : null,
      impression: `${trackerUrl}/imp/${seal('impression')}`,
      view: `${trackerUrl}/view/${seal('view')}`,
      click: `${trackerUrl}/click/${seal('click')}`,
      // A token of its own: all kinds of one win share what is sealed, and this one leads elsewhere.
      clickTo: (target) => {
        const clickUrl = clickTarget(target);
        if (clickUrl === null) return null;
        const lead = sealWin({ home, burl: '', nurl: '', clickUrl, imp }, keys.ring, drawNonce);
        return `${trackerUrl}/click/${lead('click')}`;
      },
    };
  };
}
