import { streamOf, type Batch } from '../ports/batch.ts';
import type { BatchLine } from './batch-lines.ts';
import { bytesOf, type Refused } from './find-refused.ts';
import { heldIdOf, type Held, type HeldPart } from './held.ts';
import type { Quarantine } from './quarantine.ts';

export interface HoldOptions {
  readonly quarantine: Quarantine;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

const DAMAGED = 'the journal is damaged here';
const CUT = 'records are missing here';

/** Where it is kept what of a batch is refused. */
export interface Holding {
  /** Which lines were found to be refused before; undefined where none were looked for. */
  readonly refusedBefore: ((lines: readonly BatchLine[]) => BatchLine[]) | undefined;
  /** Durable when it resolves. */
  hold(refused: readonly Refused[]): Promise<void>;
  /** What is held of the batch now. */
  held(): Held | null;
}

/** An entry of its own for what of a batch cannot be loaded. */
export async function holdInEntry(
  batch: Batch,
  token: string,
  options: HoldOptions,
): Promise<Holding> {
  const before = await options.quarantine.find(heldIdOf(token));
  let held = before ?? (await holdDamage(batch, token, options));
  return {
    refusedBefore: before === null ? undefined : (lines) => refusedAmong(lines, before),
    hold: async (refused) => {
      held = await holdRefused(batch, token, refused, options);
    },
    held: () => held,
  };
}

/** Holds what of a batch was damaged before it was offered; null where nothing was. */
async function holdDamage(batch: Batch, token: string, options: HoldOptions): Promise<Held | null> {
  return damageOf(batch).length === 0 ? null : holdRefused(batch, token, [], options);
}

/** Holds what the schema refuses of a batch, with what was damaged. */
async function holdRefused(
  batch: Batch,
  token: string,
  refused: readonly Refused[],
  { quarantine, now }: HoldOptions,
): Promise<Held> {
  const { incarnation: node, schema } = batch.manifest;
  const parts = joined(
    refused.flatMap((each) => each.lines.map((line) => partOf(line, each.reason))),
  );
  const held: Held = {
    id: heldIdOf(token),
    token,
    at: new Date(now()).toISOString(),
    node,
    stream: streamOf(batch.manifest),
    schema,
    parts: [...parts, ...damageOf(batch)],
    tries: 0,
    trying: null,
  };
  const lines = bytesOf(
    batch.records,
    refused.flatMap((each) => each.lines),
  );
  await quarantine.hold(held, Buffer.concat([lines, batch.damaged ?? Buffer.alloc(0)]));
  return held;
}

/** Which of a batch's lines are held because they were refused. */
function refusedAmong(lines: readonly BatchLine[], { parts }: Held): BatchLine[] {
  const refused = parts.filter(({ cause }) => cause === 'refused');
  return lines.filter(({ segment, start }) =>
    refused.some((part) => part.segment === segment && start >= part.start && start < part.end),
  );
}

function damageOf({ manifest }: Batch): HeldPart[] {
  return manifest.segments.flatMap(({ segment, damaged = [] }) =>
    damaged.map(({ start, end, missing, kept }): HeldPart => {
      const reason = start === end ? CUT : DAMAGED;
      return { cause: 'damaged', reason, segment, start, end, records: 0, missing, bytes: kept };
    }),
  );
}

function partOf({ segment, start, from, to }: BatchLine, reason: string): HeldPart {
  const bytes = to - from;
  return {
    cause: 'refused',
    reason,
    segment,
    start,
    end: start + bytes,
    records: 1,
    missing: 0,
    bytes,
  };
}

/** Refused records that stand side by side become one part. */
export function joined(parts: readonly HeldPart[]): HeldPart[] {
  const found: HeldPart[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (last === undefined || last.segment !== part.segment || last.end !== part.start) {
      found.push(part);
      continue;
    }
    found[found.length - 1] = {
      ...last,
      end: part.end,
      records: last.records + part.records,
      bytes: last.bytes + part.bytes,
    };
  }
  return found;
}
