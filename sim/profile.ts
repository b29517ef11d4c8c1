import type { FaultRates } from './faults.ts';
import type { NoticeFaultRates } from './notice-faults.ts';

/** The kinds of ad that a bidder can buy. */
export type Format = 'banner' | 'video' | 'native';

/** What a simulated bidder is like. Rates are probabilities between 0 and 1. */
export interface BidderProfile {
  readonly name: string;
  /** The seats that it bids for; without any, its bids name no seat. */
  readonly seats: readonly string[];
  /** What an impression is worth to it: log-normal, in USD CPM. */
  readonly price: { readonly medianUsd: number; readonly spread: number };
  /** How often it bids on an impression that it could buy. */
  readonly bidRate: number;
  /** How many of its bids miss the floor on purpose. */
  readonly belowFloorRate: number;
  /** How long it thinks before it answers: log-normal, cut off at `maxMs`. */
  readonly latency: {
    readonly medianMs: number;
    readonly spread: number;
    readonly maxMs: number;
  };
  readonly formats: readonly Format[];
  /** ISO 3166-1 alpha-3. Empty buys everywhere; otherwise an unknown country is not bought. */
  readonly countries: readonly string[];
  readonly adomains: readonly string[];
  /** Content categories; the campaign of `adomains[i]` has `categories[i modulo length]`. */
  readonly categories: readonly string[];
  /** Whether it bids on deals that are offered to its seats. */
  readonly answersDeals: boolean;
  /** Whether it compresses an answer for an exchange that accepts gzip. */
  readonly gzip: boolean;
  /** Whether its markup comes with the bid or as the answer to the win notice. */
  readonly markup: 'bid' | 'notice';
  readonly faults: FaultRates;
  readonly noticeFaults: NoticeFaultRates;
}

/** A bidder that buys everything everywhere, at once and without faults. */
export const DEFAULT_PROFILE: BidderProfile = {
  name: 'bidder',
  seats: ['seat-1'],
  price: { medianUsd: 1.5, spread: 0.4 },
  bidRate: 1,
  belowFloorRate: 0,
  latency: { medianMs: 0, spread: 0, maxMs: 0 },
  formats: ['banner', 'video', 'native'],
  countries: [],
  adomains: ['shoes.example', 'travel.example', 'coffee.example'],
  categories: ['IAB18', 'IAB20', 'IAB8'],
  answersDeals: true,
  gzip: false,
  markup: 'bid',
  faults: {},
  noticeFaults: {},
};
