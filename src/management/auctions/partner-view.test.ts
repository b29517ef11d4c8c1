import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import type { FoundAuction } from '../../analytics/find-auction.ts';
import { aPartner, aSnapshot } from '../../auction/eligibility-fixtures.ts';
import type { AuctionRecord } from '../../events/auction-record.ts';
import type { BeaconRecord } from '../../events/beacon-record.ts';
import { explainAuction } from './explain-auction.ts';
import {
  aBid,
  aBidTrace,
  aCallRecord,
  aCallTrace,
  aFound,
  aLineItem,
  AT_MS,
  AUCTION_ID,
  NOW_MS,
} from './fixtures.ts';
import { AuctionViewSchema } from './schema.ts';

const viewValidator = Compile(AuctionViewSchema);

/**
 * Values that occur once: whatever of them turns up where it should not can be traced to whom it
 * belongs. All numbers have eight digits, and all texts are closed, so that none is part of another.
 */
class Marks {
  #next = 0;
  readonly #of = new Map<string, string[]>();

  text(owner: string): string {
    const text = `<${owner}-${this.#take()}>`;
    this.#note(owner, text);
    return text;
  }

  id(owner: string): number {
    const id = 81_000_001 + this.#take() * 10;
    this.#note(owner, String(id));
    return id;
  }

  /** Micro-dollars that are written with six digits behind the point. */
  price(owner: string): number {
    const micros = 11_000_001 + this.#take() * 1_010;
    this.#note(owner, (micros / 1e6).toFixed(6));
    return micros;
  }

  of(owner: string): readonly string[] {
    return this.#of.get(owner) ?? [];
  }

  get owners(): readonly string[] {
    return [...this.#of.keys()];
  }

  #take(): number {
    this.#next += 1;
    return this.#next;
  }

  #note(owner: string, mark: string): void {
    this.#of.set(owner, [...this.of(owner), mark]);
  }
}

const REASONS = [1, 3, 4, 7, 100, 101, 102, 103, 104, 200, 202, 205, 209] as const;
const OUTCOMES = ['bid', 'bid', 'no_bid', 'timeout', 'error', 'throttled'] as const;

