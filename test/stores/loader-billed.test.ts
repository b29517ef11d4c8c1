import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBilled, readBillingNodes } from '../../src/analytics/billed.ts';
import { dateOf } from '../../src/analytics/dates.ts';
import { createWonImp } from '../../src/beacons/fixtures.ts';
import type { BeaconRecord } from '../../src/events/beacon-record.ts';
import { EXPIRY_STEP_MS } from '../../src/ports/leases.ts';
import { NODE_A, NODE_B, Segment, testAnalytics } from './loader-fixture.ts';

const DAY_MS = 86_400_000;
/** Rows of a day expire by the clock of the engine. */
const NOON_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;

let auctions = 0;

function beacon(differs: Partial<BeaconRecord>): BeaconRecord {
  auctions += 1;
  return {
    kind: 'impression',
    ...createWonImp({ auction_id: auctions.toString(16).padStart(32, '0'), test: 0 }),
    node: NODE_A,
    at_ms: NOON_MS,
    expires_ms: NOON_MS,
    lineitem_id: 501,
    clearing_micros: 1_000_000,
    notice_url: '',
    ...differs,
  };
}

test('of each node that is billed whose tokens have expired, on the day of the impression', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const loaded = await loader.load(
    new Segment().batch([
      beacon({}),
      beacon({ clearing_micros: 2_000_001 }),
      beacon({ expires_ms: NOON_MS + 1, clearing_micros: 4_000_000 }),
      beacon({ lineitem_id: 502, clearing_micros: Number.MAX_SAFE_INTEGER }),
      beacon({ lineitem_id: 502, clearing_micros: Number.MAX_SAFE_INTEGER }),
      beacon({ lineitem_id: 503 }),
      beacon({ node: NODE_B, expires_ms: NOON_MS - 1 }),
      beacon({ at_ms: NOON_MS - DAY_MS }),
      beacon({ test: 1 }),
      beacon({ kind: 'win', fd: 1 }),
      beacon({ kind: 'click' }),
    ]),
  );
  assert.equal(loaded.kind, 'loaded');
  const today = dateOf(NOON_MS);
  const read = async (ids: readonly number[], untilMs: readonly number[], date = today) => {
    const nodes = [NODE_A, NODE_B].slice(0, untilMs.length);
    const expiredByMs = new Map(nodes.map((node, index) => [node, untilMs[index] ?? 0]));
    const billed = await readBilled(store, { date, lineItemIds: ids, expiredByMs });
    return [...billed].map(([node, byLineItem]) => [
      node,
      [...byLineItem]
        .toSorted(([a], [b]) => a - b)
        .map(([id, { impressions, micros }]) => [id, impressions, micros]),
    ]);
  };
  const nextMs = NOON_MS + EXPIRY_STEP_MS;
  assert.deepEqual(await read([501, 502, 504], [NOON_MS]), [
    [
      NODE_A,
      [
        [501, 2, 3_000_001],
        [502, 2, Number.MAX_SAFE_INTEGER],
      ],
    ],
  ]);
  assert.deepEqual(await read([501], [NOON_MS - EXPIRY_STEP_MS]), [[NODE_A, []]]);
  assert.deepEqual(await read([501], [nextMs, NOON_MS]), [
    [NODE_A, [[501, 3, 7_000_001]]],
    [NODE_B, [[501, 1, 1_000_000]]],
  ]);
  const yesterday = dateOf(NOON_MS - DAY_MS);
  assert.deepEqual(await read([501], [NOON_MS], yesterday), [[NODE_A, [[501, 1, 1_000_000]]]]);
  assert.deepEqual(await read([], [NOON_MS]), [[NODE_A, []]]);
  const many = Array.from({ length: 12_000 }, (_, index) => index + 1);
  const [[, found] = []] = await read(many, [NOON_MS]);
  assert.equal(found?.length, 3);
  assert.deepEqual((await readBillingNodes(store, today)).toSorted(), [NODE_A, NODE_B]);
  assert.deepEqual(await readBillingNodes(store, yesterday), [NODE_A]);
});
