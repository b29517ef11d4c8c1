import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';

import { aPartner } from '../../src/auction/eligibility-fixtures.ts';
import { aDeal, aLineItem } from '../../src/auction/fixtures.ts';
import { disagreement, objectToRecords } from '../../src/auction/replay-compare.ts';
import {
  replay,
  UNCHANGED,
  whyUndecidable,
  type ReplayAuction,
  type ReplayChange,
} from '../../src/auction/replay.ts';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import type { AuctionTrace } from '../../src/events/trace-record.ts';
import { Exchange } from '../../src/exchange/exchange.ts';
import {
  aBidder,
  aCaller,
  aMarket,
  anAdSpace,
  aPublisher,
  aRequest,
  aVideo,
  NO_LIMITS,
  someParts,
} from '../../src/exchange/fixtures.ts';
import type { Market } from '../../src/exchange/market.ts';
import type { Entity } from '../../src/snapshot/entities.ts';
import type { FloorRule } from '../../src/resources/floors.ts';
import { runs } from '../support/effort.ts';

/*
 * Auctions at random, held by the exchange itself: what it writes into both records is all that
 * their replay has.
 */

const PARTNERS = [1001, 1002, 1003, 1004];
const BOX = '4001';
const FIRST_PRICE_BOX = '4002';
const INTERSTITIAL = '4003';
const DEALS = ['fixed', 'first', 'second'] as const;

interface RandomBid {
  readonly imp: number;
  readonly cents: number;
  /** Index of a deal; −1 for an open bid. */
  readonly deal: number;
  /** How the markup comes, or does not. */
  readonly markup: 'inline' | 'late' | 'never' | 'insecure';
}

interface RandomAuction {
  readonly imps: readonly { readonly tagid: string; readonly floorCents: number }[];
  readonly answers: readonly (readonly {
    readonly group: 0 | 1;
    readonly bids: readonly RandomBid[];
  }[])[];
  /** Whether the budget covers a win, in the order of the questions. */
  readonly covered: readonly boolean[];
}

const randomImp = fc.record({
  tagid: fc.constantFrom(BOX, BOX, FIRST_PRICE_BOX, INTERSTITIAL),
  floorCents: fc.integer({ min: 0, max: 12 }),
});

function auctionsWith(markup: fc.Arbitrary<RandomBid['markup']>): fc.Arbitrary<RandomAuction> {
  const bid = fc.record({
    imp: fc.integer({ min: 0, max: 5 }),
    cents: fc.integer({ min: 1, max: 14 }),
    deal: fc.integer({ min: -4, max: 2 }),
    markup,
  });
  const seatbid = fc.record({
    group: fc.constantFrom(0 as const, 0 as const, 1 as const),
    bids: fc.array(bid, { minLength: 1, maxLength: 3 }),
  });
  return fc.record({
    imps: fc.array(randomImp, { minLength: 1, maxLength: 3 }),
    answers: fc.array(fc.array(seatbid, { maxLength: 2 }), {
      minLength: PARTNERS.length,
      maxLength: PARTNERS.length,
    }),
    covered: fc.array(fc.boolean(), { maxLength: 6 }),
  });
}

/** The line items' own floors lie among those of publishers; the last one has a budget. */
function entities(auctionType: 'first_price' | 'second_price' = 'second_price'): Entity[] {
  const capping = { maxQps: null, maxDailyImpressions: 10, maxDailySpendMicros: null };
  return [
    aPublisher({ revenueShareBps: 7_777, priceBasis: 'gross' }),
    anAdSpace({ id: Number(BOX), auctionType }),
    anAdSpace({ id: Number(FIRST_PRICE_BOX), auctionType: 'first_price' }),
    anAdSpace({ id: Number(INTERSTITIAL), interstitial: true, video: aVideo(), auctionType }),
    ...PARTNERS.map((id, index) =>
      aPartner(id, {
        bidder: aBidder({
          endpoint: `http://bidder.example/${id}`,
          interstitialImps: index % 2 === 0 ? 'pair' : 'one',
        }),
      }),
    ),
    ...PARTNERS.map((id, index) =>
      aLineItem({
        id: id - 500,
        demandPartnerId: id,
        seat: `seat-${id}`,
        floorMicros: index * 30_000,
        ...(index === PARTNERS.length - 1 ? { capping } : {}),
      }),
    ),
    ...DEALS.map((id, index) =>
      aDeal({
        id,
        type: (['fixed_price', 'first_price', 'second_price'] as const)[index] ?? 'first_price',
        adSpaceIds: [Number(BOX), Number(INTERSTITIAL)],
        seats: PARTNERS.slice(0, 2).map((partner) => `seat-${partner}`),
        floorMicros: (index + 3) * 10_000,
      }),
    ),
  ];
}

