import type { Batch } from '../ports/batch.ts';
import type { BatchLine } from './batch-lines.ts';
import { bytesOf } from './find-refused.ts';
import type { Held, HeldPart } from './held.ts';
import { joined, type Holding } from './hold-batch.ts';
import { loadBatch, type LoadOptions } from './load-batch.ts';

export type RetryResult =
  /** So many records are loaded now; so many are refused still, and lost to damage. */
  | { readonly kind: 'retried'; readonly loaded: number; readonly held: Held | null }
  | { readonly kind: 'unknown' }
  /** The batch that it is of is not settled: to be asked again. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly reason: string };

export type DropResult =
  | { readonly kind: 'dropped'; readonly held: Held }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'busy' };

/**
 * Tries the refused records of an entry again. They are a batch of their own then, of a node that bears
 * the entry's id: whatever is killed when, each is loaded once. What is refused again is noted in the
 * entry before anything is inserted, and the entry changes once that is acknowledged.
 */
export async function retryHeld(id: string, options: LoadOptions): Promise<RetryResult> {
  const { quarantine } = options;
  const found = await quarantine.find(id);
  if (found === null) return { kind: 'unknown' };
  if (await isPending(found, options)) return { kind: 'busy' };
  const all = await quarantine.read(found);
  const refusedBytes = bytesIn(found.parts.filter(({ cause }) => cause === 'refused'));
  if (refusedBytes === 0) return { kind: 'retried', loaded: 0, held: found };
  let held: Held =
    found.trying === null ? { ...found, tries: found.tries + 1, trying: { refused: null } } : found;
  await quarantine.hold(held, all);
  const batch = batchOf(held, all.subarray(0, refusedBytes));
  const holding: Holding = {
    refusedBefore: held.trying?.refused === null ? undefined : (lines) => refusedOf(held, lines),
    hold: async (refused) => {
      const lines = refused.flatMap(({ lines: each, reason }) =>
        each.map(({ from }) => ({ from, reason })),
      );
      held = { ...held, trying: { refused: lines } };
      await quarantine.hold(held, all);
    },
    held: () => null,
  };
  const result = await loadBatch(batch, { ...options, holding: () => Promise.resolve(holding) });
  if (result.kind === 'failed') return result;
  if (result.kind === 'conflict') return { kind: 'failed', reason: 'it was tried elsewhere' };
  const left = leftOf(held, batch.records, all.subarray(refusedBytes));
  if (left.held.parts.length === 0) await quarantine.remove(id);
  else await quarantine.hold(left.held, left.bytes);
  const loaded = recordsIn(found.parts) - recordsIn(left.held.parts);
  return { kind: 'retried', loaded, held: left.held.parts.length === 0 ? null : left.held };
}

export async function dropHeld(
  id: string,
  options: Pick<LoadOptions, 'quarantine' | 'offsets'>,
): Promise<DropResult> {
  const held = await options.quarantine.find(id);
  if (held === null) return { kind: 'unknown' };
  if (held.trying !== null || (await isPending(held, options))) return { kind: 'busy' };
  await options.quarantine.remove(id);
  return { kind: 'dropped', held };
}

/** What a batch that comes again has to leave out stands in its entry. */
async function isPending(
  { token }: Held,
  { offsets }: Pick<LoadOptions, 'offsets'>,
): Promise<boolean> {
  return (await offsets.pending()).some((pending) => pending.token === token);
}

function batchOf({ id, stream, schema, tries }: Held, records: Uint8Array): Batch {
  const of = stream === 'trace' ? { stream } : {};
  const segments = [{ segment: `quarantine-${id}-${tries}`, start: 0, end: records.length }];
  return { manifest: { incarnation: id, ...of, schema, segments }, records };
}

function refusedOf({ trying }: Held, lines: readonly BatchLine[]): BatchLine[] {
  const places = new Set(trying?.refused?.map(({ from }) => from));
  return lines.filter(({ from }) => places.has(from));
}

/** The entry after a try: the records that were refused, each where it stood in the journal. */
function leftOf(
  held: Held,
  records: Uint8Array,
  damaged: Uint8Array,
): { readonly held: Held; readonly bytes: Buffer } {
  const refused = held.parts.filter(({ cause }) => cause === 'refused');
  const reasons = new Map(held.trying?.refused?.map(({ from, reason }) => [from, reason]));
  const parts: HeldPart[] = [];
  const lines: BatchLine[] = [];
  let at = 0;
  for (const part of refused) {
    for (const end = at + part.bytes; at < end;) {
      const to = records.indexOf(0x0a, at) + 1;
      const reason = reasons.get(at);
      const start = part.end - (end - at);
      if (reason !== undefined) {
        const bytes = to - at;
        parts.push({ ...part, reason, start, end: start + bytes, records: 1, bytes });
        lines.push({ from: at, to, segment: part.segment, start });
      }
      at = to;
    }
  }
  const rest = held.parts.filter(({ cause }) => cause === 'damaged');
  return {
    held: { ...held, parts: [...joined(parts), ...rest], trying: null },
    bytes: Buffer.concat([bytesOf(records, lines), damaged]),
  };
}

function bytesIn(parts: readonly HeldPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

function recordsIn(parts: readonly HeldPart[]): number {
  return parts.reduce((sum, { records }) => sum + records, 0);
}
