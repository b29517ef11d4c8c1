import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateOf } from '../../src/analytics/dates.ts';
import { readLineItemRequests } from '../../src/analytics/line-item-requests.ts';
import { readFirsts } from '../../src/analytics/firsts.ts';
import { readBidderSums, readPulse, readTraffic } from '../../src/analytics/traffic.ts';
import { Segment, testAnalytics } from './loader-fixture.ts';
import { auctionsAmong, makeRecords } from './loader-records.ts';

/** Live figures expire by the clock of the engine. */
const START_S = Math.floor(Date.now() / 60_000) * 60 - 600;

test('live figures are those of the records, of the exchange and of each account, step by step', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const records = makeRecords('traffic', 300, START_S * 1_000, 1_000);
  const none = { hasRequests: false, hasImpressions: false };
  assert.deepEqual(await readFirsts(store), none);
  await loader.load(new Segment().batch(records));
  assert.deepEqual(await readFirsts(store), { hasRequests: true, hasImpressions: true });
  const auctions = auctionsAmong(records).filter(({ test: isTest }) => isTest === 0);
  const time = { fromS: START_S, toS: START_S + 600, stepS: 60 };

  const today = dateOf(START_S * 1_000);
  const matched = auctions
    .filter(({ at_ms }) => dateOf(at_ms) === today)
    .flatMap(({ calls }) => calls.filter(({ outcome }) => outcome !== 'throttled'))
    .flatMap(({ lineitem_ids: ids }) => ids);
  const bySum = (of: Iterable<readonly [number, number]>) => [...of].toSorted(([a], [b]) => a - b);
  const grouped = [...Map.groupBy(matched, (id) => id)];
  assert.deepEqual(
    bySum(await readLineItemRequests(store, today)),
    bySum(grouped.map(([id, all]) => [id, all.length])),
  );

  const exchange = await readTraffic(store, { account: { side: 'exchange' }, ...time });
  for (const [atS, sums] of exchange) {
    const own = auctions.filter(({ at_ms }) => Math.floor(at_ms / 60_000) * 60 === atS);
    const calls = own.flatMap((auction) => auction.calls);
    const answered = calls.filter(({ outcome }) => outcome === 'bid' || outcome === 'no_bid');
    assert.deepEqual(
      [
        sums.ad_requests,
        sums.bid_requests,
        sums.throttled,
        sums.bids,
        [...sums.latencies.values()].reduce((sum, each) => sum + each, 0),
      ],
      [
        own.flatMap(({ imps }) => imps).length,
        calls.filter(({ outcome }) => outcome !== 'throttled').length,
        calls.filter(({ outcome }) => outcome === 'throttled').length,
        own.flatMap(({ bids }) => bids).length,
        answered.length,
      ],
    );
  }
  assert.ok(exchange.size >= 5, 'every minute with traffic is there');

  const billed = records.flatMap((record) =>
    record.kind === 'impression' && record.test === 0 ? [record] : [],
  );
  const gross = billed.reduce((sum, { clearing_micros }) => sum + BigInt(clearing_micros), 0n);
  const later = { ...time, toS: START_S + 86_400 };
  const whole = await readTraffic(store, { account: { side: 'exchange' }, ...later });
  assert.equal(
    [...whole.values()].reduce((sum, each) => sum + each.grossCpmMicros, 0n),
    gross,
  );

  const partner = auctions[0]?.calls[0]?.demand_partner_id ?? 0;
  const account = { side: 'demand_partner', id: partner } as const;
  const own = auctions.flatMap(({ calls }) =>
    calls.filter(({ demand_partner_id }) => demand_partner_id === partner),
  );
  const sent = [...(await readTraffic(store, { account, ...time })).values()];
  assert.equal(
    sent.reduce((sum, each) => sum + each.bid_requests, 0),
    own.filter(({ outcome }) => outcome !== 'throttled').length,
  );
  assert.equal(
    sent.reduce((sum, each) => sum + each.ad_requests, 0),
    0,
  );
  const steps = (await readBidderSums(store, time)).get(partner) ?? new Map();
  const reasons = new Map<string, number>();
  for (const { reasons: some } of steps.values()) {
    for (const [key, count] of some) reasons.set(key, (reasons.get(key) ?? 0) + count);
  }
  const expected = new Map<string, number>();
  for (const { outcome, reason } of own) {
    const key = `${outcome} ${reason}`;
    if (reason !== '') expected.set(key, (expected.get(key) ?? 0) + 1);
  }
  assert.deepEqual(Object.fromEntries(reasons), Object.fromEntries(expected));

  const imps = auctions.flatMap((auction) => auction.imps.map(() => auction.at_ms));
  const recentFromS = START_S + 200;
  assert.deepEqual(
    await readPulse(store, { fromS: START_S, recentFromS }).then((pulse) => [
      pulse.requests,
      pulse.recentRequests,
    ]),
    [imps.length, imps.filter((atMs) => atMs >= recentFromS * 1_000).length],
  );
});
