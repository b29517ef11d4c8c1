import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { dateOf } from '../../src/analytics/dates.ts';
import { createRandom } from '../../sim/random.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { assertHolds } from '../stores/loader-fixture.ts';
import { assertWithin, runs, SEED } from '../support/effort.ts';
import { diskFaults, FAULTS, type Fault } from '../support/faults.ts';
import { FaultyNode } from '../support/faulty-node.ts';
import { assertInvariants } from '../support/invariants.ts';
import { assertBilled, assertReportedOnce, isAuction } from '../support/ledgers.ts';
import { DAMAGES, damageJournal, heldIn } from '../support/journal-damage.ts';
import { clockAheadBy } from '../support/noon.ts';
import { mayMount, mountOwnDisk, type OwnDisk } from '../support/own-disk.ts';
import { until } from '../support/wait.ts';

/** From the end of a fault until every process serves. */
const BACK_MS_MAX = 10_000;
/** Of a full disk some hundred megabytes are kept for the rest of the node. */
const DISK_SIZE = '2g';
/** A node starts and serves within this time. */
const BEFORE_MIDNIGHT_MS = 15_000;

test('whatever happens to a node, it serves again in seconds, and nothing is lost or counted twice', (t) =>
  bringOn(t, FAULTS, null));

if (mayMount()) {
  test('whatever happens to its disk, a node serves again in seconds, and nothing is lost or counted twice', async (t) => {
    const disk = await mountOwnDisk(t, DISK_SIZE);
    await bringOn(t, diskFaults(disk), disk);
  });
}

test('a month that ends under traffic, and a restart around midnight, lose and double nothing', async (t) => {
  const now = new Date();
  const endMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const aheadMs = endMs - BEFORE_MIDNIGHT_MS - Date.now();
  const dates = (): string[] => [...new Set([dateOf(endMs - 1), dateOf(Date.now() + aheadMs)])];
  const faulty = await FaultyNode.open(t, { env: clockAheadBy(aheadMs), dates });
  const isOver = (): boolean => Date.now() + aheadMs >= endMs;
  await until('the last second of the month has come', BEFORE_MIDNIGHT_MS, () => {
    return Date.now() + aheadMs >= endMs - 1_000;
  });
  faulty.node.kill('control');
  faulty.node.kill('exchange');
  await until('the month is over', BEFORE_MIDNIGHT_MS, isOver);
  await faulty.serving();
  const records = await assertWhole(faulty);
  const after = records.filter(({ at_ms: ms }) => ms >= endMs).length;
  t.diagnostic(`${records.length - after} records of the month, ${after} after it`);
  assert.ok(after > 0 && after < records.length);
});

test('damage to the journal costs what was damaged alone, and is found, counted and named', async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = createRandom(SEED).fork('damage');
  const firstMs = Date.now();
  const dates = (): string[] => [...new Set([dateOf(firstMs), dateOf(Date.now())])];
  const faulty = await FaultyNode.open(t, { dates });
  const took = new Map<string, number[]>();
  const lost = new Set<string>();
  let places = 0;
  for (let round = 1; round <= runs(2); round += 1) {
    for (const damage of shuffled(DAMAGES, () => random.next())) {
      console.log(`round ${round}: ${damage.name}`);
      const { endedMs, requestIds } = await damageJournal(faulty, damage, random);
      for (const id of requestIds) lost.add(id);
      places += 1;
      await until('the damage is named', BACK_MS_MAX, async () => {
        const { stdout } = await faulty.run('quarantine', '--json');
        return stdout !== '' && heldIn(stdout).places >= places;
      });
      await faulty.serving();
      const { name } = damage;
      took.set(name, [...(took.get(name) ?? []), performance.now() - endedMs]);
    }
  }
  for (const line of tableOf(took)) t.diagnostic(line);
  await faulty.endTraffic();
  await faulty.loaded();
  const { stdout } = await faulty.run('quarantine', '--json');
  assert.deepEqual(heldIn(stdout), { places, missing: lost.size });
  await faulty.stop();
  const store = await faulty.openStore();
  const rows = await store.query("SELECT request_id FROM money WHERE kind = 'auction'");
  const loaded = rows.map(({ request_id: id }) => String(id));
  assert.equal(new Set(loaded).size, loaded.length, 'none is there twice');
  const missing = [...faulty.requests.answered].filter((id) => !loaded.includes(id));
  assert.deepEqual(missing.toSorted(), [...lost].toSorted());
});

/** Brings the faults on one after the other, each once a round, in an order that the seed says. */
async function bringOn(
  t: TestContext,
  faults: readonly Fault[],
  disk: OwnDisk | null,
): Promise<void> {
  t.diagnostic(`seed ${SEED}`);
  const random = createRandom(SEED).fork('faults');
  const firstMs = Date.now();
  const dates = (): string[] => [...new Set([dateOf(firstMs), dateOf(Date.now())])];
  const faulty = await FaultyNode.open(t, { disk, dates });
  const took = new Map<string, number[]>();
  for (let round = 1; round <= runs(1); round += 1) {
    for (const fault of shuffled(faults, () => random.next())) {
      const { name } = fault;
      console.log(`round ${round}: ${name}`);
      const endedMs = await fault.inject(faulty, random);
      await faulty.serving();
      took.set(name, [...(took.get(name) ?? []), performance.now() - endedMs]);
    }
  }
  for (const line of tableOf(took)) t.diagnostic(line);
  await assertWhole(faulty);
  for (const times of took.values()) assertWithin(Math.max(...times), BACK_MS_MAX);
}

/** Journal, raw records, reports, bidders and publishers know of the same, once. */
async function assertWhole(faulty: FaultyNode): Promise<readonly MoneyRecord[]> {
  await faulty.endTraffic();
  const records = await faulty.stopSettled();
  const store = await faulty.openStore();
  await assertReportedOnce(store, faulty.requests);
  await assertHolds(store, records);
  assertInvariants(records.filter(isAuction));
  assertBilled(faulty.audience, records);
  return records;
}

function shuffled<Item>(items: readonly Item[], next: () => number): Item[] {
  return items
    .map((item) => ({ item, place: next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** How long after each fault's end every process served again. */
function tableOf(took: ReadonlyMap<string, readonly number[]>): string[] {
  const width = Math.max(...[...took.keys()].map((name) => name.length));
  return [
    `${'fault'.padEnd(width)}  times   median  longest`,
    ...[...took].map(([name, times]) => {
      const sorted = times.toSorted((a, b) => a - b);
      const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
      return `${name.padEnd(width)}  ${String(times.length).padStart(5)}  ${seconds(median)}  ${seconds(longest)}`;
    }),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`.padStart(7);
}
