import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { manyLineItems, someTargeting } from '../../test/support/many-line-items.ts';
import { effort } from '../../test/support/effort.ts';
import { longestOf, measureSlices, type Slices } from '../../test/support/slices.ts';
import { aPartner, aSnapshot, someTraits } from '../auction/eligibility-fixtures.ts';
import { aLineItem } from '../auction/fixtures.ts';
import { diffSnapshots, type SnapshotNews } from '../snapshot/delta.ts';
import type { Entity } from '../snapshot/entities.ts';
import { encodeSnapshot, readVersion } from '../snapshot/wire.ts';
import { MarketUpdates } from './market-updates.ts';
import type { Market } from './market.ts';

const CHANGES = 15;
/** On a busy machine more: a change at once is above a hundred. */
const SLICE_MAX_MS = effort(10, 2);

const atOnce = (): Promise<void> => Promise.resolve();

function textOf(seq: number, floorMicros: number): string {
  const lineItem = aLineItem({ demandPartnerId: 1, floorMicros });
  return encodeSnapshot({ epoch: 'e', seq }, [aSnapshot().exchange, aPartner(1), lineItem]);
}

async function newsOf(before: string, after: string): Promise<SnapshotNews> {
  return { version: readVersion(after), delta: await diffSnapshots(before, after, atOnce) };
}

/** An exchange process's updates over a disk that the test writes. */
function updatesOf(pause = atOnce) {
  const disk = { text: '', reads: 0 };
  const used: Market[] = [];
  const logged: string[] = [];
  const updates = new MarketUpdates({
    readWhole: () => {
      disk.reads += 1;
      return Promise.resolve(disk.text);
    },
    use: (market) => {
      used.push(market);
      return Promise.resolve();
    },
    pause,
    logger: pino({ level: 'info' }, { write: (line: string) => void logged.push(messageOf(line)) }),
  });
  const floors = (): (number | undefined)[] =>
    used.map(({ snapshot }) => snapshot.lineItems.get(1)?.[0]?.floorMicros);
  return { updates, disk, used, logged, floors };
}

function messageOf(line: string): string {
  const { msg, from }: { msg: string; from?: string } = JSON.parse(line);
  return from === undefined ? msg : `${msg}, ${from}`;
}

test('the whole snapshot is read once, and changes follow as deltas', async () => {
  const { updates, disk, logged, floors } = updatesOf();
  const texts = [1, 2, 3].map((seq) => textOf(seq, seq * 10));
  disk.text = texts[0] ?? '';
  await updates.take(null);
  const news = [
    await newsOf(texts[0] ?? '', texts[1] ?? ''),
    await newsOf(texts[1] ?? '', texts[2] ?? ''),
  ];
  await Promise.all(news.map((each) => updates.take(each)));
  assert.deepEqual(floors(), [10, 20, 30]);
  assert.equal(disk.reads, 1);
  assert.deepEqual(logged, [
    'configuration taken, whole',
    'configuration taken, delta',
    'configuration taken, delta',
  ]);
});

test('a version that the process has is not taken again, however it is told', async () => {
  const { updates, disk, used } = updatesOf();
  disk.text = textOf(2, 20);
  await updates.take(null);
  await updates.take(await newsOf(textOf(1, 10), disk.text));
  await updates.take(null);
  assert.equal(used.length, 1);
});

test('a delta from a version that the process does not have is passed over for the whole', async () => {
  const { updates, disk, floors, logged } = updatesOf();
  disk.text = textOf(1, 10);
  await updates.take(null);
  disk.text = textOf(3, 30);
  await updates.take(await newsOf(textOf(2, 20), disk.text));
  assert.deepEqual(floors(), [10, 30]);
  assert.equal(logged.at(-1), 'configuration taken, whole');
});

test('a process without a configuration takes the whole, as does one that is told of no delta', async () => {
  const { updates, disk, floors } = updatesOf();
  disk.text = textOf(2, 20);
  await updates.take(await newsOf(textOf(1, 10), disk.text));
  disk.text = textOf(3, 30);
  await updates.take({ version: { epoch: 'e', seq: 3 }, delta: null });
  assert.deepEqual(floors(), [20, 30]);
});

test('a broken delta is refused, and the whole is read', async () => {
  const { updates, disk, floors, logged } = updatesOf();
  disk.text = textOf(1, 10);
  await updates.take(null);
  disk.text = textOf(2, 20);
  const { version, delta } = await newsOf(textOf(1, 10), disk.text);
  assert.ok(delta !== null);
  await updates.take({ version, delta: { ...delta, gone: [] } });
  assert.deepEqual(floors(), [10, 20]);
  assert.deepEqual(logged.slice(1), [
    'a change was refused; the whole snapshot is read instead',
    'configuration taken, whole',
  ]);
});

test('what cannot be read at all leaves the market, and the next change is taken', async () => {
  const { updates, disk, floors, logged } = updatesOf();
  disk.text = textOf(1, 10);
  await updates.take(null);
  disk.text = textOf(2, 20).slice(0, -5);
  await updates.take({ version: { epoch: 'e', seq: 2 }, delta: null });
  assert.equal(logged.at(-1), 'a snapshot was refused; the last good one stays');
  assert.deepEqual(floors(), [10]);
  disk.text = textOf(3, 30);
  await updates.take(await newsOf(textOf(1, 10), disk.text));
  assert.deepEqual(floors(), [10, 30]);
});

for (const partners of [100, 1]) {
  test(`one change of 10,000 line items, ${10_000 / partners} of each partner, takes no slice above ${SLICE_MAX_MS} ms`, async () => {
    let pause = atOnce;
    const { updates, disk, used } = updatesOf(() => pause());
    const entities = manyLineItems(10_000, partners);
    let text = encodeSnapshot({ epoch: 'e', seq: 0 }, entities);
    disk.text = text;
    await updates.take(null);
    const runs: Slices[] = [];
    for (let seq = 1; seq <= CHANGES; seq += 1) {
      const at = 5_000 + seq;
      entities[at] = changed(entities[at], seq);
      const next = encodeSnapshot({ epoch: 'e', seq }, entities);
      const message = JSON.stringify(await newsOf(text, next));
      text = next;
      const run = await measureSlices(async (measured) => {
        pause = measured;
        const news: SnapshotNews = JSON.parse(message);
        await updates.take(news);
        await measured();
        // What the change has cost the next auction.
        used.at(-1)?.eligibility.match(someTraits());
      });
      runs.push(run);
    }
    assert.equal(disk.reads, 1);
    assert.equal(used.length, 1 + CHANGES);
    const longestMs = longestOf(runs);
    assert.ok(longestMs <= SLICE_MAX_MS, `a slice of ${longestMs} ms: ${JSON.stringify(runs)}`);
  });
}

/** Prices change, and of every other line item what it asks for. */
function changed(entity: Entity | undefined, seq: number): Entity {
  assert.ok(entity?.kind === 'lineItem');
  const floorMicros = entity.floorMicros + seq;
  return seq % 2 === 0
    ? { ...entity, floorMicros }
    : { ...entity, floorMicros, targeting: someTargeting(entity.id + 30) };
}
