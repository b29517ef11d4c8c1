import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { AuctionRecordSchema, type AuctionRecord } from '../../src/events/auction-record.ts';
import { BeaconRecordSchema, type BeaconRecord } from '../../src/events/beacon-record.ts';
import { assertInvariants } from '../../test/support/invariants.ts';
import { demoHistory } from './history.ts';

const CONFIGURATION = readFileSync(new URL('../../examples/demo.yaml', import.meta.url), 'utf8');
const NOW = Date.UTC(2026, 10, 20, 9);
const NODE = '00112233445566ff';

const RATE = 0.5;
const DAY_MS = 86_400_000;

/** Made once: all tests look at the same. */
const { auctions, beacons } = history();

function history(): { auctions: AuctionRecord[]; beacons: BeaconRecord[] } {
  const made: { auctions: AuctionRecord[]; beacons: BeaconRecord[] } = {
    auctions: [],
    beacons: [],
  };
  for (const record of demoHistory(CONFIGURATION, { now: NOW, rate: RATE, node: NODE })) {
    if (record.kind === 'auction') made.auctions.push(record);
    else made.beacons.push(record);
  }
  return made;
}

/** Auctions from so long ago until so long ago. */
function between(fromMs: number, toMs: number): number {
  return auctions.filter(({ at_ms: at }) => at >= NOW - fromMs && at < NOW - toMs).length;
}

test('the history is made of sound records of four months until now', () => {
  const schema = Compile(AuctionRecordSchema);
  const beaconSchema = Compile(BeaconRecordSchema);
  for (const [index, record] of auctions.entries()) {
    // They are all made alike.
    if (index % 50 === 0) assert.ok(schema.Check(record), JSON.stringify(record));
  }
  for (const [index, record] of beacons.entries()) {
    if (index % 50 === 0) assert.ok(beaconSchema.Check(record), JSON.stringify(record));
  }
  assertInvariants(auctions);
  const times = [...auctions, ...beacons].map(({ at_ms: at }) => at);
  const first = times.reduce((least, at) => Math.min(least, at));
  const last = times.reduce((most, at) => Math.max(most, at));
  assert.equal(new Date(first).toISOString().slice(0, 10), '2026-07-01');
  assert.ok(last < NOW && last > NOW - 60_000, new Date(last).toISOString());
});

test('traffic grows to thousands a day, and weekdays and hours differ', () => {
  const dayOf = (day: string): AuctionRecord[] => {
    const startMs = Date.parse(day);
    return auctions.filter(({ at_ms: at }) => at >= startMs && at < startMs + DAY_MS);
  };
  // A Wednesday, a Sunday, and a Wednesday of the first week.
  const [wednesday, sunday, early] = ['2026-11-18', '2026-11-15', '2026-07-01'].map(dayOf);
  assert.ok(wednesday !== undefined && sunday !== undefined && early !== undefined);
  assert.ok(wednesday.length > 2_000, String(wednesday.length));
  assert.ok(sunday.length > 1.1 * wednesday.length, String(sunday.length));
  assert.ok(early.length > 100 && early.length < 0.1 * wednesday.length, String(early.length));
  const inHour = (hour: number): number =>
    wednesday.filter(({ at_ms: at }) => new Date(at).getUTCHours() === hour).length;
  assert.ok(inHour(19) > 2 * inHour(4));
});

test('the last hours lead to the rate at which the demo goes on, without a jump', () => {
  const tenMinutes = 600_000;
  const expected = (RATE * tenMinutes) / 1_000;
  const last = between(tenMinutes, 0);
  assert.ok(Math.abs(last - expected) < 0.2 * expected, `${last} of ${expected}`);
  for (let back = 1; back < 30; back += 1) {
    const [before, after] = [back + 1, back].map((steps) =>
      between((steps + 2) * tenMinutes, (steps - 1) * tenMinutes),
    );
    assert.ok((before ?? 0) > 0.6 * (after ?? 0), `${back}: ${before} before ${after}`);
  }
});

test('every partner wins its part, and every outcome occurs', () => {
  const wins = new Map<number, number>();
  const outcomes = new Set<string>();
  const reasons = new Set<number>();
  for (const { bids, calls } of auctions) {
    for (const { outcome } of calls) outcomes.add(outcome);
    for (const { loss_reason: reason, demand_partner_id: id } of bids) {
      reasons.add(reason);
      if (reason === 0) wins.set(id, (wins.get(id) ?? 0) + 1);
    }
  }
  const parts = [1001, 1002, 1003, 1004, 1005].map((id) => wins.get(id) ?? 0);
  assert.ok(Math.min(...parts) > 1_000, parts.join());
  assert.deepEqual([...outcomes].toSorted(), ['bid', 'error', 'no_bid', 'timeout']);
  assert.deepEqual(
    [...reasons].toSorted((one, other) => one - other),
    [0, 100, 102, 205],
  );
});

test('most winners are shown, some are clicked, and each is paid for once', () => {
  const wins = new Map(
    auctions.flatMap(({ auction_id: id, bids }) =>
      bids.filter((bid) => bid.loss_reason === 0).map((bid) => [id, bid] as const),
    ),
  );
  const shown = beacons.filter(({ kind }) => kind === 'impression');
  const part = shown.length / wins.size;
  assert.ok(part > 0.87 && part < 0.93, String(part));
  assert.equal(new Set(shown.map((beacon) => beacon.auction_id)).size, shown.length);
  for (const beacon of beacons) {
    const win = wins.get(beacon.auction_id);
    assert.equal(beacon.clearing_micros, win?.clearing_micros);
    assert.equal(beacon.payout_micros, win?.payout_micros);
  }
  const clicks = beacons.filter(({ kind }) => kind === 'click').length;
  assert.ok(clicks > 20 && clicks < 0.012 * shown.length, String(clicks));
});

test('the history is the same each time, however far it is read', () => {
  const again = demoHistory(CONFIGURATION, { now: NOW, rate: RATE, node: NODE });
  const [first] = auctions;
  assert.deepEqual(again.next().value, first);
});
