import { isUtf8 } from 'node:buffer';

import { MONEY_SCHEMA } from '../events/money-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf, type Batch } from '../ports/batch.ts';
import type { BatchLine } from './batch-lines.ts';
import { findRefused, type Refused } from './find-refused.ts';
import { insertParts } from './insert-parts.ts';

export interface InsertOptions {
  readonly store: AnalyticsStore;
  /** The number of the load. */
  readonly load: number;
  /** Told of every failure that is tried again. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
  /** Which of the lines were found to be refused before; left out where `hold` was not called. */
  readonly refusedBefore?: ((lines: readonly BatchLine[]) => readonly BatchLine[]) | undefined;
  /**
   * Brings to the disk what is refused, before anything else of the batch is inserted: one that is
   * repeated has to leave out the same, whatever a newer schema takes.
   */
  readonly hold: (refused: readonly Refused[]) => Promise<void>;
  /** Notes how many records the next INSERT has, before it is begun. */
  readonly begin: (records: number) => Promise<void>;
}

export type InsertOutcome =
  /** So many records, of which this is the last. */
  | { readonly kind: 'inserted'; readonly records: number; readonly last: BatchLine | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

/** Inserts those of these lines of a batch that the schema takes, under the number of one load. */
export async function insertBatch(
  { batch, lines }: { readonly batch: Batch; readonly lines: readonly BatchLine[] },
  options: InsertOptions,
): Promise<InsertOutcome> {
  const { records } = batch;
  const tryWithout = async (leftOut: readonly BatchLine[]): Promise<InsertOutcome | 'refused'> => {
    const left = without(lines, leftOut);
    await options.begin(left.length);
    return insertLines(batch, left, options);
  };
  const unfit = unfitOf(records, lines);
  const unfitLines = unfit.flatMap((each) => each.lines);
  const before = options.refusedBefore?.(lines) ?? [];
  if (unfitLines.every((line) => before.includes(line))) {
    const outcome = await tryWithout(before);
    if (outcome !== 'refused') return outcome;
  }
  const found = await findRefused(options.store, batch, without(lines, unfitLines));
  const refused = [...unfit, ...found].toSorted((a, b) => placeOf(a) - placeOf(b));
  await options.hold(refused);
  const outcome = await tryWithout(refused.flatMap((each) => each.lines));
  if (outcome !== 'refused') return outcome;
  return { kind: 'failed', reason: 'records are refused together and not one by one' };
}

/** What must not get as far as the engine, because it would not be refused there. */
export function unfitOf(records: Uint8Array, lines: readonly BatchLine[]): Refused[] {
  return lines.flatMap((line): Refused[] => {
    // Lines stand behind the INSERT, where an empty one ends them: what follows would be run as SQL.
    if (line.to - line.from === 1) return [{ lines: [line], reason: 'a line is empty' }];
    // chdb takes the records as text: bytes that are none would be replaced without a word.
    if (isUtf8(records.subarray(line.from, line.to))) return [];
    return [{ lines: [line], reason: 'it is not UTF-8' }];
  });
}

function without(lines: readonly BatchLine[], leftOut: readonly BatchLine[]): BatchLine[] {
  const places = new Set(leftOut.map(({ from }) => from));
  return lines.filter(({ from }) => !places.has(from));
}

function placeOf({ lines }: Refused): number {
  return lines[0]?.from ?? 0;
}

async function insertLines(
  { manifest, records }: Batch,
  lines: readonly BatchLine[],
  { store, load, onRetry }: InsertOptions,
): Promise<InsertOutcome | 'refused'> {
  const part = { load, records, lines };
  const isOlder = manifest.schema < MONEY_SCHEMA;
  const target = { store, stream: streamOf(manifest), isOlder, onRetry };
  const outcomes = await insertParts([part], target);
  if (outcomes === 'refused') return 'refused';
  const outcome = outcomes.get(part);
  if (typeof outcome === 'object') return { kind: 'failed', ...outcome };
  return { kind: 'inserted', records: lines.length, last: lines.at(-1) };
}
