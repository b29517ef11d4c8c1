import assert from 'node:assert/strict';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { describeReport } from '../../src/cli/reconcile-table.ts';
import type { Line, ReconcileReport } from '../../src/commands/reconcile-section.ts';
import type { BeaconRecord } from '../../src/events/beacon-record.ts';
import type { Delivery } from '../../src/events/delivery-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { NODE } from './loader-beacons.ts';
import { auctionsAmong } from './loader-records.ts';
import { deliveriesIn, makeDay, TODAY, type ReconciledDay } from './reconcile-fixture.ts';

const DAY_MS = 86_400_000;
const MIDNIGHT_MS = Date.parse(`${TODAY}T00:00:00Z`);
const INSERT = 'SETTINGS insert_deduplicate = 0, async_insert = 0';

/** The lines that differ, with the first word of their section. */
function differing(report: ReconcileReport): string[] {
  assert.equal(report.agrees, !describeReport(report).includes('DIFFERS'));
  return report.sections.flatMap(({ title, lines }) =>
    lines
      .filter(({ agrees }) => agrees === false)
      .map(({ what, difference }) => `${title.split(' ', 1)[0]} ${what}: ${difference}`),
  );
}

function lineOf(report: ReconcileReport, section: string, what: string): Line {
  const found = report.sections
    .filter(({ title }) => title.startsWith(section))
    .flatMap(({ lines }) => lines)
    .find((line) => line.what === what);
  assert.ok(found !== undefined, `${section} ${what} in\n${describeReport(report)}`);
  return found;
}

function notesOf(report: ReconcileReport): string[] {
  return report.sections.flatMap(({ notes }) => notes);
}

async function loadedDay(t: Parameters<typeof makeDay>[0]): Promise<ReconciledDay> {
  const day = await makeDay(t);
  await day.load();
  return day;
}

/** An impression that counts in reports. */
function impressionOf(records: readonly MoneyRecord[]): BeaconRecord {
  const found = records.find(({ kind }) => kind === 'impression');
  assert.ok(found !== undefined && found.kind === 'impression' && found.test === 0);
  return found;
}

