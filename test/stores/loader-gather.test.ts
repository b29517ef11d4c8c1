import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { createRandom } from '../../sim/random.ts';
import { dateOf } from '../../src/analytics/dates.ts';
import type { Loader } from '../../src/analytics/load.ts';
import type { LoadResult } from '../../src/analytics/load-result.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import type { Batch } from '../../src/ports/batch.ts';
import { effort } from '../support/effort.ts';
import { assertHolds, Segment, testAnalytics, type Analytics } from './loader-fixture.ts';
import { cutAtMidnight, dying, MIDNIGHT_MS, processOn, TODAY } from './loader-killed.ts';
import { encode, makeRecords } from './loader-records.ts';

const SEED = process.env['GATHER_SEED'] ?? 'gather';
const NODES = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(16));

/** A node, what it has shipped, and what it offers until that is loaded. */
class Node {
  readonly #incarnation: string;
  readonly segment: Segment;
  readonly records: MoneyRecord[] = [];
  batch: Batch | null = null;

  constructor(incarnation: string) {
    this.#incarnation = incarnation;
    this.segment = new Segment('money-1.ndjson', incarnation);
  }

  /** The batch that waits, or another one. */
  offer(seed: string, count: number): Batch {
    if (this.batch !== null) return this.batch;
    const made = makeRecords(`${seed} ${this.#incarnation}`, count, MIDNIGHT_MS, 30);
    const records = made.map((record) => ({ ...record, node: this.#incarnation }));
    this.records.push(...records);
    this.batch = this.segment.batch(records);
    return this.batch;
  }

  /** Loads what it offers, as a courier does: until it is answered. */
  async ship(loader: Loader): Promise<void> {
    if (this.batch === null) return;
    const { kind } = await loader.load(this.batch);
    assert.ok(kind === 'loaded' || kind === 'already', kind);
    this.batch = null;
  }
}

/** Counts the INSERTs into the raw table. */
async function countingAnalytics(t: TestContext): Promise<Analytics & { inserts: () => number }> {
  let inserts = 0;
  const analytics = await testAnalytics(t, (parts) => ({
    ...parts,
    store: {
      ...partsOf(parts.store),
      insert: (sql, records) => {
        if (sql.startsWith('INSERT INTO money')) inserts += 1;
        return parts.store.insert(sql, records);
      },
    },
  }));
  return { ...analytics, inserts: () => inserts };
}

function partsOf(store: AnalyticsStore): AnalyticsStore {
  return {
    command: (sql) => store.command(sql),
    query: (sql, parameters) => store.query(sql, parameters),
    stream: (sql) => store.stream(sql),
    insert: (sql, records) => store.insert(sql, records),
    recover: () => store.recover(),
    close: () => store.close(),
  };
}

function allOf(nodes: readonly Node[]): MoneyRecord[] {
  return nodes.flatMap(({ records }) => records);
}

test('batches of several nodes that wait are one INSERT, and each is a load of its own', async (t) => {
  const analytics = await countingAnalytics(t);
  const { loader, steps } = processOn(analytics);
  const nodes = NODES.map((name) => new Node(name));
  const offers = nodes.map((node) => node.offer('one', 5));
  const results = await Promise.all(offers.map((batch) => loader.load(batch)));
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ['loaded', 'loaded', 'loaded', 'loaded'],
  );
  assert.equal(analytics.inserts(), 1);
  const loads = await analytics.offsets.settled();
  assert.deepEqual(
    loads.map(({ records }) => records),
    nodes.map(({ records }) => records.length),
  );
  await steps.fill();
  await assertHolds(analytics.store, allOf(nodes));
});

test('batches of one node are loaded one after the other, a batch that comes twice once', async (t) => {
  const analytics = await countingAnalytics(t);
  const { loader, steps } = processOn(analytics);
  const segment = new Segment();
  const [one, two] = [makeRecords('one', 5, MIDNIGHT_MS), makeRecords('two', 5, MIDNIGHT_MS)];
  const [first, second] = [segment.batch(one), segment.batch(two)];
  const results = await Promise.all([first, first, second].map((batch) => loader.load(batch)));
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ['loaded', 'already', 'loaded'],
  );
  assert.equal(analytics.inserts(), 2);
  await steps.fill();
  await assertHolds(analytics.store, [...one, ...two]);
});

test('what the schema refuses of one batch holds up none of the others', async (t) => {
  const analytics = await testAnalytics(t);
  const { loader, steps } = processOn(analytics);
  const nodes = NODES.map((name) => new Node(name));
  const [bad, ...others] = nodes;
  assert.ok(bad !== undefined);
  const good = makeRecords('good', 3, MIDNIGHT_MS);
  bad.records.push(...good);
  const line = Buffer.from('{"kind":"nothing that there is"}\n');
  const offers = [
    bad.segment.batchOf(Buffer.concat([encode(good), line])),
    ...others.map((node) => node.offer('others', 5)),
  ];
  const results = await Promise.all(offers.map((batch) => loader.load(batch)));
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ['quarantined', 'loaded', 'loaded', 'loaded'],
  );
  await steps.fill();
  await assertHolds(analytics.store, allOf(nodes));
});

