import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { AuctionListQuestion } from '../../src/analytics/auction-conditions.ts';
import { listAuctions } from '../../src/analytics/list-auctions.ts';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { Segment, testAnalytics } from './loader-fixture.ts';
import { auctionsAmong, makeRecords } from './loader-records.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.now() - HOUR_MS;
const records = makeRecords('listed', 600, START_MS, HOUR_MS / 600);
const newest = auctionsAmong(records).toSorted(
  (a, b) => b.at_ms - a.at_ms || (a.auction_id < b.auction_id ? 1 : -1),
);

const ALL: AuctionListQuestion = {
  fromMs: START_MS,
  toMs: START_MS + HOUR_MS,
  before: null,
  limit: 100,
  demandPartnerId: null,
  isForPartner: false,
  publisherId: null,
  adSpaceId: null,
  country: null,
  adFormat: null,
  lineItemId: null,
  outcome: null,
  reason: null,
  lossReason: null,
  filled: null,
};

/** The ids of the whole list, part after part. */
async function idsOf(
  store: AnalyticsStore,
  question: AuctionListQuestion,
  cpuMs?: () => number,
): Promise<{ ids: string[]; parts: number }> {
  const ids: string[] = [];
  let parts = 0;
  for (let before: AuctionListQuestion['before'] = null; ;) {
    const { auctions, next } = await listAuctions(store, { ...question, before }, cpuMs);
    ids.push(...auctions.map(({ auction_id: id }) => id));
    parts += 1;
    assert.ok(auctions.length > 0 || next === null, 'nothing was found, and the list goes on');
    if (next === null) return { ids, parts };
    before = next;
  }
}

type Case = readonly [string, Partial<AuctionListQuestion>, (auction: AuctionRecord) => boolean];

const own = ({ demand_partner_id: id }: { readonly demand_partner_id: number }) => id === 2;

const CASES: readonly Case[] = [
  ['nothing', {}, () => true],
  ['a publisher', { publisherId: 2 }, ({ publisher_id: id }) => id === 2],
  ['a country', { country: 'DEU' }, ({ country_code: code }) => code === 'DEU'],
  ['filled', { filled: true }, ({ imps }) => imps.some(({ filled }) => filled === 1)],
  ['not filled', { filled: false }, ({ imps }) => imps.every(({ filled }) => filled === 0)],
  ['an ad space', { adSpaceId: 4 }, ({ imps }) => imps.some(({ zone_id: id }) => id === 4)],
  [
    'an ad space and a format of one impression',
    { adSpaceId: 4, adFormat: 'video' },
    ({ imps }) => imps.some((imp) => imp.zone_id === 4 && imp.ad_format === 'video'),
  ],
  ['a partner', { demandPartnerId: 2 }, ({ calls }) => calls.some(own)],
  [
    'what one call of a partner came to',
    { demandPartnerId: 2, outcome: 'no_bid', reason: 'nbr_2' },
    ({ calls }) =>
      calls.some((call) => own(call) && call.outcome === 'no_bid' && call.reason === 'nbr_2'),
  ],
  [
    'a line item and an outcome of one call',
    { lineItemId: 21, outcome: 'timeout' },
    ({ calls }) =>
      calls.some(({ lineitem_ids: ids, outcome }) => ids.includes(21) && outcome === 'timeout'),
  ],
  [
    "another partner's line item",
    { demandPartnerId: 2, isForPartner: true, lineItemId: 10 },
    () => false,
  ],
  [
    'why a bid of a partner lost',
    { demandPartnerId: 2, isForPartner: true, lossReason: 102 },
    ({ bids }) => bids.some((bid) => own(bid) && bid.loss_reason === 102),
  ],
  [
    'why a bid of a line item lost',
    { lineItemId: 20, lossReason: 0 },
    ({ bids }) => bids.some((bid) => bid.lineitem_id === 20 && bid.loss_reason === 0),
  ],
  [
    'the country of a person that a partner was told of',
    { demandPartnerId: 2, isForPartner: true, country: 'DEU' },
    ({ calls, country_code: code }) =>
      code === 'DEU' && calls.some((call) => own(call) && call.outcome !== 'throttled'),
  ],
  [
    'the ad space that a partner was offered',
    { demandPartnerId: 2, isForPartner: true, adSpaceId: 4 },
    ({ calls, imps }) => calls.some((call) => own(call) && imps[call.imp]?.zone_id === 4),
  ],
];

test('recent auctions are listed by all that can be asked for, the newest first and each once', async (t) => {
  const { store, loader } = await testAnalytics(t);
  assert.equal((await loader.load(new Segment().batch(records))).kind, 'loaded');
  for (const [name, asked, isListed] of CASES) {
    const { ids } = await idsOf(store, { ...ALL, ...asked });
    const expected = newest.filter(isListed).map(({ auction_id: id }) => id);
    assert.deepEqual(ids, expected, name);
    assert.ok(expected.length > 0 || name.startsWith('another'), `${name} finds nothing`);
  }

  const [first] = (await listAuctions(store, { ...ALL, limit: 1 })).auctions;
  const { notices: _, ...whole } = newest[0] ?? assert.fail();
  assert.deepEqual(first, whole);

  const window = { fromMs: START_MS + HOUR_MS / 4, toMs: START_MS + HOUR_MS / 2 };
  const within = newest.filter(({ at_ms: at }) => at >= window.fromMs && at < window.toMs);
  assert.equal((await idsOf(store, { ...ALL, ...window })).ids.length, within.length);
  assert.deepEqual((await idsOf(store, { ...ALL, fromMs: 0, toMs: START_MS })).ids, []);

  // A search that costs much is cut off once it has found something, with a place to go on from.
  let costMs = 0;
  const slow = await idsOf(store, { ...ALL, lossReason: 3 }, () => (costMs += 150));
  const rare = newest.filter(({ bids }) => bids.some((bid) => bid.loss_reason === 3));
  assert.deepEqual(
    slow.ids,
    rare.map(({ auction_id: id }) => id),
  );
  assert.ok(slow.parts > 5);
});

test('auctions of one millisecond are told apart from part to part', async (t) => {
  const { store, loader } = await testAnalytics(t);
  const same = makeRecords('same', 40, START_MS, 0);
  assert.equal((await loader.load(new Segment().batch(same))).kind, 'loaded');
  const { ids, parts } = await idsOf(store, { ...ALL, limit: 7 });
  const expected = auctionsAmong(same).map(({ auction_id: id }) => id);
  assert.deepEqual(ids, expected.toSorted().toReversed());
  assert.equal(parts, 6);
});
