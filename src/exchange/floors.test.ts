import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AuctionRecord } from '../events/auction-record.ts';
import type { Entity, Format } from '../snapshot/entities.ts';
import type { FloorRule } from '../resources/floors.ts';
import { aMarket, anAdSpace, aPublisher, aSite, aVideo } from './fixtures.ts';
import { holdOne } from './held-fixture.ts';
import type { Market } from './market.ts';
import { runs } from '../../test/support/effort.ts';

const MARKUP = {
  banner: '<p>An ad</p>',
  video:
    '<VAST version="2.0"><Ad id="1"><InLine><Creatives><Creative><Linear>' +
    '<Duration>00:00:15</Duration></Linear></Creative></Creatives></InLine></Ad></VAST>',
} as const;
type Sold = keyof typeof MARKUP;

function aRule(floorMicros: number, differs: Partial<FloorRule> = {}): FloorRule {
  return { countries: [], formats: [], floorMicros, ...differs };
}

/** A market that sells banner and video in one place. */
function marketWith(...floors: readonly (readonly FloorRule[])[]): Promise<Market> {
  const [publisher = [], site = [], space = []] = floors;
  const entities: Entity[] = [
    aPublisher({ floors: publisher, priceBasis: 'gross' }),
    aSite({ floors: site }),
    anAdSpace({ floors: space, video: aVideo() }),
  ];
  return aMarket(...entities);
}

interface Asked {
  readonly market: Market;
  /** ISO 3166-1 alpha-3, as OpenRTB has it. */
  readonly country?: string;
  readonly formats?: readonly Sold[];
  readonly bidfloor?: number;
  readonly bids: readonly { readonly format: Sold; readonly micros: number }[];
}

/** Holds an auction: what the bidder is told of the floor, and the record. */
async function held(asked: Asked): Promise<{ told: unknown; record: AuctionRecord }> {
  const formats = asked.formats ?? ['banner', 'video'];
  const imp = {
    id: 'i',
    tagid: '4001',
    bidfloor: asked.bidfloor ?? 0,
    ...(formats.includes('banner') ? { banner: {} } : {}),
    ...(formats.includes('video') ? { video: { mimes: ['video/mp4'] } } : {}),
  };
  const device = asked.country === undefined ? {} : { geo: { country: asked.country } };
  const bids = asked.bids.map(({ format, micros }) => ({
    price: micros / 1e6,
    adm: MARKUP[format],
  }));
  const auction = await holdOne(asked.market, { imp: [imp], device }, bids);
  return { told: auction.asked.imp[0]?.bidfloor, record: auction.record };
}

test('a bid has to reach the floor of what its markup is, and is told the lowest on offer', async () => {
  const market = await marketWith([aRule(5_000_000, { formats: ['video'] }), aRule(1_000_000)]);
  const bids = [
    { format: 'video', micros: 4_900_000 },
    { format: 'banner', micros: 1_200_000 },
    { format: 'video', micros: 6_000_000 },
  ] as const;
  const { told, record } = await held({ market, bids });
  assert.equal(told, 1);
  assert.deepEqual(
    record.bids.map(({ loss_reason: reason }) => reason),
    [100, 102, 0],
  );
  assert.equal(record.bids[2]?.clearing_micros, 5_000_000);
  assert.equal(record.imps[0]?.floor_micros, 1_000_000);
  const video = await held({ market, bids, formats: ['video'] });
  assert.deepEqual([video.told, video.record.imps[0]?.floor_micros], [5, 5_000_000]);
});

test('the country is the one that targeting goes by; where nobody knows it the general floor holds', async () => {
  const market = await marketWith([aRule(3_000_000, { countries: ['DE'] }), aRule(500_000)]);
  const told = async (country?: string): Promise<unknown> =>
    (await held({ market, bids: [], ...(country === undefined ? {} : { country }) })).told;
  assert.deepEqual([await told('DEU'), await told('FRA'), await told()], [3, 0.5, 0.5]);
});

test("the highest of the levels' floors holds, the request's among them", async () => {
  const us = (floorMicros: number): FloorRule[] => [aRule(floorMicros, { countries: ['US'] })];
  const orders = [
    [3, 1, 2],
    [1, 3, 2],
    [1, 2, 3],
  ];
  for (const order of orders) {
    // One after the other, so that a failure names its order.
    // oxlint-disable-next-line no-await-in-loop
    const market = await marketWith(...order.map((dollars) => us(dollars * 1_000_000)));
    // oxlint-disable-next-line no-await-in-loop
    const { told } = await held({ market, bids: [], country: 'USA' });
    assert.equal(told, 3, String(order));
    // oxlint-disable-next-line no-await-in-loop
    const raised = await held({ market, bids: [], country: 'USA', bidfloor: 4 });
    assert.equal(raised.told, 4);
  }
});

const COUNTRIES = { US: 'USA', DE: 'DEU', FR: 'FRA' } as const;
const someRules = fc.array(
  fc.record({
    countries: fc.subarray(Object.keys(COUNTRIES)),
    formats: fc.subarray<Format>(['banner', 'video', 'native']),
    floorMicros: fc.integer({ min: 0, max: 8 }).map((cents) => cents * 10_000),
  }),
  { maxLength: 5 },
);

test('a bid below the floor of its country and format never wins, one that reaches it does', async () => {
  let [refused, sold] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(someRules, someRules, someRules),
      fc.constantFrom<keyof typeof COUNTRIES | null>('US', 'DE', 'FR', null),
      fc.constantFrom<Sold>('banner', 'video'),
      fc.integer({ min: 1, max: 9 }),
      async (lists, country, format, cents) => {
        const market = await marketWith(...lists);
        const bids = [{ format, micros: cents * 10_000 }];
        const place = country === null ? {} : { country: COUNTRIES[country] };
        const { record } = await held({ market, bids, ...place });
        const floorMicros = Math.max(...lists.map((rules) => floorIn(rules, country, format)));
        const [bid] = record.bids;
        const reaches = cents * 10_000 >= floorMicros;
        assert.equal(bid?.loss_reason, reaches ? 0 : 100);
        if (reaches) assert.equal(bid.clearing_micros, Math.max(floorMicros, 10_000));
        if (reaches) sold += 1;
        else refused += 1;
      },
    ),
    { numRuns: runs(40) },
  );
  assert.ok(refused > runs(3) && sold > runs(3), `${refused} refused, ${sold} sold`);
});

/** The floor of a list by looking at every rule; of equally specific ones the last. */
function floorIn(rules: readonly FloorRule[], country: string | null, format: Format): number {
  let [best, floorMicros] = [-1, 0];
  for (const rule of rules) {
    const inCountry = rule.countries.length === 0 || rule.countries.includes(country ?? '');
    const isFormat = rule.formats.length === 0 || rule.formats.includes(format);
    if (!inCountry || !isFormat) continue;
    const rank = Math.sign(rule.countries.length) * 2 + Math.sign(rule.formats.length);
    if (rank >= best) [best, floorMicros] = [rank, rule.floorMicros];
  }
  return floorMicros;
}
