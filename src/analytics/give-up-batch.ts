import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { GivenUp, GivenUpAnswer } from '../ports/batch-wire.ts';
import { streamOf, type BatchManifest, type SegmentRange } from '../ports/batch.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import { countOf } from './cells.ts';
import { heldIdOf } from './held.ts';
import type { Quarantine } from './quarantine.ts';
import { countLoad } from './settle-load.ts';

export interface GiveUpOptions {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  readonly quarantine: Pick<Quarantine, 'remove'>;
}

/** Checksums that are looked for at a time. */
const LOOKED_FOR_MAX = 1_000;

/**
 * Looks which records of a batch are in the raw table, and stops to wait for the batch: its load is
 * settled with what is there. Traces are not looked for: one that is there twice does no harm.
 */
export async function giveUpBatch(
  { manifest, marks }: GivenUp,
  { store, offsets, quarantine }: GiveUpOptions,
): Promise<GivenUpAnswer> {
  const { incarnation } = manifest;
  const stream = streamOf(manifest);
  const { pending } = await offsets.read(incarnation, stream);
  const present = stream === 'money' ? await look(store, incarnation, marks) : [];
  if (pending === null || !isSame(pending.manifest, manifest)) return { kind: 'looked', present };
  // What was held of it comes again with the batch that takes its place.
  await quarantine.remove(heldIdOf(pending.token));
  const { load } = pending;
  const records = load === null ? 0 : await countLoad(store, stream, load);
  await offsets.release(pending, { records, comesAgain: false });
  return { kind: 'looked', present };
}

function isSame(one: BatchManifest, other: BatchManifest): boolean {
  const name = ({ segment, start, end }: SegmentRange): string => `${segment} ${start} ${end}`;
  return one.segments.map(name).join() === other.segments.map(name).join();
}

/** Numbers and checksums together are of one record of a node. */
async function look(
  store: AnalyticsStore,
  node: string,
  marks: GivenUp['marks'],
): Promise<number[]> {
  const inStore = new Set<string>();
  const wanted = new Set(marks.map(([line, crc]) => `${line} ${crc}`));
  for (let from = 0; from < marks.length; from += LOOKED_FOR_MAX) {
    const crcs = marks.slice(from, from + LOOKED_FOR_MAX).map(([, crc]) => crc);
    const rows = await store.query(
      `SELECT line, crc FROM money
       WHERE node = {node:String} AND crc IN {crcs:Array(UInt64)}`,
      { node, crcs },
    );
    for (const row of rows) {
      const mark = `${countOf(row, 'line')} ${countOf(row, 'crc')}`;
      if (wanted.has(mark)) inStore.add(mark);
    }
  }
  return marks.flatMap(([line, crc], index) => (inStore.has(`${line} ${crc}`) ? [index] : []));
}