interface Written {
  readonly record: AuctionRecord;
  readonly auction: ReplayAuction;
}

/** Holds an auction to its end and reads what it has written. */
async function held(market: Market, random: RandomAuction, floorCents?: number): Promise<Written> {
  const money: string[] = [];
  const traces: string[] = [];
  const covered = [...random.covered];
  const exchange = new Exchange(
    someParts({
      client: {
        ask: (call, settle) => {
          const body = answerTo(call.body, random.answers[PARTNERS.findIndex(isAt(call.endpoint))]);
          queueMicrotask(() => settle({ kind: 'answer', status: 200, body }));
        },
        inFlight: () => 0,
        close: () => Promise.resolve(),
      },
      noticeClient: {
        call: ({ url }, settle) => {
          const body = url.includes('/late') ? '<p>An ad</p>' : '';
          queueMicrotask(() => settle({ kind: 'answer', status: 200, body }));
        },
        close: () => Promise.resolve(),
      },
      limits: {
        ...NO_LIMITS,
        reserve: () => ((covered.shift() ?? true) ? null : 'daily_impressions'),
      },
      money: {
        append: (line, done) => {
          money.push(line);
          done?.(null);
        },
      },
      trace: { append: (line) => traces.push(line) },
    }),
  );
  exchange.useMarket(market);
  const imp = random.imps.map(({ tagid, floorCents: own }, index) => ({
    id: `imp-${index}`,
    tagid,
    secure: 1 as const,
    banner: {},
    ...(tagid === INTERSTITIAL ? { instl: 1 as const, video: { mimes: ['video/mp4'] } } : {}),
    bidfloor: (floorCents ?? own) / 100,
  }));
  const answer = await exchange.hold(aRequest({ imp }), aCaller(), 1_000);
  assert.ok(answer.kind === 'filled' || answer.kind === 'unfilled', JSON.stringify(answer));
  const record: AuctionRecord = JSON.parse(money[0] ?? 'null');
  const trace: AuctionTrace | null = JSON.parse(traces[0] ?? 'null');
  return { record, auction: { ...record, trace } };
}

function isAt(endpoint: string): (partner: number) => boolean {
  return (partner) => endpoint.endsWith(`/${partner}`);
}

interface BidRequest {
  readonly id: string;
  readonly imp: readonly { readonly id: string; readonly banner?: object }[];
}

const HTML = '<p>An ad</p>';
const VAST =
  '<VAST version="2.0"><Ad id="1"><InLine><Creatives><Creative><Linear>' +
  '<Duration>00:00:15</Duration></Linear></Creative></Creatives></InLine></Ad></VAST>';

function answerTo(request: string, seatbids: RandomAuction['answers'][number] = []): string {
  const { id, imp }: BidRequest = JSON.parse(request);
  const seat = /"wseat":\["([^"]+)"/.exec(request)?.[1];
  let bids = 0;
  return JSON.stringify({
    id,
    seatbid: seatbids.map(({ group, bids: own }) => ({
      ...(seat === undefined ? {} : { seat }),
      group,
      bid: own.map(({ imp: index, cents, deal, markup }) => {
        bids += 1;
        const at = index % imp.length;
        return {
          // As long as ids may be: they begin alike, and ties break by their ends.
          id: `${'x'.repeat(250)}${bids}`,
          impid: imp[at]?.id,
          price: cents / 100,
          ...(deal < 0 ? {} : { dealid: DEALS[deal] }),
          ...(markup === 'inline' ? { adm: imp[at]?.banner === undefined ? VAST : HTML } : {}),
          ...(markup === 'insecure' ? { adm: '<img src="http://x.example/i.png">' } : {}),
          nurl: `http://b.example/${markup}?p=\${AUCTION_PRICE}`,
        };
      }),
    })),
  });
}

