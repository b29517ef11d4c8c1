import type { Bid } from '../openrtb/bid-response.ts';
import type { BidRequirements, Blocking, Deal, LineItem } from '../snapshot/entities.ts';
import { DEAL } from '../resources/deal.ts';
import { LINE_ITEM } from '../resources/line-item.ts';
import { FORMAT_BANNER } from './formats.ts';
import type { AuctionImp, Candidate, Offer } from './offer.ts';

/** One constructor for each thing that the auction's tests need; each takes what differs. */

export const NO_BLOCKING: Blocking = { categories: [], advertisers: [], apps: [], attributes: [] };

/** Nothing that every bid has to bring. */
const NO_REQUIREMENTS: BidRequirements = { fields: [], adomainsMax: null };

export function anImp(differs: Partial<AuctionImp> = {}): AuctionImp {
  return {
    slot: 0,
    id: '1',
    floorMicros: 0,
    formatFloors: null,
    firstPrice: false,
    formats: FORMAT_BANNER,
    bannerSizes: [{ w: 300, h: 250 }],
    interstitial: false,
    secure: false,
    blocking: NO_BLOCKING,
    protocols: [2, 5],
    native: null,
    languages: [],
    creativeRules: null,
    blockedSeats: [],
    banner: {},
    video: null,
    nativeTerms: null,
    requirements: NO_REQUIREMENTS,
    ...differs,
  };
}

export function aBid(differs: Partial<Bid> = {}): Bid {
  return { id: 'b1', impid: '1', price: 1, adm: '<p>An ad</p>', ...differs };
}

export function aDeal(differs: Partial<Deal> = {}): Deal {
  const settings = { ...DEAL.entity(DEAL.initial), name: 'Deal', floorMicros: 0 };
  const terms = { adSpaceIds: [4001], seats: ['seat-1'] };
  return { kind: 'deal', id: 'deal-1', ...settings, ...terms, ...differs };
}

export function aLineItem(differs: Partial<LineItem> = {}): LineItem {
  const settings = { ...LINE_ITEM.entity(LINE_ITEM.initial), name: 'Line item', seat: 'seat-1' };
  return { kind: 'lineItem', id: 501, demandPartnerId: 1001, ...settings, ...differs };
}

export function anOffer(differs: Partial<Offer> = {}): Offer {
  const lineItems = [{ lineItem: aLineItem(), formats: FORMAT_BANNER, requiresLocation: false }];
  return { imp: anImp(), lineItems, formats: FORMAT_BANNER, deals: [], ...differs };
}

export function aCandidate(differs: Partial<Candidate> = {}): Candidate {
  return {
    bid: aBid(),
    demandPartnerId: 1001,
    lineItemId: 501,
    imp: anImp(),
    format: FORMAT_BANNER,
    adm: '<p>An ad</p>',
    deal: null,
    priceMicros: 1_000_000,
    floorMicros: 0,
    group: null,
    ...differs,
  };
}
