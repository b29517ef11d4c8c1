import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuctionRecord, BidRecord } from '../../events/auction-record.ts';
import { explainAuction } from './explain-auction.ts';
import {
  aBid,
  aBidTrace,
  aFound,
  BOLT,
  NOW_MS,
  twoPartners,
  type BidTrace,
  type FoundParts,
} from './fixtures.ts';
import type { ImpView } from './schema.ts';

type Entry = readonly [Partial<BidRecord>, Partial<BidTrace>];

function impOf(
  entries: readonly Entry[],
  differs: Pick<FoundParts, 'trace'> & { readonly auction?: Partial<AuctionRecord> } = {},
): ImpView {
  const bids = entries.map(([bid, trace]): NonNullable<FoundParts['bids']>[number] => [
    aBid(bid),
    aBidTrace(trace),
  ]);
  const found = aFound({ ...differs, bids });
  const surroundings = { snapshot: twoPartners(), nowMs: NOW_MS };
  const view = explainAuction(found, { role: 'operator' }, surroundings);
  const imp = view?.view === 'operator' ? view.imps[0] : undefined;
  assert.ok(imp !== undefined);
  return imp;
}

const WHERE = 'Impression 1 (ad space 4001; floor $0.20): ';

function won(clearingMicros: number, differs: Partial<BidRecord> = {}): Partial<BidRecord> {
  const payout_micros = Math.floor(clearingMicros * 0.8);
  return { loss_reason: 0, clearing_micros: clearingMicros, payout_micros, ...differs };
}

const RIVAL: Entry = [{ demand_partner_id: BOLT, bid_id: 'b2', price_micros: 1_500_000 }, {}];

test('second price: a cent above the best bid of another partner', () => {
  const own: Entry = [{ bid_id: 'b3', price_micros: 2_000_000 }, {}];
  const imp = impOf([[won(1_510_000), {}], RIVAL, own]);
  assert.equal(
    imp.sentence,
    `${WHERE}Acme DSP's bid of $2.40 ranked first of 3 and pays $1.51, one cent more than Bolt DSP's $1.50, the best bid of another demand partner; the publisher gets $1.208.`,
  );
  assert.deepEqual(imp.ranking, [0, 2, 1]);
  assert.deepEqual([imp.price?.rule, imp.price?.runner_up], ['second_price', 1]);
});

test('second price: the floor where that is higher, or nobody else is there', () => {
  assert.match(
    impOf([[won(200_000), {}]]).sentence,
    /was the only one and pays \$0\.20, its floor, as no other demand partner competed;/,
  );
  const floor = { floor_micros: 2_000_000 };
  assert.match(
    impOf([[won(2_000_000), floor], RIVAL]).sentence,
    /pays \$2\.00, its floor, which is not below Bolt DSP's \$1\.50, the best/,
  );
  const free = { floor_micros: 0 };
  assert.match(impOf([[won(10_000), free]]).sentence, /pays \$0\.01, the least that is paid,/);
});

test('second price: the whole bid where a cent more would be above it', () => {
  const imp = impOf([[won(1_505_000, { price_micros: 1_505_000 }), {}], RIVAL]);
  assert.match(imp.sentence, /pays \$1\.505, its whole bid, as it was not more than a cent above/);
});

test('first price, deals of fixed price and deals of first price say their rule', () => {
  const first = { trace: { imps: [{ formats: ['banner' as const], first_price: 1 as const }] } };
  assert.match(
    impOf([[won(2_400_000), {}], RIVAL], first).sentence,
    /pays \$2\.40, its bid, as the ad space is of first price;/,
  );
  const dealt = won(2_400_000, { dealid: 'd1' });
  assert.match(
    impOf([[dealt, { deal_type: 'first_price' }]]).sentence,
    /its bid, as deal d1 is of first price;/,
  );
  const agreed = impOf([[won(2_000_000, { dealid: 'd1' }), { deal_type: 'fixed_price' }], RIVAL]);
  assert.match(agreed.sentence, /pays \$2\.00, the price agreed for deal d1;/);
  assert.equal(agreed.price?.rule, 'fixed_price');
});

test('open bids set no price of a deal, and groups that lost set none at all', () => {
  const dealt: Entry = [won(200_000, { dealid: 'd1' }), { deal_type: 'second_price' }];
  assert.match(impOf([dealt, RIVAL]).sentence, /pays \$0\.20, its floor, as no other/);
  const grouped: Entry = [RIVAL[0], { group: 0 }];
  const imp = impOf([[won(200_000), {}], grouped]);
  assert.match(imp.sentence, /was the only one and pays \$0\.20/);
  assert.deepEqual(imp.ranking, [0]);
});

test('a price that the records do not explain is not explained away', () => {
  const odd: Entry[] = [[won(1_700_000), {}], RIVAL];
  assert.match(impOf(odd).sentence, /which the bids that are recorded do not explain;/);
  assert.match(
    impOf(odd, { auction: { bids_dropped: 3 } }).sentence,
    /which a bid has set that is not recorded;/,
  );
});

test('an impression that nobody won says how far it came', () => {
  const refused: Entry = [{ loss_reason: 203, in_auction: 0 }, {}];
  const grouped: Entry = [{ loss_reason: 102 }, { group: 0 }];
  assert.equal(impOf([]).sentence, `${WHERE}nobody bid.`);
  assert.equal(impOf([refused]).sentence, `${WHERE}the one bid was refused.`);
  assert.equal(impOf([refused, refused]).sentence, `${WHERE}all 2 bids were refused.`);
  assert.match(impOf([grouped, grouped]).sentence, /2 bids competed, and none won,/);
});

test('what a publisher gets is only said where it gets it', () => {
  const decides = { auction: { fd: 1 as const } };
  assert.match(impOf([[won(200_000), {}]], decides).sentence, /\$0\.16 if it takes the bid, which/);
  const tested = { auction: { test: 1 as const } };
  assert.match(impOf([[won(200_000), {}]], tested).sentence, /would get \$0\.16, were it no test/);
});
