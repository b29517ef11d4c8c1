import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { GivenUp, GivenUpAnswer } from '../ports/batch-wire.ts';
import { streamOf, type BatchManifest, type SegmentRange } from '../ports/batch.ts';
import type { OffsetStore, PendingBatch } from '../ports/offset-store.ts';
import { countOf, textOf } from './cells.ts';
import { addDays, dateOf } from './dates.ts';
import { heldIdOf } from './held.ts';
import type { Quarantine } from './quarantine.ts';
import { RAW_DAYS, rebuildRollups } from './rebuild.ts';

export interface GiveUpOptions {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  readonly quarantine: Pick<Quarantine, 'remove'>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly onUnsure?: (dates: readonly string[]) => void;
  readonly givingUp: GivingUp;
}

/** Since when batches are to be given up, by their tokens. */
export type GivingUp = Map<string, number>;

/**
 * How long a batch waits for those of other nodes that were begun and not finished: rollups are not
 * rebuilt under them.
 */
const WAIT_MS = 60_000;

/** Checksums that are looked for at a time. */
const LOOKED_FOR_MAX = 1_000;

/**
 * Looks which records of a batch are in the raw table, and stops to wait for the batch. Where it had been
 * begun, some rollups may lack these records: they are made anew from the raw table before. Traces are
 * not looked for: one that is there twice does no harm.
 */
export async function giveUpBatch(
  { manifest, marks }: GivenUp,
  options: GiveUpOptions,
): Promise<GivenUpAnswer> {
  const { store, offsets, quarantine, givingUp } = options;
  const { incarnation } = manifest;
  const stream = streamOf(manifest);
  const { pending } = await offsets.read(incarnation, stream);
  const begun = pending !== null && isSame(pending.manifest, manifest) ? pending : null;
  const found =
    stream === 'money' ? await look(store, incarnation, marks) : { present: [], dates: [] };
  if (begun === null) return { kind: 'looked', present: found.present };
  if (found.dates.length > 0) {
    const waitsFor = await rebuild(begun, found.dates, options);
    if (waitsFor !== null) {
      return { kind: 'failed', reason: `a batch of node ${waitsFor} was begun and not finished` };
    }
  }
  // What was held of it comes again with the batch that takes its place.
  await quarantine.remove(heldIdOf(begun.token));
  await offsets.abandon(begun);
  givingUp.delete(begun.token);
  return { kind: 'looked', present: found.present };
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
): Promise<{ present: number[]; dates: string[] }> {
  const inStore = new Set<string>();
  const dates = new Set<string>();
  const wanted = new Set(marks.map(([line, crc]) => `${line} ${crc}`));
  for (let from = 0; from < marks.length; from += LOOKED_FOR_MAX) {
    const crcs = marks.slice(from, from + LOOKED_FOR_MAX).map(([, crc]) => crc);
    const rows = await store.query(
      `SELECT line, crc, toString(date) AS date FROM money
       WHERE node = {node:String} AND crc IN {crcs:Array(UInt64)}`,
      { node, crcs },
    );
    for (const row of rows) {
      const mark = `${countOf(row, 'line')} ${countOf(row, 'crc')}`;
      if (!wanted.has(mark)) continue;
      inStore.add(mark);
      dates.add(textOf(row, 'date'));
    }
  }
  const present = marks.flatMap(([line, crc], index) =>
    inStore.has(`${line} ${crc}`) ? [index] : [],
  );
  return { present, dates: [...dates].toSorted() };
}

/** @returns the node whose batch has to be finished before; null when the rollups are whole. */
async function rebuild(
  begun: PendingBatch,
  dates: readonly string[],
  { store, offsets, now, onUnsure, givingUp }: GiveUpOptions,
): Promise<string | null> {
  const sinceMs = givingUp.get(begun.token) ?? now();
  givingUp.set(begun.token, sinceMs);
  // What another node has given up as well will never be inserted again.
  const other = (await offsets.pending()).find(
    ({ token, manifest }) => streamOf(manifest) === 'money' && !givingUp.has(token),
  );
  if (other !== undefined && now() - sinceMs < WAIT_MS) return other.manifest.incarnation;
  const today = dateOf(now());
  const first = addDays(today, 1 - RAW_DAYS);
  const unsure = dates.filter((date) => other !== undefined || date < first);
  if (unsure.length > 0) onUnsure?.(unsure);
  for (const date of dates.filter((each) => !unsure.includes(each))) {
    const alone = { ...offsets, pending: () => Promise.resolve([]) };
    await rebuildRollups({ store, offsets: alone, startDate: date, endDate: date, today });
  }
  return null;
}
