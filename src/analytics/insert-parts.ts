import { setTimeout as sleep } from 'node:timers/promises';

import { Backoff, jittered } from '../base/backoff.ts';
import { messageOf } from '../base/unknown-error.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { BatchStream } from '../ports/batch.ts';
import type { BatchLine } from './batch-lines.ts';
import { countOf } from './cells.ts';
import { insertSql } from './insert-sql.ts';
import { numberedBytes } from './numbered-bytes.ts';
import { refusalOf } from './refusal.ts';

/** Lines of one batch, under the number of its load. */
export interface InsertPart {
  readonly load: number;
  readonly records: Uint8Array;
  readonly lines: readonly BatchLine[];
}

/** What all parts of an INSERT have in common. */
export interface InsertTarget {
  readonly store: AnalyticsStore;
  readonly stream: BatchStream;
  /** The records are of an older version: what came later is missing in them. */
  readonly isOlder: boolean;
  /** Told of every failure that is tried again. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
}

/** Whether a part is in the raw table: if not, why. */
export type PartOutcome = 'inserted' | { readonly reason: string };

/** Tries of one INSERT; couriers offer their batches again after that. */
const TRIES_MAX = 3;
const WAITS = { firstMs: 100, lastMs: 2_000 };

/** What has become of parts, and which of them are known not to be there at all. */
interface Tried {
  readonly outcomes: Map<InsertPart, PartOutcome>;
  readonly absent: readonly InsertPart[];
}

/**
 * Inserts parts by one INSERT. Where its answer is not seen, each load is asked for: what is there as a
 * whole counts, what is not there at all is tried again, and in the end by itself: one part on which the
 * engine fails would hold up those of all nodes for ever.
 *
 * @returns the outcomes of the parts; `refused` where the schema does not take one of them, and none is there.
 */
export async function insertParts(
  parts: readonly InsertPart[],
  target: InsertTarget,
): Promise<ReadonlyMap<InsertPart, PartOutcome> | 'refused'> {
  const tried = await tryParts(parts, target, TRIES_MAX);
  if (tried === 'refused') return 'refused';
  const { outcomes, absent } = tried;
  if (parts.length === 1) return outcomes;
  for (const part of absent) {
    const alone = await tryParts([part], target, 1);
    const outcome = alone === 'refused' ? undefined : alone.outcomes.get(part);
    if (outcome !== undefined) outcomes.set(part, outcome);
  }
  return outcomes;
}

async function tryParts(
  parts: readonly InsertPart[],
  target: InsertTarget,
  triesMax: number,
): Promise<Tried | 'refused'> {
  const { store, stream, onRetry } = target;
  const outcomes = new Map<InsertPart, PartOutcome>(parts.map((part) => [part, 'inserted']));
  let left = parts.filter(({ lines }) => lines.length > 0);
  const waits = new Backoff(WAITS);
  for (let tries = 1; left.length > 0; tries += 1) {
    try {
      await insertOnce(left, target);
      return { outcomes, absent: [] };
    } catch (error) {
      if (tries === 1 && refusalOf(error) !== null) return 'refused';
      // Also after the last try: the next call begins with a store that can be trusted.
      const there = await recoverAndCount(store, stream, left).catch((fault: unknown) => {
        onRetry?.(fault);
        return null;
      });
      const isOver = there === null || tries === triesMax || refusalOf(error) !== null;
      const missing = left.filter(({ load, lines }) => there?.get(load) !== lines.length);
      const absent = missing.filter(({ load }) => there !== null && !there.has(load));
      const failed = isOver ? missing : missing.filter((part) => !absent.includes(part));
      for (const part of failed) outcomes.set(part, { reason: messageOf(error) });
      if (isOver) return { outcomes, absent };
      left = absent;
      if (left.length > 0) onRetry?.(error);
    }
    if (left.length > 0) await sleep(jittered(waits.next(), Math.random()));
  }
  return { outcomes, absent: [] };
}

async function insertOnce(
  parts: readonly InsertPart[],
  { store, stream, isOlder }: InsertTarget,
): Promise<void> {
  const loads = parts.map(({ load }) => load);
  const bytes = parts.map(({ records, lines, load }) =>
    numberedBytes(records, lines, { stream, load }),
  );
  await store.insert(insertSql(stream, loads, isOlder), Buffer.concat(bytes));
}

/** How many records of each load are there, after an INSERT that failed. */
async function recoverAndCount(
  store: AnalyticsStore,
  stream: BatchStream,
  parts: readonly InsertPart[],
): Promise<ReadonlyMap<number, number>> {
  await store.recover();
  const loads = parts.map(({ load }) => load).join(', ');
  const rows = await store.query(
    `SELECT load, count() AS records FROM ${stream} WHERE load IN (${loads}) GROUP BY load`,
  );
  return new Map(rows.map((row) => [countOf(row, 'load'), countOf(row, 'records')]));
}
