import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readCountFacts } from '../../src/analytics/count-facts.ts';
import { addDays, dateOf } from '../../src/analytics/dates.ts';
import { readDemandReport, readSupplyReport } from '../../src/analytics/report.ts';
import { dollarsOf } from '../../src/analytics/revenue.ts';
import { readDaySums, readIdSums, totalOf, type SumsQuestion } from '../../src/analytics/sums.ts';
import type { BeaconRecord } from '../../src/events/beacon-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { allOf, testAnalytics, Segment } from './loader-fixture.ts';
import { auctionsAmong, makeRecords } from './loader-records.ts';

/** Raw records expire by the clock of the engine, so that the time has to be near: over a midnight. */
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MIDNIGHT_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const TODAY = dateOf(MIDNIGHT_MS);
const YESTERDAY = addDays(TODAY, -1);
const DEMAND: SumsQuestion = { side: 'demand', accountId: 1, startDate: YESTERDAY, endDate: TODAY };

function isBeacon(record: MoneyRecord): record is BeaconRecord {
  return record.kind !== 'auction' && record.kind !== 'delivery';
}

/** Auctions with ids as the exchange makes them, some just before midnight with beacons after it. */
function recordsOf(seed: string): MoneyRecord[] {
  const records = makeRecords(seed, 600, MIDNIGHT_MS - 300 * 1_000, 1_000);
  const late = makeRecords(`${seed} late`, 200, MIDNIGHT_MS - 400, 2);
  const all = [...records, ...late].toSorted((a, b) => a.at_ms - b.at_ms);
  const ids = new Map(
    auctionsAmong(all).map(({ auction_id: id, at_ms: atMs }) => {
      return [id, `${atMs.toString(16).padStart(12, '0')}${id.slice(12)}`] as const;
    }),
  );
  return all.map((record): MoneyRecord => {
    const idOf = (id: string): string => ids.get(id) ?? id;
    if (record.kind !== 'delivery') return { ...record, auction_id: idOf(record.auction_id) };
    const deliveries = record.deliveries.map((each) => {
      return Object.assign(structuredClone(each), { auction_id: idOf(each.auction_id) });
    });
    return { ...record, deliveries };
  });
}

test('the sums of a statement are those of the report, and of all line items and ad spaces', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(recordsOf('sums')));
  const supply: SumsQuestion = { ...DEMAND, side: 'supply' };
  const asked = { ...DEMAND, groupBy: ['date'] as const };
  const reports = [
    [DEMAND, readDemandReport(store, asked), 'gross_revenue', 'wins'],
    [supply, readSupplyReport(store, asked), 'payout', 'supply_wins'],
  ] as const;
  for (const [question, { rows }, money, wins] of reports) {
    const days = await readDaySums(store, question);
    assert.equal(days.length, 2);
    assert.deepEqual(
      days.map((day) => [
        day.date,
        day.impressions,
        day.clicks,
        day.wins,
        dollarsOf(day.cpmMicros),
      ]),
      (await allOf({ columns: [], rows })).rows.map((row) => [
        row['date'],
        row['impressions'],
        row['clicks'],
        row[wins],
        row[money],
      ]),
    );
    const parts = await readIdSums(store, question);
    assert.ok(parts.length > 1 || question.side === 'demand');
    assert.deepEqual(totalOf(parts), totalOf(days));
  }
  assert.deepEqual(await readDaySums(store, { ...DEMAND, accountId: 99 }), []);
});

test('what may explain a difference is counted from the raw records', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const records = recordsOf('facts');
  await loader.load(new Segment().batch(records));
  const { hours, days } = await readCountFacts(store, DEMAND);

  const sums = await readDaySums(store, DEMAND);
  for (const { date, ...sum } of sums) {
    const ofDay = [...hours].filter(([hour]) => dateOf(hour * HOUR_MS) === date);
    assert.deepEqual(totalOf(ofDay.map(([, each]) => each)), sum);
  }
  const auctions = auctionsAmong(records);
  const atMs = new Map(auctions.map((each) => [each.auction_id, each.at_ms]));
  const own = records.filter(isBeacon).filter((each) => each.demand_partner_id === 1);
  const deliveries = records
    .filter((record) => record.kind === 'delivery')
    .flatMap((record) => record.deliveries)
    .filter((each) => each.demand_partner_id === 1);
  for (const date of [YESTERDAY, TODAY]) {
    const on = (ms: number): boolean => dateOf(ms) === date;
    const beacons = own.filter((each) => on(each.at_ms));
    const shown = beacons.filter((each) => each.kind === 'impression');
    const won = auctions
      .filter((each) => on(each.at_ms))
      .flatMap((each) =>
        each.bids
          .filter((bid) => bid.demand_partner_id === 1 && bid.loss_reason === 0)
          .map(() => each),
      );
    const late = shown.filter((each) => each.test === 0 && !on(atMs.get(each.auction_id) ?? 0));
    const due = shown.filter((each) => each.notice_url !== '');
    const told = deliveries.filter((each) => each.event === 'billing' && on(each.due_ms));
    const keys = (outcome: string): Set<string> =>
      new Set(
        told
          .filter((each) => each.outcome === outcome)
          .map((each) => `${each.auction_id} ${each.imp}`),
      );
    const facts = days.get(date);
    assert.deepEqual(
      {
        testImpressions: facts?.testImpressions,
        testWins: facts?.testWins,
        offeredWins: facts?.offeredWins,
        confirmedWins: facts?.confirmedWins,
        fromDayBefore: facts?.fromDayBefore.impressions,
        due: facts?.billing.due,
        delivered: facts?.billing.delivered,
        givenUp: facts?.billing.givenUp,
      },
      {
        testImpressions: shown.filter((each) => each.test === 1).length,
        testWins: won.filter((each) => each.test === 1).length,
        offeredWins: won.filter((each) => each.test === 0 && each.fd === 1).length,
        confirmedWins: beacons.filter((b) => b.kind === 'win' && b.fd === 1 && b.test === 0).length,
        fromDayBefore: late.length,
        due: due.filter((each) => each.test === 0).length,
        delivered: keys('delivered').size,
        givenUp: keys('given_up').size,
      },
    );
    if (date === TODAY) assert.ok(late.length > 0);
  }
  assert.equal(
    days.get(YESTERDAY)?.onDayAfter.impressions,
    days.get(TODAY)?.fromDayBefore.impressions,
  );
  const supply = await readCountFacts(store, { ...DEMAND, side: 'supply' });
  const ofPublisher = await readDaySums(store, { ...DEMAND, side: 'supply' });
  assert.deepEqual(totalOf([...supply.hours.values()]), totalOf(ofPublisher));
});