describe('a day without faults', () => {
  test('shows no difference when all of it is loaded', async (t) => {
    const day = await loadedDay(t);
    const { report, isUnsettled } = await day.reconcile();
    assert.deepEqual(differing(report), []);
    assert.equal(isUnsettled, false);
    const of = (kind: string): number => day.records.filter((each) => each.kind === kind).length;
    const impressions = String(of('impression'));
    assert.deepEqual(lineOf(report, 'Journal', 'impressions').figures, [
      impressions,
      '0',
      impressions,
    ]);
    assert.equal(lineOf(report, 'The day', 'auctions').agrees, null);
  });

  test('shows as on its way what the store has not acknowledged', async (t) => {
    const day = await makeDay(t);
    const { report } = await day.reconcile();
    assert.deepEqual(differing(report), []);
    const auctions = String(auctionsAmong(day.records).length);
    assert.deepEqual(lineOf(report, 'Journal', 'auctions').figures, [auctions, auctions, '0']);
  });

  test('tells what was given up or delivered twice, and counts neither as a difference', async (t) => {
    const day = await loadedDay(t);
    const { report } = await day.reconcile();
    const givenUp = deliveriesIn(day.records).filter(({ outcome }) => outcome === 'given_up');
    assert.ok(givenUp.some(({ event }) => event === 'billing'));
    const notes = notesOf(report).join('\n');
    assert.match(notes, /billing notices: \d+ given up without an answer/);
    assert.match(notes, /delivered more than once/);
    const { figures } = lineOf(report, 'Notices', 'billing notices');
    const [due = 0, ...fates] = figures.map(Number);
    assert.equal(
      due,
      fates.reduce((sum, count) => sum + count, 0),
    );
  });

  test('knows a notice whose end is still in the journal, and one whose beginning is', async (t) => {
    const day = await loadedDay(t);
    const [key = ''] = day.pending;
    const [event, auction_id = '', imp] = key.split(' ');
    assert.ok(event === 'win' || event === 'billing');
    day.pending.delete(key);
    const atMs = MIDNIGHT_MS + 1000;
    const done: Omit<Delivery, 'event' | 'auction_id' | 'imp'> = {
      demand_partner_id: 1,
      lineitem_id: 10,
      due_ms: MIDNIGHT_MS,
      outcome: 'delivered',
      status: 204,
      tries: 1,
    };
    const deliveries: Delivery[] = [{ ...done, event, auction_id, imp: Number(imp) }];
    await day.write([{ kind: 'delivery', node: NODE, at_ms: atMs, deliveries }]);
    const { report } = await day.reconcile();
    assert.deepEqual(differing(report), []);
    assert.equal(lineOf(report, 'Notices', `${event} notices`).figures.at(-1), '1', 'on its way');

    // The other way round: the delivery is loaded before the impression is.
    const impression = { ...impressionOf(day.records), auction_id: 'f'.repeat(32) };
    const { auction_id: id } = impression;
    const early: Delivery = { ...done, event: 'billing', auction_id: id, imp: 0 };
    await day.write([{ kind: 'delivery', node: NODE, at_ms: atMs, deliveries: [early] }]);
    await day.load();
    assert.deepEqual(differing((await day.reconcile()).report), [
      'Notices billing notices: 1 delivered and never due',
    ]);
    await day.write([{ ...impression, imp: 0, notice_url: 'https://partner.example/b' }]);
    assert.deepEqual(differing((await day.reconcile()).report), []);
  });

  test('finds deliveries of notices that came after the clock was set back across midnight', async (t) => {
    const day = await loadedDay(t);
    const notices = [...day.pending].map((key) => key.split(' '));
    day.pending.clear();
    const deliveries = notices.map(([event, auction_id = '', imp]): Delivery => {
      assert.ok(event === 'win' || event === 'billing');
      return {
        event,
        auction_id,
        imp: Number(imp),
        demand_partner_id: 1,
        lineitem_id: 10,
        due_ms: MIDNIGHT_MS + 5_000,
        outcome: 'delivered',
        status: 204,
        tries: 1,
      };
    });
    const atMs = MIDNIGHT_MS - 3_600_000;
    await day.write([{ kind: 'delivery', node: NODE, at_ms: atMs, deliveries }]);
    assert.deepEqual(differing((await day.reconcile()).report), [], 'on their way');
    await day.load();
    assert.deepEqual(differing((await day.reconcile()).report), []);
  });

  test('counts as waiting what the courier has not come to yet', async (t) => {
    const day = await loadedDay(t);
    day.pending.clear();
    assert.equal(differing((await day.reconcile()).report).length, 2);
    assert.deepEqual(differing((await day.reconcile({ isRead: false })).report), []);
  });

  test('is compared from where the journal is whole', async (t) => {
    const day = await makeDay(t);
    await day.load();
    const noonMs = MIDNIGHT_MS + DAY_MS / 2;
    await day.removeJournal();
    await day.write(day.records.filter(({ at_ms: atMs }) => atMs > noonMs));
    await day.acknowledge();
    assert.ok(differing((await day.reconcile()).report).length > 0);
    const { report } = await day.reconcile({ trimmedMs: noonMs });
    assert.deepEqual(differing(report), []);
    assert.match(
      report.sections[0]?.title ?? '',
      /from where the journal on this disk begins, at 12:00:00 UTC$/,
    );
    const late = auctionsAmong(day.records).filter(({ at_ms: atMs }) => atMs > noonMs);
    assert.equal(lineOf(report, 'Journal', 'auctions').figures[0], String(late.length));

    const { report: none } = await day.reconcile({ trimmedMs: MIDNIGHT_MS + DAY_MS });
    assert.deepEqual(differing(none), []);
    assert.match(
      none.sections[0]?.title ?? '',
      /not compared: the journal on this disk begins at .*T00:00:00 UTC$/,
    );
    assert.deepEqual(none.sections[0]?.lines, []);
  });

  test('on which nothing was recorded is told from one that agrees', async (t) => {
    const day = await makeDay(t);
    assert.equal((await day.reconcile()).report.isEmpty, false, 'its records are on their way');
    await day.removeJournal();
    day.pending.clear();
    const { report } = await day.reconcile();
    assert.deepEqual([report.isEmpty, report.agrees], [true, true]);
    assert.match(describeReport(report), /Nothing was recorded on /);
  });

  test('is compared without a journal where there is none', async (t) => {
    const day = await loadedDay(t);
    const { report } = await day.reconcile({ hasJournal: false });
    assert.deepEqual(differing(report), []);
    assert.deepEqual(
      report.sections.map(({ title }) => title.split(' ', 1)[0]),
      ['Raw', 'Duplicates', 'The'],
    );
  });
});

