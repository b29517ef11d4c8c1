import { ownField } from '../base/fields.ts';
import type { BidResponse } from '../openrtb/bid-response.ts';
import { kindOfMarkup } from '../openrtb/markup.ts';

/** The addresses that count what becomes of an ad. */
export interface TagBeacons {
  readonly impression: string;
  readonly view: string;
  readonly click: string;
}

/** What a tag shows: the ad that its auction came to, or what the ad space has for when nobody bought. */
export interface Fill {
  /** Id of the auction. */
  readonly id: string;
  readonly format: 'banner' | 'video' | 'native';
  /** Macros substituted. */
  readonly markup: string;
  /** CSS pixels, as the bid says; null where it says nothing. */
  readonly w: number | null;
  readonly h: number | null;
  readonly adomain: readonly string[];
  readonly crid: string | null;
  /** Null for what nobody bought: nothing of it is counted. */
  readonly beacons: TagBeacons | null;
}

/** A fill that somebody bought. */
export type SoldFill = Fill & { readonly beacons: TagBeacons };

const FORMATS = { html: 'banner', vast: 'video', native: 'native' } as const;

/**
 * Takes the one winner out of the exchange's own answer.
 *
 * @throws Error when the answer is not as the exchange makes it
 */
export function readFill({ bidid, seatbid }: BidResponse): SoldFill {
  const bid = seatbid?.[0]?.bid[0];
  const beacons = ownField(bid?.ext, 'rialto');
  const view = ownField(beacons, 'view');
  const click = ownField(beacons, 'click');
  if (
    bidid === undefined ||
    bid?.adm === undefined ||
    bid.burl === undefined ||
    typeof view !== 'string' ||
    typeof click !== 'string'
  ) {
    throw new Error('an answer without a winner, its markup or its beacons');
  }
  return {
    id: bidid,
    format: FORMATS[kindOfMarkup(bid.adm)],
    markup: bid.adm,
    w: bid.w ?? null,
    h: bid.h ?? null,
    adomain: bid.adomain ?? [],
    crid: bid.crid ?? null,
    beacons: { impression: bid.burl, view, click },
  };
}
