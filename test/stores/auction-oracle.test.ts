import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { replied, aCall } from '../../src/exchange/fixtures.ts';
import { Settlement, type SettledBid } from '../../src/exchange/settle.ts';
import { aDeal, aLineItem, anImp } from '../../src/auction/fixtures.ts';
import { FORMAT_BANNER, FORMAT_VIDEO } from '../../src/auction/formats.ts';
import type { AuctionImp, Offer } from '../../src/auction/offer.ts';
import { tieBreak } from '../../src/auction/tie-break.ts';
import type { Deal, LineItem } from '../../src/snapshot/entities.ts';
import { runs } from '../support/effort.ts';

/*
 * Whole auctions at random, from what bidders answer to reasons and prices, held against a second
 * implementation that shares nothing with the first but the hash that breaks ties. It knows no
 * sorting and no shortcuts: it looks at everything again for every question.
 */

const AUCTION = '0123456789abcdef0123456789abcdef';

/** Prices in cents, few enough that ties, floors and runner-ups meet. */
const someCents = fc.integer({ min: 0, max: 12 });
const someSeat = fc.integer({ min: 0, max: 1 });
const someFloor = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 6 }), weight: 5 },
  { arbitrary: someCents, weight: 1 },
);

interface RandomBid {
  readonly imp: number;
  readonly cents: number;
  readonly seat: number | null;
  /** Index of a deal; −1 is none, −2 one that does not exist. */
  readonly deal: number;
  readonly markup: Markup;
}

/** What the markup of a bid is; none would have to come later, when nobody takes it any more. */
type Markup = 'banner' | 'video' | 'none';

interface RandomPartner {
  readonly lineItems: readonly { readonly seat: number | null; readonly floor: number }[];
  readonly seatbids: readonly { readonly group: 0 | 1; readonly bids: readonly RandomBid[] }[];
}

interface RandomDeal {
  readonly type: Deal['type'];
  readonly floor: number;
  readonly seats: readonly number[];
}

interface RandomAuction {
  readonly imps: readonly {
    readonly floor: number;
    /** Of video, where that has one of its own. */
    readonly videoFloor: number | null;
    readonly firstPrice: boolean;
  }[];
  /** Two impressions of the bid request that stand for the first slot: an interstitial pair. */
  readonly paired: boolean;
  readonly deals: readonly RandomDeal[];
  readonly partners: readonly RandomPartner[];
}

/** Mostly sound, so that bids meet bids: each fault has its small part. */
const randomBid: fc.Arbitrary<RandomBid> = fc.record({
  imp: fc.oneof(
    { arbitrary: fc.constant(0), weight: 8 },
    { arbitrary: fc.integer({ min: 1, max: 3 }), weight: 4 },
  ),
  cents: fc.oneof(
    { arbitrary: fc.integer({ min: 6, max: 12 }), weight: 5 },
    { arbitrary: someCents, weight: 1 },
  ),
  seat: fc.option(someSeat, { freq: 2 }),
  deal: fc.oneof(
    { arbitrary: fc.constant(-1), weight: 6 },
    { arbitrary: fc.constantFrom(0, 0, 0, 1), weight: 6 },
    { arbitrary: fc.constant(-2), weight: 1 },
  ),
  markup: fc.oneof(
    { arbitrary: fc.constant('banner'), weight: 6 },
    { arbitrary: fc.constant('video'), weight: 3 },
    { arbitrary: fc.constant('none'), weight: 1 },
  ),
});

