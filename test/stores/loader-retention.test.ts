import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DEMAND_DIMENSIONS, readDemandReport } from '../../src/analytics/report.ts';
import { readReportQuery } from '../../src/reporting/parameters.ts';
import { openChdb } from '../../src/adapters/chdb.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { atEnd } from '../support/at-end.ts';
import { allOf, makeDirectory, testAnalytics } from './loader-fixture.ts';

/** The column of the account, and one that is counted. */
const ROLLUPS = {
  demand_daily: ['demand_partner_id', 'impressions'],
  supply_daily: ['publisher_id', 'impressions'],
  lineitem_daily: ['demand_partner_id', 'impressions'],
  call_reasons_daily: ['demand_partner_id', 'calls'],
  bid_reasons_daily: ['demand_partner_id', 'bids'],
} as const;

/** The tenth of the month so many before this one, by the clock that the engine has too. */
function dayIn(monthsBack: number): string {
  const now = new Date();
  const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBack, 10);
  return new Date(day).toISOString().slice(0, 10);
}

async function daysOf(store: AnalyticsStore, table: string): Promise<unknown[]> {
  const rows = await store.query(
    `SELECT DISTINCT toString(date) AS day FROM ${table} ORDER BY day`,
  );
  return rows.map(({ day }) => day);
}

test('rollups expire by whole months, and are in no report before they do', async (t) => {
  const { store } = await testAnalytics(t);
  const months = [8, 7, 6, 5, 4, 0];
  for (const [table, [account, counted]] of Object.entries(ROLLUPS)) {
    await store.command(`SYSTEM STOP TTL MERGES ${table}`);
    const values = months.map((back) => `('${dayIn(back)}', 1, 3)`).join(', ');
    await store.command(
      `INSERT INTO ${table} (date, ${account}, ${counted}) SETTINGS async_insert = 0 VALUES ${values}`,
    );
    assert.deepEqual(await daysOf(store, table), months.map(dayIn), 'nothing is gone yet');
  }
  // What has not been removed yet is outside of what can be asked for all the same.
  for (const back of [8, 5]) {
    const asked = readReportQuery(
      { start_date: dayIn(back), end_date: dayIn(0) },
      DEMAND_DIMENSIONS,
      Date.now(),
    );
    assert.ok(
      !asked.ok &&
        /^is \S+; days from \S+ to \S+ can be had$/.test(asked.problems[0]?.message ?? ''),
    );
  }
  for (const table of Object.keys(ROLLUPS)) {
    await store.command(`SYSTEM START TTL MERGES ${table}`);
    await store.command(`OPTIMIZE TABLE ${table} FINAL`);
    // A month goes when the one that is the sixth after its begin comes: it was the last to be
    // asked for a month ago.
    assert.deepEqual(await daysOf(store, table), [5, 4, 0].map(dayIn), table);
  }
  const question = { accountId: 1, startDate: dayIn(4), endDate: dayIn(0) };
  const { rows } = await allOf(readDemandReport(store, { ...question, groupBy: ['date'] }));
  assert.deepEqual(
    rows.map(({ date, impressions }) => [date, impressions]),
    [4, 0].map((back) => [dayIn(back), 3]),
  );
});

test('what an engine is told at its opening it is told again after a recovery', async (t) => {
  const opening = ['SYSTEM STOP TTL MERGES'];
  const directory = await makeDirectory(t);
  const store = await openChdb({ directory, atOpening: () => opening });
  atEnd(t, () => store.close());
  await store.command(
    `CREATE TABLE old (at DateTime('UTC')) ENGINE = MergeTree ORDER BY at TTL at + INTERVAL 1 DAY`,
  );
  const insert = `INSERT INTO old SETTINGS async_insert = 0 VALUES ('2020-01-01 00:00:00')`;
  const left = async (): Promise<number> => {
    await store.command('OPTIMIZE TABLE old FINAL');
    return (await store.query('SELECT at FROM old')).length;
  };
  await store.recover();
  await store.command(insert);
  assert.equal(await left(), 1, 'nothing expires');
  opening.pop();
  await store.recover();
  await store.command(insert);
  assert.equal(await left(), 0, 'all does');
});