/** An interstitial's video has to bring more than its banner. */
const VIDEO_FLOORS: readonly FloorRule[] = [
  { countries: [], formats: ['video'], floorMicros: 70_000 },
];

async function marketOf(
  auctionType?: 'first_price' | 'second_price',
  floors: readonly FloorRule[] = [],
): Promise<Market> {
  const market = await aMarket(...entities(auctionType));
  const { exchange } = market.snapshot;
  const publisher = aPublisher({ revenueShareBps: 7_777, priceBasis: 'gross', floors });
  const all = [...entities(auctionType).filter(({ kind }) => kind !== 'publisher'), publisher];
  return aMarket({ ...exchange, traceShareBps: 10_000 }, ...all);
}

test('an auction that is decided again from its records has the same winners, prices and reasons', async () => {
  const market = await marketOf('second_price', VIDEO_FLOORS);
  const seen = { won: 0, out: 0, refused: 0, grouped: 0 };
  await fc.assert(
    fc.asyncProperty(
      auctionsWith(fc.constantFrom('inline', 'inline', 'inline', 'late', 'never', 'insecure')),
      async (random) => {
        const { auction } = await held(market, random);
        assert.equal(whyUndecidable(auction, UNCHANGED.change), null);
        assert.equal(objectToRecords(auction), null);
        assert.equal(disagreement(auction, replay(auction, UNCHANGED)), null);
        for (const [index, bid] of auction.bids.entries()) {
          const traced = auction.trace?.bids[index];
          if (bid.loss_reason === 0) seen.won += 1;
          if (bid.loss_reason === 1) seen.refused += 1;
          if (traced?.out === 1) seen.out += 1;
          if (bid.loss_reason === 0 && (traced?.group ?? -1) >= 0) seen.grouped += 1;
        }
      },
    ),
    { numRuns: runs(300) },
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `no bid was ${what}`);
});

test('with another floor or auction type it comes out as the exchange decides it with them', async () => {
  const [second, first] = [await marketOf('second_price'), await marketOf('first_price')];
  const floored = await marketOf('second_price', VIDEO_FLOORS);
  let entered = 0;
  await fc.assert(
    fc.asyncProperty(
      auctionsWith(fc.constant('inline')),
      fc.option(fc.integer({ min: 0, max: 14 }), { nil: null, freq: 4 }),
      fc.boolean(),
      async (found, floorCents, firstPrice) => {
        // Two auction types in one request make two bid requests, and so other bids.
        const one = firstPrice ? found.imps.map((imp) => ({ ...imp, tagid: BOX })) : found.imps;
        const random = { ...found, imps: one, covered: [] };
        // A new floor takes the place of those of the formats.
        const as = floorCents === null ? floored : second;
        const { auction } = await held(as, random);
        const change: ReplayChange = {
          floorMicros: floorCents === null ? null : floorCents * 10_000,
          firstPrice: firstPrice ? true : null,
          zoneId: null,
        };
        const replayed = replay(auction, { change, admitsUnchecked: true });
        const expected = await held(firstPrice ? first : as, random, floorCents ?? undefined);
        assert.deepEqual(
          replayed.map(({ reason, clearingMicros, payoutMicros }) => [
            reason,
            clearingMicros,
            payoutMicros,
          ]),
          expected.record.bids.map((bid) => [
            bid.loss_reason,
            bid.clearing_micros,
            bid.payout_micros,
          ]),
        );
        entered += replayed.filter(({ reason, isUnchecked }) => reason === 0 && isUnchecked).length;
      },
    ),
    { numRuns: runs(300) },
  );
  assert.ok(entered > 0, 'a lower floor let a bid in');
});
