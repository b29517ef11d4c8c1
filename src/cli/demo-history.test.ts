import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { AuctionRecordSchema } from '../events/auction-record.ts';
import { assertInvariants } from '../../test/support/invariants.ts';
import { demoHistory } from './demo-history.ts';

const CONFIGURATION = readFileSync(new URL('../../examples/demo.yaml', import.meta.url), 'utf8');
const NOW = Date.UTC(2026, 10, 20, 9);

test('the history is made of sound records, one after the other up to yesterday', () => {
  const records = [...demoHistory(CONFIGURATION, NOW)];
  const schema = Compile(AuctionRecordSchema);
  for (const record of records) assert.ok(schema.Check(record), JSON.stringify(record));
  assertInvariants(records);
  const days = records.map((record) => new Date(record.at_ms).toISOString().slice(0, 10));
  assert.equal(days[0], '2026-07-01');
  assert.equal(days.at(-1), '2026-11-19');
  assert.deepEqual(days, days.toSorted());
});

test('traffic grows, and weekdays differ', () => {
  const counts = new Map<string, number>();
  for (const { at_ms: atMs } of demoHistory(CONFIGURATION, NOW)) {
    const month = new Date(atMs).toISOString().slice(0, 7);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  const july = counts.get('2026-07') ?? 0;
  assert.ok(july > 500);
  assert.ok((counts.get('2026-10') ?? 0) > 1.4 * july);
});

test('every partner wins its part', () => {
  const wins = new Map<number, number>();
  for (const { bids } of demoHistory(CONFIGURATION, NOW)) {
    const winner = bids.find((bid) => bid.loss_reason === 0)?.demand_partner_id;
    if (winner !== undefined) wins.set(winner, (wins.get(winner) ?? 0) + 1);
  }
  const parts = [1001, 1002, 1003, 1004, 1005].map((id) => wins.get(id) ?? 0);
  assert.ok(Math.min(...parts) > 100, parts.join());
});

test('the history is the same each time', () => {
  const first = JSON.stringify([...demoHistory(CONFIGURATION, NOW)]);
  assert.equal(JSON.stringify([...demoHistory(CONFIGURATION, NOW)]), first);
});
