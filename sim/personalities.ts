import type { Partner } from './catalogue.ts';
import type { BidderProfile } from './profile.ts';
import type { Random } from './random.ts';

/** What makes one bidder unlike the others. */
type Personality = Pick<BidderProfile, 'price' | 'bidRate' | 'latency'> & Partial<BidderProfile>;

/** Dealt to the partners in this order, and again from the start when there are more. */
const PERSONALITIES: readonly Personality[] = [
  // Steady: fair prices, quick, nearly always there.
  {
    price: { medianUsd: 1.8, spread: 0.5 },
    bidRate: 0.85,
    belowFloorRate: 0.05,
    latency: { medianMs: 18, spread: 0.3, maxMs: 90 },
  },
  // Moody: good prices and, once in a while, each of the faults that real bidders show.
  {
    price: { medianUsd: 2.4, spread: 0.7 },
    bidRate: 0.7,
    belowFloorRate: 0.05,
    latency: { medianMs: 25, spread: 0.4, maxMs: 120 },
    gzip: true,
    faults: {
      late: 0.01,
      status500: 0.01,
      garbage: 0.005,
      empty200: 0.005,
      reset: 0.005,
      truncated: 0.002,
      negativePrice: 0.005,
      unknownImp: 0.005,
      foreignSeat: 0.005,
      noMarkup: 0.005,
    },
    noticeFaults: { status500: 0.02, refuse: 0.01, slow: 0.01, redirect: 0.002 },
  },
  // Slow: pays well when it makes it in time.
  {
    price: { medianUsd: 3, spread: 0.5 },
    bidRate: 0.7,
    latency: { medianMs: 110, spread: 0.4, maxMs: 400 },
  },
  // Premium: seldom and dear, in a few countries; it hands over its markup when it has won.
  {
    price: { medianUsd: 6, spread: 0.4 },
    bidRate: 0.3,
    countries: ['USA', 'GBR', 'DEU', 'FRA', 'JPN'],
    latency: { medianMs: 35, spread: 0.3, maxMs: 120 },
    markup: 'notice',
  },
  // Thrifty: everything everywhere, cheaply, and often below the floor.
  {
    price: { medianUsd: 0.6, spread: 0.6 },
    bidRate: 0.95,
    belowFloorRate: 0.2,
    latency: { medianMs: 8, spread: 0.3, maxMs: 60 },
  },
];

/** Each with the category of its campaigns. */
const ADVERTISERS: readonly (readonly [adomain: string, category: string])[] = [
  ['northwind-shoes.example', 'IAB18'],
  ['bluebird-air.example', 'IAB20'],
  ['harvest-coffee.example', 'IAB8'],
  ['summit-bikes.example', 'IAB17'],
  ['lumen-phones.example', 'IAB19'],
  ['oakbank.example', 'IAB13'],
  ['pixel-quest.example', 'IAB9'],
  ['volt-motors.example', 'IAB2'],
  ['fern-and-fig.example', 'IAB10'],
  ['atlas-hotels.example', 'IAB20'],
  ['clear-optics.example', 'IAB7'],
  ['tandem-learning.example', 'IAB5'],
];
const ADVERTISERS_EACH = 4;

/** The profile of the partner at a place in the file; the stream varies its prices a little. */
export function personalityOf(partner: Partner, index: number, random: Random): BidderProfile {
  const personality = at(PERSONALITIES, index);
  const own = Array.from({ length: ADVERTISERS_EACH }, (_, offset) =>
    at(ADVERTISERS, index * 3 + offset),
  );
  const { medianUsd, spread } = personality.price;
  return {
    belowFloorRate: 0,
    formats: ['banner', 'video', 'native'],
    countries: [],
    answersDeals: true,
    gzip: false,
    markup: 'bid',
    faults: {},
    noticeFaults: {},
    ...personality,
    name: partner.name,
    seats: partner.seats,
    adomains: own.map(([adomain]) => adomain),
    categories: own.map(([, category]) => category),
    price: { medianUsd: medianUsd * random.logNormal(1, 0.1), spread },
  };
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('a table is empty');
  return item;
}