/** Changes the segment of the trackers. */
async function changeJournal(
  { analytics }: ReconciledDay,
  change: (text: string) => string,
): Promise<void> {
  const directory = join(analytics.directory, 'journal');
  for (const name of await readdir(directory)) {
    const text = await readFile(join(directory, name), 'utf8');
    if (!text.includes('"writer":"tracker"')) continue;
    await chmod(join(directory, name), 0o600);
    await writeFile(join(directory, name), change(text));
  }
}

describe('a planted fault is found and named', () => {
  test('a row removed from a rollup', async (t) => {
    const day = await loadedDay(t);
    const { store } = day.analytics;
    const { demand_partner_id: partner, clearing_micros: micros } = impressionOf(day.records);
    await store.command(
      `DELETE FROM demand_daily WHERE demand_partner_id = ${partner} AND gross_cpm_micros = ${micros}`,
    );
    const { report } = await day.reconcile();
    const found = differing(report);
    assert.ok(found.includes('Raw demand: impressions: for 1 of the accounts'), found.join());
    assert.ok(found.includes('Raw demand: gross revenue: for 1 of the accounts'), found.join());
    assert.ok(found.every((line) => line.startsWith('Raw demand: ')));
    const [difference] = lineOf(report, 'Raw', 'demand: impressions').differences;
    assert.match(
      difference ?? '',
      new RegExp(`^partner ${partner}: \\d+ in raw events, \\d+ in demand`),
    );
  });

  test('a row too many in each rollup', async (t) => {
    const day = await loadedDay(t);
    const { store } = day.analytics;
    const reasons = ['call_reasons_daily', 'bid_reasons_daily'];
    for (const table of ['supply_daily', 'lineitem_daily', 'inventory_hourly', ...reasons]) {
      await store.command(`INSERT INTO ${table} SELECT * FROM ${table} LIMIT 1 ${INSERT}`);
    }
    const found = differing((await day.reconcile()).report).join('\n');
    const names = ['supply: requests', 'line items: ', 'inventory: ad_requests'];
    for (const name of [...names, 'reasons of bid requests: calls', 'reasons of bids: bids']) {
      assert.ok(found.includes(name), found);
    }
  });

  test('a batch that was acknowledged and is not in the store', async (t) => {
    const day = await loadedDay(t);
    const lost = auctionsAmong(day.records)
      .slice(0, 2)
      .map((auction, index) => ({ ...auction, auction_id: String(index).repeat(32), notices: [] }));
    await day.write(lost);
    await day.acknowledge();
    const { report } = await day.reconcile();
    const found = differing(report);
    assert.equal(found[0], 'Journal auctions: 2 missing in the store');
    assert.ok(
      found.every((line) => line.startsWith('Journal auctions')),
      found.join(),
    );
    assert.deepEqual(lineOf(report, 'Journal', 'auctions').differences.toSorted(), [
      `auction ${'0'.repeat(32)}: in the journal, not in the store`,
      `auction ${'1'.repeat(32)}: in the journal, not in the store`,
    ]);
  });

  test('an impression that is in the store twice', async (t) => {
    const day = await loadedDay(t);
    const { store } = day.analytics;
    const { auction_id: id, imp, demand_partner_id: partner } = impressionOf(day.records);
    const which = `kind = 'impression' AND auction_id = '${id}' AND imp = ${imp}`;
    await store.command(
      `INSERT INTO money SELECT * REPLACE (load + 1000 AS load) FROM money WHERE ${which} ${INSERT}`,
    );
    await day.analytics.steps.fill();
    const { report } = await day.reconcile();
    const doubled = lineOf(report, 'Duplicates', 'impressions');
    assert.equal(doubled.difference, '1 there more than once');
    assert.deepEqual(doubled.differences, [`impression of auction ${id} imp ${imp}`]);
    assert.deepEqual(lineOf(report, 'Journal', 'impressions').differences, [
      `impression of auction ${id} imp ${imp}: once in the journal, 2 times in the store`,
    ]);
    const [billed] = lineOf(report, 'Raw', 'demand: impressions').differences;
    assert.match(billed ?? '', new RegExp(`^partner ${partner}: `));
    assert.equal(lineOf(report, 'Raw', 'demand: gross revenue').agrees, false);
    assert.equal(lineOf(report, 'Raw', 'demand: clicks').agrees, true);
  });

  test('an impression that was counted on the day before as well', async (t) => {
    const day = await makeDay(t);
    const impression = { ...impressionOf(day.records), at_ms: MIDNIGHT_MS + 60_000 };
    await day.write([
      { ...impression, auction_id: 'e'.repeat(32), notice_url: '' },
      {
        ...impression,
        auction_id: 'e'.repeat(32),
        at_ms: MIDNIGHT_MS - 60_000,
        notice_url: '',
      },
    ]);
    await day.load();
    const { report } = await day.reconcile();
    assert.deepEqual(differing(report), [
      'Duplicates impressions: 1 on the day before or after as well',
    ]);
    assert.deepEqual(lineOf(report, 'Duplicates', 'impressions').differences, [
      `impression of auction ${'e'.repeat(32)} imp ${impression.imp}`,
    ]);
  });

  test('a price that is not what the journal has', async (t) => {
    const day = await loadedDay(t);
    const { store } = day.analytics;
    const { auction_id: id, imp } = impressionOf(day.records);
    await store.command(
      `ALTER TABLE money UPDATE clearing_micros = clearing_micros + 1
       WHERE kind = 'impression' AND auction_id = '${id}' AND imp = ${imp}
       SETTINGS mutations_sync = 1`,
    );
    const { report } = await day.reconcile();
    assert.match(
      lineOf(report, 'Journal', 'impressions').differences.join(),
      new RegExp(`^impression of auction ${id} imp ${imp}: [\\d.]+ USD paid in the journal`),
    );
    assert.equal(lineOf(report, 'Journal', 'impressions, what is paid').agrees, false);
  });

  test('one record in place of another', async (t) => {
    const day = await loadedDay(t);
    const { auction_id: id } = impressionOf(day.records);
    await day.analytics.store.command(
      `ALTER TABLE money UPDATE auction_id = '${'a'.repeat(32)}'
       WHERE kind = 'impression' AND auction_id = '${id}' SETTINGS mutations_sync = 1`,
    );
    const line = lineOf((await day.reconcile()).report, 'Journal', 'impressions');
    assert.equal(line.difference, 'as many, but not the same');
    assert.match(line.differences.join('\n'), /a{32} imp \d: in the store, not in the journal/);
    assert.match(line.differences.join('\n'), new RegExp(`${id} imp \\d: in the journal, not in`));
  });

  test('a delivery that is missing', async (t) => {
    const day = await loadedDay(t);
    const delivery = day.records.find((record) => record.kind === 'delivery');
    const [notice] = delivery?.deliveries ?? [];
    assert.ok(delivery !== undefined && notice !== undefined);
    await day.analytics.store.command(
      `DELETE FROM money WHERE kind = 'delivery' AND at_ms = ${delivery.at_ms}`,
    );
    const { report } = await day.reconcile();
    const line = lineOf(report, 'Notices', `${notice.event} notices`);
    assert.match(line.difference, /^\d neither delivered, given up nor waiting$/);
    const named = `${notice.event} notice of auction ${notice.auction_id} imp ${notice.imp}`;
    assert.ok(line.differences.includes(named), line.differences.join());
    assert.match(
      lineOf(report, 'Journal', 'records of deliveries').differences.join(),
      /^deliveries of \d+ \d .*: in the journal, not in the store$/,
    );
  });

  test('a notice that waits nowhere', async (t) => {
    const day = await loadedDay(t);
    const [key = ''] = day.pending;
    day.pending.delete(key);
    const [event, auction, imp] = key.split(' ');
    const line = lineOf((await day.reconcile()).report, 'Notices', `${event} notices`);
    assert.equal(line.difference, '1 neither delivered, given up nor waiting');
    assert.deepEqual(line.differences, [`${event} notice of auction ${auction} imp ${imp}`]);
  });

  test('a digit that changed in a price, in the journal', async (t) => {
    const day = await loadedDay(t);
    const { clearing_micros: micros, auction_id: auction } = impressionOf(day.records);
    await changeJournal(day, (text) => {
      const at = text.indexOf(`"clearing_micros":${micros}`, text.indexOf(`"${auction}","imp":`));
      const digit = at + '"clearing_micros":'.length;
      return `${text.slice(0, digit)}${text[digit] === '9' ? 8 : 9}${text.slice(digit + 1)}`;
    });
    const { report } = await day.reconcile();
    const [, damaged] = differing(report);
    assert.equal(differing(report)[0], 'Journal impressions: 1 not in the journal');
    const damage = differing(report).find((each) => each.startsWith('Damage'));
    assert.match(damage ?? '', /^Damage money-.*, bytes \d+ to \d+: damaged after it was acknow/);
    assert.ok(damaged !== undefined);
    assert.match(notesOf(report).join(), /1 damaged places with 1 records/);
  });

  test('a segment of which a part was cut out', async (t) => {
    const day = await loadedDay(t);
    let lost = 0;
    await changeJournal(day, (text) => {
      const lines = text.split('\n');
      const middle = Math.floor(lines.length / 2);
      lost = 7;
      return [...lines.slice(0, middle), ...lines.slice(middle + lost)].join('\n');
    });
    const { report } = await day.reconcile();
    assert.match(notesOf(report).join(), /1 damaged places with 7 records/);
    assert.equal(report.agrees, false);
  });

  test('a batch in quarantine', async (t) => {
    const day = await loadedDay(t);
    const wrong = { ...impressionOf(day.records), auction_id: 'd'.repeat(32), zone_id: 0 };
    await day.write([{ ...wrong, notice_url: '' }]);
    await day.load();
    const { report } = await day.reconcile();
    assert.equal(differing(report)[0], 'Journal impressions: 1 held in quarantine');
    assert.match(notesOf(report).join(), /1 held in quarantine, [0-9a-f]{16}: VIOLATED_CONSTRAINT/);
  });
});

test('a batch that is being loaded makes the comparison one to repeat', async (t) => {
  const day = await loadedDay(t);
  const [record] = auctionsAmong(day.records);
  const segments = [{ segment: 'money-x.ndjson', start: 0, end: 10 }];
  assert.ok(record !== undefined);
  const manifest = { incarnation: NODE, schema: 2, segments };
  await day.analytics.offsets.begin({ token: 'b'.repeat(64), manifest, load: 99, records: 9 });
  const { report, isUnsettled } = await day.reconcile();
  assert.ok(isUnsettled);
  assert.match(notesOf(report).join(), /a batch of node a{16} is being loaded/);
});
