import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOSS_REASONS, LossReason } from '../../openrtb/loss-reason.ts';
import { aPartner } from '../../auction/eligibility-fixtures.ts';
import type { AuctionRecord, BidRecord } from '../../events/auction-record.ts';
import { explainAuction, type Reader } from './explain-auction.ts';
import {
  ACME,
  aBid,
  aBidTrace,
  aCallRecord,
  aCallTrace,
  aFound,
  BOLT,
  NOW_MS,
  twoPartners,
  type BidTrace,
  type FoundParts,
} from './fixtures.ts';
import type { AuctionView } from './schema.ts';

const OPERATOR: Reader = { role: 'operator' };
const AS_ACME: Reader = { role: 'demand-partner', demandPartnerId: ACME };

function explained(
  parts: FoundParts,
  reader: Reader = OPERATOR,
  snapshot = twoPartners(),
): AuctionView {
  const view = explainAuction(aFound(parts), reader, { snapshot, nowMs: NOW_MS });
  assert.ok(view !== null);
  return view;
}

const BOTH_CALLED: NonNullable<FoundParts['calls']> = [
  [aCallRecord(), aCallTrace()],
  [aCallRecord({ demand_partner_id: BOLT }), aCallTrace()],
];

type Entry = readonly [Partial<BidRecord>, Partial<BidTrace>];

/** What is said of the first of some bids, to the operator and to Acme, whose it is. */
function said(entries: readonly Entry[], auction: Partial<AuctionRecord> = {}): [string, string] {
  const bids = entries.map(([bid, trace]): NonNullable<FoundParts['bids']>[number] => [
    aBid(bid),
    aBidTrace(trace),
  ]);
  const parts = { bids, calls: BOTH_CALLED, auction };
  const [operator = '', partner = ''] = [OPERATOR, AS_ACME].map(
    (reader) => explained(parts, reader).bids[0]?.sentence,
  );
  return [operator, partner];
}

const WON = { loss_reason: 0, clearing_micros: 2_410_000, payout_micros: 1_928_000 };
const BOLT_WON = { ...WON, demand_partner_id: BOLT, bid_id: 'b2', price_micros: 3_100_000 };

test('a lower bid: the operator is told whose was higher, the partner what would have won', () => {
  const entries: Entry[] = [
    [{}, { min_to_win_micros: 3_110_000 }],
    [BOLT_WON, {}],
  ];
  assert.deepEqual(said(entries), [
    "Acme DSP bid $2.40 and lost: Bolt DSP's bid of $3.10 was higher; $3.11 would have won.",
    'Acme DSP bid $2.40 and lost: another bid was higher; $3.11 would have won.',
  ]);
});

test('an equal bid is told that it lost by lot', () => {
  const entries: Entry[] = [
    [{ price_micros: 3_100_000 }, { min_to_win_micros: 3_110_000 }],
    [BOLT_WON, {}],
  ];
  assert.deepEqual(said(entries), [
    "Acme DSP bid $3.10 and lost: Bolt DSP's bid of $3.10 was as high, and came first by lot; $3.11 would have won.",
    'Acme DSP bid $3.10 and lost: another bid was as high, and came first by lot; $3.11 would have won.',
  ]);
});

test('an open bid below a deal is told of the deal alone, and by name to the operator', () => {
  const entries: Entry[] = [
    [{ price_micros: 5_000_000, loss_reason: 103 }, {}],
    [{ ...BOLT_WON, dealid: 'd-7' }, { deal_type: 'fixed_price' }],
  ];
  assert.deepEqual(said(entries), [
    "Acme DSP bid $5.00 and lost: Bolt DSP's bid of $3.10 was for deal d-7, which ranks above.",
    'Acme DSP bid $5.00 and lost: a bid for a deal ranked above it.',
  ]);
});

test('a deal below a deal of fixed price could bid what it liked', () => {
  const entries: Entry[] = [
    [{ price_micros: 5_000_000, dealid: 'd-8' }, { deal_type: 'second_price' }],
    [{ ...BOLT_WON, dealid: 'd-7' }, { deal_type: 'fixed_price' }],
  ];
  assert.deepEqual(said(entries), [
    "Acme DSP bid $5.00 for deal d-8 and lost: Bolt DSP's bid of $3.10 was for deal d-7, which ranks above.",
    'Acme DSP bid $5.00 for deal d-8 and lost: a bid for a deal ranked above it, whatever it had bid.',
  ]);
});