/** What one partner does in an auction of two impressions. */
const behaviour = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  imps: fc.constantFrom<number[]>([0], [1], [0, 1]),
  sendsBidfloor: fc.boolean(),
  bids: fc.array(
    fc.record({
      reason: fc.constantFrom(...REASONS),
      imp: fc.constantFrom(0, 1),
      dealt: fc.boolean(),
      group: fc.constantFrom(-1, 0, 1),
      dealType: fc.constantFrom('first_price', 'second_price', 'fixed_price'),
      isFloorOwn: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
});

const auctions = fc.record({
  partners: fc.array(behaviour, { minLength: 2, maxLength: 4 }),
  winner: fc.nat(3),
  hasTrace: fc.boolean(),
  fd: fc.constantFrom(0 as const, 1 as const),
});

type Sample = typeof auctions extends fc.Arbitrary<infer Each> ? Each : never;

/** An auction in which every value is marked with whose it is. */
function marked({ partners, winner, hasTrace, fd }: Sample) {
  const marks = new Marks();
  const zones = [marks.id('imp 0'), marks.id('imp 1')] as const;
  const ids = partners.map((_, index) => marks.id(`partner ${index}`));
  const entities = partners.map(({ sendsBidfloor }, index) => {
    const own = aPartner(ids[index] ?? 0, { name: marks.text(`partner ${index}`) });
    if (own.bidder === null) throw new Error('a partner without a bidder');
    return { ...own, bidder: { ...own.bidder, sendBidfloor: sendsBidfloor } };
  });
  const lineItems = ids.map((id, index) =>
    aLineItem(marks.id(`partner ${index}`), id, marks.text(`partner ${index}`)),
  );
  const calls = partners.map(({ outcome, imps }, index) => {
    const owner = `partner ${index}`;
    return [
      aCallRecord({
        demand_partner_id: ids[index] ?? 0,
        imp: imps[0] ?? 0,
        lineitem_ids: [lineItems[index]?.id ?? 0],
        outcome,
        reason: outcome === 'throttled' ? 'bidder_qps' : marks.text(owner),
      }),
      aCallTrace({
        imps,
        deals: [marks.text(owner)],
        detail: marks.text(owner),
        request: marks.text(owner),
        response: marks.text(owner),
        response_bytes: marks.id(owner),
        tmax_ms: marks.id(owner),
      }),
    ] as const;
  });
  const bids = partners.flatMap(({ outcome, bids: made, imps }, index) => {
    const owner = `partner ${index}`;
    const placed = outcome === 'bid' ? made.filter(({ imp }) => imps.includes(imp)) : [];
    return placed.map(({ reason, imp, dealt, group, dealType, isFloorOwn }, nth) => {
      const won = winner === index && nth === 0;
      const knowsFloor = dealt || isFloorOwn || partners[index]?.sendsBidfloor === true;
      const floor = marks.price(knowsFloor ? owner : 'publisher');
      return [
        aBid({
          demand_partner_id: ids[index] ?? 0,
          lineitem_id: lineItems[index]?.id ?? 0,
          imp,
          bid_id: marks.text(owner),
          seat: marks.text(owner),
          dealid: dealt ? marks.text(owner) : '',
          crid: marks.text(owner),
          adomain: marks.text(owner),
          price_micros: marks.price(owner),
          loss_reason: won ? 0 : reason,
          in_auction: won || reason === 102 || reason === 103 ? 1 : 0,
          clearing_micros: won ? marks.price(owner) : 0,
          payout_micros: won ? marks.price('publisher') : 0,
        }),
        aBidTrace({
          detail: detailOf(won ? 0 : reason, floor, () => marks.text(owner)),
          floor_micros: floor,
          lineitem_floor_micros: isFloorOwn ? floor : marks.price('publisher'),
          deal_type: dealt ? dealType : '',
          group,
          min_to_win_micros: won ? marks.price('publisher') : marks.price(owner),
        }),
      ] as const;
    });
  });
  const imps: AuctionRecord['imps'] = zones.map((zone, index) => ({
    zone_id: zone,
    ad_format: 'banner',
    sizes: [marks.text(`imp ${index}`)],
    interstitial: 0,
    rewarded: 0,
    secure: 1,
    floor_micros: marks.price('publisher'),
    filled: 0,
  }));
  const notices: AuctionRecord['notices'] = bids.map(([bid], index) => {
    const owner = `partner ${ids.indexOf(bid.demand_partner_id)}`;
    const { demand_partner_id, lineitem_id, imp } = bid;
    const event = bid.loss_reason === 0 ? 'win' : 'loss';
    const url = marks.text(owner);
    return { event, bid: index, imp, demand_partner_id, lineitem_id, unless_won_by_ms: 0, url };
  });
  const winning = bids.filter(([bid]) => bid.loss_reason === 0);
  const found = aFound({
    bids,
    calls,
    auction: {
      imps,
      notices,
      fd,
      request_id: marks.text('publisher'),
      country_code: marks.text('audience'),
      os: marks.text('audience'),
      language: marks.text('audience'),
    },
    trace: { duration_us: marks.id('publisher'), revenue_share_bps: marks.id('publisher') },
    beacons: winning.map(([bid]) => aBeacon(bid, marks, ids)),
    deliveries: winning.map(([bid]) => ({
      event: 'win',
      auction_id: AUCTION_ID,
      imp: bid.imp,
      demand_partner_id: bid.demand_partner_id,
      lineitem_id: bid.lineitem_id,
      due_ms: AT_MS,
      outcome: 'delivered',
      status: 204,
      tries: marks.id(`partner ${ids.indexOf(bid.demand_partner_id)}`),
      at_ms: AT_MS + 10,
    })),
  });
  const kept: FoundAuction = hasTrace ? found : { ...found, trace: null };
  return { found: kept, ids, marks, snapshot: aSnapshot(...entities, ...lineItems) };
}

/** What stands in a trace of a bid; a winner's says nothing. */
function detailOf(reason: number, floorMicros: number, other: () => string): string {
  if (reason === 0 || reason === 102 || reason === 103) return '';
  return reason === 100 || reason === 101 ? `floor ${(floorMicros / 1e6).toFixed(6)}` : other();
}

function aBeacon(
  bid: AuctionRecord['bids'][number],
  marks: Marks,
  ids: readonly number[],
): BeaconRecord {
  const owner = `partner ${ids.indexOf(bid.demand_partner_id)}`;
  return {
    kind: 'impression',
    auction_id: AUCTION_ID,
    imp: bid.imp,
    expires_ms: AT_MS + 3_600_000,
    test: 0,
    fd: 0,
    publisher_id: 2001,
    property_id: 3001,
    zone_id: 4001,
    demand_partner_id: bid.demand_partner_id,
    lineitem_id: bid.lineitem_id,
    dealid: bid.dealid,
    ad_format: 'banner',
    interstitial: 0,
    rewarded: 0,
    app_bundle: 'com.planet.reader',
    app_site_domain: '',
    country_code: 'USA',
    platform_demand: 'Android',
    platform_supply: 'Android',
    os: 'Android',
    clearing_micros: bid.clearing_micros,
    payout_micros: marks.price('publisher'),
    node: 'aaaaaaaaaaaaaaaa',
    at_ms: AT_MS + 900,
    notice_url: marks.text(owner),
  };
}

test("no value that belongs to another partner or to the publisher is in a partner's part", () => {
  let own = 0;
  fc.assert(
    fc.property(auctions, (sample) => {
      const { found, ids, marks, snapshot } = marked(sample);
      for (const [index, demandPartnerId] of ids.entries()) {
        const reader = { role: 'demand-partner', demandPartnerId } as const;
        const view = explainAuction(found, reader, { snapshot, nowMs: NOW_MS });
        assert.ok(view !== null && viewValidator.Check(view));
        const text = JSON.stringify(view);
        const partner = sample.partners[index];
        const isAsked = partner?.outcome !== 'throttled';
        const seen = new Set([`partner ${index}`, ...(isAsked ? ['audience'] : [])]);
        const imps = sample.hasTrace ? (partner?.imps ?? []) : [partner?.imps[0] ?? 0];
        for (const imp of imps) seen.add(`imp ${imp}`);
        for (const owner of marks.owners.filter((each) => !seen.has(each))) {
          const leaked = marks.of(owner).filter((mark) => text.includes(mark));
          assert.deepEqual(leaked, [], `of ${owner}`);
        }
        own += marks.of(`partner ${index}`).filter((mark) => text.includes(mark)).length;
      }
      // The marks can be found at all: the operator's view has those of everybody.
      const whole = explainAuction(found, { role: 'operator' }, { snapshot, nowMs: NOW_MS });
      assert.ok(viewValidator.Check(whole));
      const text = JSON.stringify(whole);
      for (const owner of ['publisher', ...ids.map((_, index) => `partner ${index}`)]) {
        assert.ok(
          marks.of(owner).some((mark) => text.includes(mark)),
          `nothing of ${owner}`,
        );
      }
    }),
    { numRuns: 200 },
  );
  assert.ok(own > 1_000, 'partners see their own');
});

test('how many bids and groups the others had is not to be told from a numbering', () => {
  const others = [0, 1, 2].map(
    (nth) =>
      [
        aBid({ demand_partner_id: 1002, bid_id: `o${nth}`, loss_reason: 102 }),
        aBidTrace({ group: nth }),
      ] as const,
  );
  const own = [aBid(), aBidTrace({ group: 7 })] as const;
  const notice = {
    event: 'loss',
    bid: 3,
    imp: 0,
    demand_partner_id: 1001,
    lineitem_id: 501,
    unless_won_by_ms: 0,
    url: 'https://acme.example/loss',
  } as const;
  const found = aFound({
    bids: [...others, own],
    calls: [
      [aCallRecord({ demand_partner_id: 1002 }), aCallTrace()],
      [aCallRecord(), aCallTrace()],
    ],
    auction: { notices: [notice] },
  });
  const surroundings = { snapshot: aSnapshot(aPartner(1001), aPartner(1002)), nowMs: NOW_MS };
  const view = explainAuction(
    found,
    { role: 'demand-partner', demandPartnerId: 1001 },
    surroundings,
  );
  assert.deepEqual(
    view?.bids.map(({ bid, group }) => [bid, group]),
    [[0, 0]],
  );
  assert.deepEqual(
    view?.notices.map(({ bid, url }) => [bid, url]),
    [[0, 'https://acme.example/loss']],
  );
});

test('an auction that had nothing for a partner is none for it', () => {
  const surroundings = { snapshot: aSnapshot(aPartner(1001), aPartner(1002)), nowMs: NOW_MS };
  const reader = { role: 'demand-partner', demandPartnerId: 1002 } as const;
  assert.equal(explainAuction(aFound(), reader, surroundings), null);
});
