import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createRandom } from '../../sim/random.ts';
import type { LoadResult } from '../../src/analytics/load-result.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import type { Batch } from '../../src/ports/batch.ts';
import type { Order } from './loader-child.ts';
import { assertHolds, makeDirectory, NODE_B, openAnalyticsIn, Segment } from './loader-fixture.ts';
import { makeRecords, MONTH_END_MS } from './loader-records.ts';
import { atEnd } from '../support/at-end.ts';
import { runs } from '../support/effort.ts';

const CHILD = join(import.meta.dirname, 'loader-child.ts');

/** A process that loads, and what it said last. */
class LoadingProcess {
  readonly #child: ChildProcess;
  readonly ready: Promise<unknown>;

  constructor(directory: string, context: TestContext) {
    this.#child = fork(CHILD, [directory], { serialization: 'advanced' });
    this.ready = once(this.#child, 'message');
    this.ready.catch(() => {});
    atEnd(context, () => this.kill());
  }

  send(order: Order): Promise<unknown> {
    const answer = once(this.#child, 'message');
    answer.catch(() => {});
    this.#child.send(order);
    return answer.then(([message]) => message);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

function makeBatches(count: number): { batches: Batch[]; records: MoneyRecord[] } {
  const segments = [new Segment('money-1.ndjson'), new Segment('money-1.ndjson', NODE_B)];
  const all: MoneyRecord[] = [];
  const batches = Array.from({ length: count }, (_, index) => {
    // Every second batch lies across the end of a month: two partitions in each table.
    const startMs = MONTH_END_MS - (index % 2) * 86_400_000;
    const records = makeRecords(`crash ${index}`, 400, startMs);
    all.push(...records);
    const segment = segments[index % 2];
    assert.ok(segment !== undefined);
    return segment.batch(records);
  });
  return { batches, records: all };
}

function orderOf(batches: readonly Batch[], index: number): Order {
  const batch = batches[index];
  assert.ok(batch !== undefined);
  return { batch, holdCommit: false };
}

function isResult(answer: unknown): answer is LoadResult {
  return typeof answer === 'object' && answer !== null && 'kind' in answer;
}

test('killed at any time, every record is loaded once', async (t) => {
  const seed = process.env['LOADER_SEED'] ?? 'loader';
  t.diagnostic(`LOADER_SEED=${seed}`);
  const random = createRandom(seed);
  const directory = await makeDirectory(t);
  const { batches, records } = makeBatches(runs(3));

  // The first one is killed while it makes its tables.
  const first = new LoadingProcess(directory, t);
  await sleep(random.integer(250, 500));
  await first.kill();

  let next = 0;
  const acknowledge = (answer: unknown): void => {
    assert.ok(isResult(answer) && ['loaded', 'already'].includes(answer.kind), String(answer));
    next += 1;
  };
  const kills = { inserting: 0, inserted: 0, acknowledged: 0 };
  while (next < batches.length) {
    const victim = new LoadingProcess(directory, t);
    await victim.ready;
    if (random.chance(0.4)) acknowledge(await victim.send(orderOf(batches, next)));
    if (next === batches.length) {
      await victim.kill();
      break;
    }
    // As the courier does: what was not acknowledged is offered again, with the same bytes.
    const holdCommit = kills.inserted === 0 || random.chance(0.25);
    const answer = victim.send({ ...orderOf(batches, next), holdCommit });
    // Nobody waits for more than has to be: one is killed as soon as it has been asked.
    const waitMs = kills.inserting === 0 ? 0 : random.integer(1, 150);
    const said = await (holdCommit ? answer : Promise.race([answer, sleep(waitMs, 'nothing yet')]));
    await victim.kill();
    if (said === 'nothing yet') kills.inserting += 1;
    else if (said === 'inserted') kills.inserted += 1;
    else {
      kills.acknowledged += 1;
      acknowledge(said);
    }
  }
  t.diagnostic(JSON.stringify(kills));
  assert.ok(kills.inserting > 0 && kills.inserted > 0);

  const analytics = await openAnalyticsIn(t, directory);
  for (const batch of batches) {
    assert.equal((await analytics.loader.load(batch)).kind, 'already');
  }
  assert.deepEqual(await analytics.offsets.pending(), []);
  await assertHolds(analytics.store, records);
  await analytics.close();
});