test('a bid of a group that did not win whole is not told that a lower one was higher', () => {
  const entries: Entry[] = [
    [{ price_micros: 9_000_000 }, { group: 4, min_to_win_micros: 3_110_000 }],
    [BOLT_WON, {}],
  ];
  assert.deepEqual(said(entries), [
    "Acme DSP bid $9.00 and lost: not all bids of its group came first, and Bolt DSP's bid of $3.10 won instead; $3.11 would have been needed here at least.",
    'Acme DSP bid $9.00 and lost: not all bids of its group came first; $3.11 would have been needed here at least.',
  ]);
});

test('groups that blocked one another leave nobody', () => {
  const [operator] = said([[{}, { group: 0 }]]);
  assert.equal(
    operator,
    'Acme DSP bid $2.40 and lost: no bid won the impression, because groups blocked one another.',
  );
});

test("a floor is told to a partner whose bid requests carry it, or whose line item's it is", () => {
  const below = aBid({ price_micros: 100_000, in_auction: 0, loss_reason: LossReason.BelowFloor });
  const trace = aBidTrace({
    detail: 'price 0.1 is below the floor of 0.2',
    min_to_win_micros: 3_110_000,
  });
  const told = 'Acme DSP bid $0.10 and lost: the floor was $0.20; $3.11 would have won.';
  const untold =
    'Acme DSP bid $0.10 and lost: the price is below the floor of the impression or line item; $3.11 would have won.';
  const { bidder } = aPartner(ACME);
  assert.ok(bidder !== null);
  const silent = aPartner(ACME, { name: 'Acme DSP', bidder: { ...bidder, sendBidfloor: false } });
  const bidOf = (view: AuctionView) => view.bids[0];
  const parts = { bids: [[below, trace] as const] };
  assert.equal(bidOf(explained(parts))?.sentence, told);
  assert.equal(bidOf(explained(parts, AS_ACME))?.sentence, told);

  const hidden = bidOf(explained(parts, AS_ACME, twoPartners(silent)));
  assert.equal(hidden?.sentence, untold);
  assert.deepEqual([hidden?.floor_cpm, hidden?.detail], [null, null]);
  const own = { ...trace, lineitem_floor_micros: 200_000 };
  assert.equal(
    bidOf(explained({ bids: [[below, own]] }, AS_ACME, twoPartners(silent)))?.sentence,
    told,
  );
});

test('a winner is told its price, and what a publisher that decides has made of it', () => {
  const won: Entry[] = [[WON, {}]];
  assert.deepEqual(said(won)[1], 'Acme DSP bid $2.40 and won at $2.41.');
  assert.deepEqual(
    said(won, { test: 1 })[1],
    'Acme DSP bid $2.40 and won at $2.41, in a test that nobody pays for.',
  );
  assert.deepEqual(
    said(won, { fd: 1 })[1],
    'Acme DSP bid $2.40 and won at $2.41, if the publisher takes it, which is not confirmed.',
  );
});

for (const code of Object.values(LossReason).filter((reason) => reason !== LossReason.Won)) {
  test(`reason ${code} is told with the values that were compared: ${LOSS_REASONS[code]}`, () => {
    const inAuction = code === LossReason.LostToHigherBid || code === LossReason.LostToDeal;
    const [operator, partner] = said([
      [{ loss_reason: code, in_auction: inAuction ? 1 : 0 }, { detail: 'this; allowed: that' }],
      [BOLT_WON, {}],
    ]);
    for (const sentence of [operator, partner]) {
      assert.match(sentence, /^Acme DSP bid \$2\.40 and lost: \S.*\S\.$/);
      const isCompared = inAuction || code === LossReason.BelowFloor || code === 101;
      if (!isCompared) assert.ok(sentence.includes('this; allowed: that'), sentence);
    }
  });
}

test('a reason that is none of the list is told as a number', () => {
  const [operator] = said([[{ loss_reason: 999, in_auction: 0 }, {}]]);
  assert.match(operator, /loss reason 999 is not one that this exchange gives/i);
});

test('without a trace a bid is told by its record', () => {
  const found = aFound({ bids: [[aBid(), aBidTrace()]] });
  const view = explainAuction({ ...found, trace: null }, AS_ACME, {
    snapshot: twoPartners(),
    nowMs: NOW_MS,
  });
  assert.equal(view?.bids[0]?.sentence, 'Acme DSP bid $2.40 and lost: another bid was higher.');
  assert.equal(view?.trace.is_kept, false);
});
