import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { someTraits } from '../src/auction/eligibility-fixtures.ts';
import { MarketUpdates } from '../src/exchange/market-updates.ts';
import type { Market } from '../src/exchange/market.ts';
import { diffSnapshots, type SnapshotNews } from '../src/snapshot/delta.ts';
import { encodeSnapshot, readVersion } from '../src/snapshot/wire.ts';
import { manyLineItems } from '../test/support/many-line-items.ts';
import { longestOf, measureSlices, type Slices } from '../test/support/slices.ts';
import { median } from './statistics.ts';

/**
 * For how long a change of one of 10,000 line items holds the event loop of an exchange process: the
 * longest slice and all slices together, as a delta and as a whole snapshot. Run it on an idle
 * machine: what other processes take is counted as well.
 */
const LINE_ITEMS = 10_000;
const CHANGES = 21;

console.log(`${LINE_ITEMS} line items, one changed; medians of ${CHANGES} changes`);
for (const partners of [100, 1]) {
  for (const way of ['delta', 'whole'] as const) {
    const { longestMs, totalMs } = await measure(partners, way);
    console.log(
      `${LINE_ITEMS / partners} of each partner, ${way}: longest slice ${longestMs.toFixed(2)} ms, in all ${totalMs.toFixed(1)} ms`,
    );
  }
}

async function measure(
  partners: number,
  way: 'delta' | 'whole',
): Promise<{ readonly longestMs: number; readonly totalMs: number }> {
  const entities = manyLineItems(LINE_ITEMS, partners);
  let text = encodeSnapshot({ epoch: 'e', seq: 0 }, entities);
  let pause = (): Promise<void> => nextTurn();
  let market: Market | null = null;
  const updates = new MarketUpdates({
    // As a file is read: the decoding of its bytes is part of the work.
    readWhole: () => Promise.resolve(Buffer.from(text).toString()),
    use: (next) => {
      market = next;
      return Promise.resolve();
    },
    pause: () => pause(),
    logger: pino({ level: 'silent' }),
  });
  await updates.take(null);
  const runs: Slices[] = [];
  const totals: number[] = [];
  for (let seq = 1; seq <= CHANGES; seq += 1) {
    const changed = entities[LINE_ITEMS / 2];
    if (changed?.kind !== 'lineItem') throw new Error('not a line item');
    entities[LINE_ITEMS / 2] = { ...changed, floorMicros: seq };
    const after = encodeSnapshot({ epoch: 'e', seq }, entities);
    const delta = way === 'whole' ? null : await diffSnapshots(text, after, () => nextTurn());
    const message = JSON.stringify({ version: readVersion(after), delta });
    text = after;
    const run = await measureSlices(async (measured) => {
      pause = measured;
      const news: SnapshotNews = JSON.parse(message);
      await updates.take(news);
      await measured();
      // What the change costs the next auction.
      market?.eligibility.match(someTraits());
    });
    runs.push(run);
    totals.push(run.totalMs);
  }
  return { longestMs: longestOf(runs), totalMs: median(totals) };
}
