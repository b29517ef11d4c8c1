import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { AuctionRecordSchema, type AuctionRecord } from '../events/auction-record.ts';
import { BeaconRecordSchema, type BeaconRecord } from '../events/beacon-record.ts';
import { assertInvariants } from '../../test/support/invariants.ts';
import { demoHistory } from './demo-history.ts';

const CONFIGURATION = readFileSync(new URL('../../examples/demo.yaml', import.meta.url), 'utf8');
const NOW = Date.UTC(2026, 10, 20, 9);
const NODE = '00112233445566ff';

function history(): { auctions: AuctionRecord[]; beacons: BeaconRecord[] } {
  const [auctions, beacons]: [AuctionRecord[], BeaconRecord[]] = [[], []];
  for (const record of demoHistory(CONFIGURATION, NOW, NODE)) {
    if (record.kind === 'auction') auctions.push(record);
    else beacons.push(record);
  }
  return { auctions, beacons };
}

test('the history is made of sound records, one after the other up to yesterday', () => {
  const { auctions, beacons } = history();
  const schema = Compile(AuctionRecordSchema);
  for (const record of auctions) assert.ok(schema.Check(record), JSON.stringify(record));
  const beaconSchema = Compile(BeaconRecordSchema);
  for (const record of beacons) assert.ok(beaconSchema.Check(record), JSON.stringify(record));
  assertInvariants(auctions);
  const records = [...demoHistory(CONFIGURATION, NOW, NODE)];
  const days = records.map((record) => new Date(record.at_ms).toISOString().slice(0, 10));
  assert.equal(days[0], '2026-07-01');
  assert.equal(days.at(-1), '2026-11-19');
  assert.deepEqual(days, days.toSorted());
});

test('traffic grows, and weekdays differ', () => {
  const counts = new Map<string, number>();
  for (const { at_ms: atMs } of history().auctions) {
    const month = new Date(atMs).toISOString().slice(0, 7);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  const july = counts.get('2026-07') ?? 0;
  assert.ok(july > 500);
  assert.ok((counts.get('2026-10') ?? 0) > 1.4 * july);
});

test('every partner wins its part', () => {
  const wins = new Map<number, number>();
  for (const { bids } of history().auctions) {
    const winner = bids.find((bid) => bid.loss_reason === 0)?.demand_partner_id;
    if (winner !== undefined) wins.set(winner, (wins.get(winner) ?? 0) + 1);
  }
  const parts = [1001, 1002, 1003, 1004, 1005].map((id) => wins.get(id) ?? 0);
  assert.ok(Math.min(...parts) > 100, parts.join());
});

test('most winners are shown, some are clicked, and each is paid for once', () => {
  const { auctions, beacons } = history();
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

test('the history is the same each time', () => {
  const first = JSON.stringify(history());
  assert.equal(JSON.stringify(history()), first);
});
