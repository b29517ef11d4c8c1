import { MONEY_SCHEMA } from '../events/money-record.ts';
import { streamOf, type Batch } from '../ports/batch.ts';
import { unfitOf } from './insert-batch.ts';
import { insertParts, type InsertPart } from './insert-parts.ts';
import {
  loadReady,
  pendingOf,
  prepareBatch,
  resultOf,
  tellLoaded,
  type LoadOptions,
  type ReadyBatch,
} from './load-batch.ts';
import type { LoadResult } from './load-result.ts';

/** What became of each batch, in their order: an error is of its batch alone. */
export type LoadResults = readonly PromiseSettledResult<LoadResult>[];

/**
 * Loads batches of one stream, of as many nodes, by one INSERT. Each is a load with a number, a count and a
 * commitment of its own: what becomes of one says nothing of the others. Where the schema refuses one of
 * them, each is loaded by itself.
 */
export async function loadTogether(
  batches: readonly Batch[],
  options: LoadOptions,
): Promise<LoadResults> {
  const prepared: PromiseSettledResult<ReadyBatch | LoadResult>[] = [];
  for (const batch of batches) prepared.push(await settled(() => prepareBatch(batch, options)));
  const plain = prepared.flatMap((each) =>
    each.status === 'fulfilled' && isReady(each.value) && isPlain(each.value) ? [each.value] : [],
  );
  const together =
    plain.length > 1 ? await settled(() => insertTogether(plain, options)) : undefined;
  const results: PromiseSettledResult<LoadResult>[] = [];
  for (const each of prepared) {
    if (each.status === 'rejected') results.push(each);
    else if (!isReady(each.value)) results.push({ status: 'fulfilled', value: each.value });
    else if (together?.status === 'rejected' && plain.includes(each.value)) results.push(together);
    else {
      const ready = each.value;
      const done = together?.status === 'fulfilled' ? together.value?.get(ready) : undefined;
      results.push(await settled(async () => done ?? loadReady(ready, options)));
    }
  }
  return results;
}

/** Null where the schema refuses one of them: none is inserted then. */
async function insertTogether(
  batches: readonly ReadyBatch[],
  options: LoadOptions,
): Promise<ReadonlyMap<ReadyBatch, LoadResult> | null> {
  const { store, offsets, onRetry } = options;
  const [first] = batches;
  if (first === undefined) return null;
  await offsets.begin(...batches.map((each) => pendingOf(each, each.lines.length)));
  const parts = new Map(batches.map((ready): [ReadyBatch, InsertPart] => [ready, partOf(ready)]));
  const target = { store, stream: streamOf(first.batch.manifest), isOlder: false, onRetry };
  const outcomes = await insertParts([...parts.values()], target);
  if (outcomes === 'refused') return null;
  const outcomeOf = (ready: ReadyBatch) => outcomes.get(parts.get(ready) ?? partOf(ready));
  const inserted = batches.filter((ready) => outcomeOf(ready) === 'inserted');
  await offsets.commit(...inserted.map((each) => pendingOf(each, each.lines.length)));
  const last = inserted.at(-1);
  if (last !== undefined) await tellLoaded(last, last.lines.at(-1), options);
  return new Map(
    batches.map((ready): [ReadyBatch, LoadResult] => {
      const outcome = outcomeOf(ready);
      if (typeof outcome === 'object') return [ready, { kind: 'failed', ...outcome }];
      return [ready, resultOf(ready, ready.lines.length)];
    }),
  );
}

function partOf({ batch: { records }, load, lines }: ReadyBatch): InsertPart {
  return { load, records, lines };
}

function isReady(prepared: ReadyBatch | LoadResult): prepared is ReadyBatch {
  return !('kind' in prepared);
}

/** Nothing of it has to be looked at on its own: all that is known can be inserted with that of others. */
function isPlain({ batch: { manifest, records }, lines, holding }: ReadyBatch): boolean {
  return (
    manifest.schema >= MONEY_SCHEMA &&
    holding.refusedBefore === undefined &&
    unfitOf(records, lines).length === 0
  );
}

async function settled<T>(work: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  try {
    return { status: 'fulfilled', value: await work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