test('a part of one load that an INSERT over midnight has lost is made good with its node alone', async (t) => {
  const analytics = await testAnalytics(t);
  const { store } = analytics;
  let isCut = false;
  // The INSERT is cut off, and nobody sees its answer.
  const cutting: AnalyticsStore = {
    ...partsOf(store),
    insert: async (sql, records) => {
      await store.insert(sql, records);
      if (isCut) return;
      isCut = true;
      await cutAtMidnight(store);
      throw new Error('no answer');
    },
  };
  const { loader, steps } = processOn({ ...analytics, store: cutting });
  const nodes = NODES.map((name) => new Node(name));
  const offers = nodes.map((node) => node.offer('cut', 30));
  const results: LoadResult[] = await Promise.all(offers.map((batch) => loader.load(batch)));
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ['loaded', 'loaded', 'loaded', 'failed'],
  );
  // Later loads commit, and are counted, while that one waits for its node.
  for (const node of nodes.slice(0, 3)) {
    node.batch = null;
    node.offer('later', 5);
    await node.ship(loader);
  }
  await steps.fill();
  const last = nodes.at(-1);
  assert.ok(last !== undefined);
  const there = last.records.filter((record) => dateOf(record.at_ms) < TODAY);
  assert.ok(there.length > 0 && there.length < last.records.length);
  await assertHolds(store, [...allOf(nodes.slice(0, 3)), ...there]);
  await forgetTokens(store);
  await last.ship(loader);
  await steps.fill();
  await assertHolds(store, allOf(nodes));
});

/** As if the deduplication window had passed meanwhile. */
async function forgetTokens(store: AnalyticsStore): Promise<void> {
  for (const window of [0, 1_000]) {
    await store.command(
      `ALTER TABLE money MODIFY SETTING non_replicated_deduplication_window = ${window}`,
    );
  }
}

test('killed before or after any word, with a node away after it, everything is counted once', async (t) => {
  const analytics = await testAnalytics(t);
  t.diagnostic(`GATHER_SEED=${SEED}`);
  const random = createRandom(SEED);
  const nodes = NODES.slice(0, 3).map((name) => new Node(name));
  let at = 1;
  for (let isWhole = false; !isWhole; at += effort(random.integer(5, 12), 1)) {
    for (const when of ['before', 'after'] as const) {
      for (const node of nodes) node.offer(`${SEED} ${at} ${when}`, 4);
      const dead = dying(analytics, at, when);
      const victim = processOn({ ...analytics, ...dead });
      const killed = await Promise.allSettled([
        ...nodes.map((node) => node.ship(victim.loader)),
        victim.loader.exclusively(() => victim.steps.fill()),
      ]);
      for (const each of killed) {
        if (each.status === 'rejected') assert.match(String(each.reason), /killed|failed/);
      }
      isWhole = dead.said() < at;
      // One of them is away; the others go on, with what they had offered and with more.
      const next = processOn(analytics);
      const away = random.chance(0.7) ? random.pick(nodes) : null;
      const there = nodes.filter((node) => node !== away);
      for (let rounds = random.integer(1, 2); rounds > 0; rounds -= 1) {
        await Promise.all(there.map((node) => node.ship(next.loader)));
        if (random.chance(0.5)) await next.steps.fill();
        if (rounds > 1) for (const node of there) node.offer(`more ${at} ${when}`, 2);
      }
      if (random.chance(0.3)) await forgetTokens(analytics.store);
      await away?.ship(next.loader);
      await Promise.all(nodes.map((node) => node.ship(next.loader)));
      await next.steps.fill();
      assert.deepEqual(await analytics.offsets.pending(), []);
      assert.deepEqual(await analytics.offsets.settled(), []);
    }
  }
  t.diagnostic(`${at} words to the stores`);
  await assertHolds(analytics.store, allOf(nodes));
});