const randomPartner: fc.Arbitrary<RandomPartner> = fc.record({
  lineItems: fc.array(fc.record({ seat: fc.option(someSeat, { freq: 4 }), floor: someFloor }), {
    minLength: 1,
    maxLength: 3,
  }),
  seatbids: fc.array(
    fc.record({
      group: fc.constantFrom<0 | 1>(0, 0, 1),
      bids: fc.array(randomBid, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

const randomAuction: fc.Arbitrary<RandomAuction> = fc.record({
  imps: fc.array(
    fc.record({
      floor: someFloor,
      videoFloor: fc.option(someFloor, { freq: 2 }),
      firstPrice: fc.boolean(),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  paired: fc.boolean(),
  deals: fc.array(
    fc.record({
      type: fc.constantFrom<Deal['type']>('first_price', 'second_price', 'fixed_price'),
      floor: someFloor,
      seats: fc.uniqueArray(someSeat, { minLength: 1, maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
  partners: fc.array(randomPartner, { minLength: 2, maxLength: 4 }),
});

const CENT = 10_000;
const seatName = (partner: number, seat: number): string => `seat-${partner}-${seat}`;
const impIds = (auction: RandomAuction): readonly { id: string; slot: number }[] => {
  const own = auction.imps.map((_, slot) => ({ id: String(slot + 1), slot }));
  return auction.paired ? [...own, { id: '9', slot: 0 }] : own;
};

/** The auction as the exchange settles it. */
function settle(auction: RandomAuction): readonly SettledBid[] {
  let lineItemId = 500;
  const results = auction.partners.map((partner, at) => {
    const lineItems = partner.lineItems.map(({ seat, floor }) => {
      lineItemId += 1;
      return aLineItem({
        id: lineItemId,
        demandPartnerId: at + 1,
        seat: seat === null ? null : seatName(at, seat),
        floorMicros: floor * CENT,
      });
    });
    const deals = dealsFor(auction, lineItems, at);
    const offers: Offer[] = impIds(auction).map(({ id, slot }) => {
      const { floor = 0, videoFloor = null, firstPrice = false } = auction.imps[slot] ?? {};
      return {
        imp: anImp({ slot, id, formats: FORMATS, firstPrice, ...floorsOf(floor, videoFloor) }),
        lineItems: lineItems.map((lineItem) => ({
          lineItem,
          formats: FORMATS,
          requiresLocation: false,
        })),
        formats: FORMATS,
        deals,
      };
    });
    const body = JSON.stringify(answerOf(auction, partner, at));
    const call = aCall({ offers, lineItems }, at + 1);
    return replied(call, 'request', { kind: 'answer', status: 200, body });
  });
  const settlement = new Settlement(AUCTION, results, false);
  settlement.decide();
  return settlement.bids;
}

const FORMATS = FORMAT_BANNER | FORMAT_VIDEO;

function floorsOf(
  floor: number,
  videoFloor: number | null,
): Pick<AuctionImp, 'floorMicros' | 'formatFloors'> {
  if (videoFloor === null) return { floorMicros: floor * CENT, formatFloors: null };
  const formatFloors = { banner: floor * CENT, video: videoFloor * CENT, native: 0 };
  return { floorMicros: Math.min(floor, videoFloor) * CENT, formatFloors };
}

/** Where a partner has a seat of a deal, the deal is on offer to it. */
function dealsFor(auction: RandomAuction, lineItems: readonly LineItem[], partner: number): Deal[] {
  return auction.deals.flatMap(({ type, floor, seats }, at) => {
    const names = seats.map((seat) => seatName(partner, seat));
    const isOffered = lineItems.some(({ seat }) => seat !== null && names.includes(seat));
    if (!isOffered) return [];
    return [aDeal({ id: `deal-${at}`, type, floorMicros: floor * CENT, seats: names })];
  });
}

function answerOf(auction: RandomAuction, partner: RandomPartner, at: number): object {
  let bids = 0;
  const ids = impIds(auction);
  const seatbid = partner.seatbids.flatMap(({ group, bids: offered }) => {
    // A seat stands once per seatbid: bids of one seatbid share the first one's.
    const [first] = offered;
    const seat = first?.seat ?? null;
    return {
      group,
      ...(seat === null ? {} : { seat: seatName(at, seat) }),
      bid: offered.map(({ imp, cents: price, deal, markup }) => {
        bids += 1;
        return {
          id: `bid-${at}-${bids}`,
          impid: ids[imp]?.id ?? 'none',
          price: price / 100,
          ...(deal === -1 ? {} : { dealid: deal === -2 ? 'other' : `deal-${deal}` }),
          ...(markup === 'none' ? {} : { adm: MARKUP[markup] }),
        };
      }),
    };
  });
  return { id: 'request', seatbid };
}

const MARKUP = { banner: '<p>An ad</p>', video: '<VAST version="2.0"><Ad/></VAST>' } as const;

/** A bid as the oracle sees it. */
interface Plain {
  readonly id: string;
  readonly partner: number;
  readonly slot: number;
  readonly cents: number;
  readonly group: string | null;
  /** What is wrong with it; 0 lets it compete. */
  readonly refused: number;
  readonly deal: RandomDeal | null;
  readonly floor: number;
}

function read(auction: RandomAuction): Plain[] {
  const ids = impIds(auction);
  return auction.partners.flatMap((partner, at) => {
    const seats = new Set(partner.lineItems.map(({ seat }) => seat));
    const offered = auction.deals.map((deal) => deal.seats.some((seat) => seats.has(seat)));
    let bids = 0;
    return partner.seatbids.flatMap(({ group, bids: submitted }, seatbid) => {
      const seat = submitted[0]?.seat ?? null;
      return submitted.map((bid) => {
        bids += 1;
        const known = ids[bid.imp];
        const own = ownLineItem(partner, seat, dealOf(auction, bid, offered));
        const deal = dealOf(auction, bid, offered);
        const imp = auction.imps[known?.slot ?? 0];
        const floor = deal?.floor ?? Math.max(publishersFloor(imp, bid), own?.floor ?? 0);
        return {
          id: `bid-${at}-${bids}`,
          partner: at,
          slot: known?.slot ?? -1,
          cents: bid.cents,
          group: group === 1 ? `${at} ${seatbid}` : null,
          refused: refusal({
            auction,
            bid,
            seat,
            partner,
            offered,
            known: known !== undefined,
            floor,
          }),
          deal,
          floor,
        };
      });
    });
  });
}

/** Of the format that is bid; of either while nobody knows which it is. */
function publishersFloor(imp: RandomAuction['imps'][number] | undefined, bid: RandomBid): number {
  const { floor = 0, videoFloor = null } = imp ?? {};
  if (bid.markup === 'banner' || videoFloor === null) return floor;
  return bid.markup === 'video' ? videoFloor : Math.max(floor, videoFloor);
}

function dealOf(
  auction: RandomAuction,
  bid: RandomBid,
  offered: readonly boolean[],
): RandomDeal | null {
  return bid.deal >= 0 && offered[bid.deal] === true ? (auction.deals[bid.deal] ?? null) : null;
}

/** The line item whose floor applies: of the seat, else of none; without a seat the deal's, else the first. */
function ownLineItem(
  { lineItems }: RandomPartner,
  seat: number | null,
  deal: RandomDeal | null,
): RandomPartner['lineItems'][number] | undefined {
  const free = lineItems.find((each) => each.seat === null);
  if (seat !== null) return lineItems.find((each) => each.seat === seat) ?? free;
  if (deal === null) return lineItems[0];
  return lineItems.find((each) => each.seat !== null && deal.seats.includes(each.seat)) ?? free;
}

interface Question {
  readonly auction: RandomAuction;
  readonly bid: RandomBid;
  readonly seat: number | null;
  readonly partner: RandomPartner;
  readonly offered: readonly boolean[];
  readonly known: boolean;
  readonly floor: number;
}

function refusal({ auction, bid, seat, partner, offered, known, floor }: Question): number {
  if (!known) return 3;
  const isPrivate = offered.includes(true);
  const deal = dealOf(auction, bid, offered);
  if (isPrivate && deal === null) return 4;
  if (!isPrivate && bid.deal !== -1) return 4;
  if (deal !== null && seat !== null && !deal.seats.includes(seat)) return 4;
  if (ownLineItem(partner, seat, deal) === undefined) return 104;
  if (bid.cents === 0) return 9;
  if (bid.cents < floor) return deal === null ? 100 : 101;
  return bid.markup === 'none' ? 7 : 0;
}

interface Verdict {
  readonly reason: number;
  readonly cents: number;
}

/** What should become of every bid. */
function expected(auction: RandomAuction): ReadonlyMap<string, Verdict> {
  const bids = read(auction);
  const verdicts = new Map<string, Verdict>();
  const broken = new Set(
    bids.flatMap(({ refused, group }) => (refused > 0 && group !== null ? [group] : [])),
  );
  const competing: Plain[] = [];
  for (const bid of bids) {
    if (bid.refused > 0) verdicts.set(bid.id, { reason: bid.refused, cents: 0 });
    else if (bid.group !== null && broken.has(bid.group))
      verdicts.set(bid.id, { reason: 200, cents: 0 });
    else competing.push(bid);
  }
  let standing = competing;
  for (;;) {
    const losing = losingGroups(standing);
    const weakest = losing.find((one) => losing.every((other) => !isWeaker(standing, other, one)));
    if (weakest === undefined) break;
    standing = standing.filter(({ group }) => group !== weakest);
  }
  for (const bid of competing) {
    const winner = bestOf(standing, bid.slot);
    if (winner?.id === bid.id) {
      verdicts.set(bid.id, { reason: 0, cents: priceOf(auction, bid, standing) });
    } else {
      const toDeal = winner !== null && winner.deal !== null;
      verdicts.set(bid.id, { reason: toDeal ? 103 : 102, cents: 0 });
    }
  }
  return verdicts;
}

function losingGroups(bids: readonly Plain[]): string[] {
  const groups = new Set(bids.flatMap(({ group }) => (group === null ? [] : [group])));
  return [...groups].filter((name) =>
    bids.some((bid) => bid.group === name && bestOf(bids, bid.slot)?.id !== bid.id),
  );
}

/** Offers less in all; of two that offer the same the one that came first. */
function isWeaker(bids: readonly Plain[], one: string, other: string): boolean {
  const total = (name: string): number =>
    bids.reduce((sum, bid) => (bid.group === name ? sum + bid.cents : sum), 0);
  const place = (name: string): number => bids.findIndex(({ group }) => group === name);
  const difference = total(one) - total(other);
  return difference < 0 || (difference === 0 && place(one) < place(other));
}

function bestOf(bids: readonly Plain[], slot: number): Plain | null {
  const here = bids.filter((bid) => bid.slot === slot);
  return here.find((one) => here.every((other) => one === other || isAhead(one, other))) ?? null;
}

function isAhead(one: Plain, other: Plain): boolean {
  const rank = ({ deal }: Plain): number => {
    if (deal === null) return 2;
    return deal.type === 'fixed_price' ? 0 : 1;
  };
  if (rank(one) !== rank(other)) return rank(one) < rank(other);
  const worth = (bid: Plain): number => (bid.deal?.type === 'fixed_price' ? bid.floor : bid.cents);
  if (worth(one) !== worth(other)) return worth(one) > worth(other);
  const [mine, theirs] = [tieBreak(AUCTION, one.id), tieBreak(AUCTION, other.id)];
  return mine === theirs ? one.partner < other.partner : mine < theirs;
}

function priceOf(auction: RandomAuction, winner: Plain, standing: readonly Plain[]): number {
  const { deal, cents: bid, floor } = winner;
  if (deal?.type === 'fixed_price') return floor;
  if (deal?.type === 'first_price') return bid;
  if (deal === null && auction.imps[winner.slot]?.firstPrice === true) return bid;
  const rivals = standing.filter(
    (other) =>
      other.slot === winner.slot &&
      other.partner !== winner.partner &&
      (deal === null || other.deal !== null),
  );
  const runnerUp = Math.max(0, ...rivals.map((other) => other.cents));
  return Math.min(bid, Math.max(floor, runnerUp + 1));
}

test('a second, naive implementation agrees on thousands of random auctions', () => {
  const seen = new Map<number, number>();
  const property = fc.property(randomAuction, (auction) => {
    const verdicts = expected(auction);
    const bids = settle(auction);
    assert.equal(bids.length, verdicts.size);
    for (const { bidId, reason, clearingMicros, detail } of bids) {
      const verdict = verdicts.get(bidId);
      assert.deepEqual(
        { bidId, reason, cents: clearingMicros / CENT },
        { bidId, ...verdict },
        `${bidId}: ${detail}`,
      );
      seen.set(reason, (seen.get(reason) ?? 0) + 1);
    }
  });
  fc.assert(property, { numRuns: runs(3_000) });
  // It would agree on nothing as well: each of the outcomes has been met dozens of times.
  for (const reason of [0, 3, 4, 7, 9, 100, 101, 102, 103, 104, 200]) {
    assert.ok((seen.get(reason) ?? 0) > runs(50), `reason ${reason}: ${seen.get(reason) ?? 0}`);
  }
});
