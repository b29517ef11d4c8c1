import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from 'pino';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { isMissing } from '../base/unknown-error.ts';

import { BatchManifestSchema, type BatchManifest, type BatchStream } from '../ports/batch.ts';
import { removeTemporaries, writeDurably } from './durable-file.ts';

/** How far a segment has been acknowledged. */
export interface Acknowledged {
  /** Where its first byte stands that is not. */
  readonly offset: number;
  /** Unix time in milliseconds of the acknowledgement. */
  readonly atMs: number;
}

/** What a courier has to know of one stream after it was killed at any moment. */
export interface ShippingState {
  /** By segment; one of which nothing is acknowledged is missing. */
  readonly acknowledged: Map<string, Acknowledged>;
  /** The batch that may have been offered, and whose answer is not known. */
  inFlight: BatchManifest | null;
  /** The number of the last record that was acknowledged of each process; see `last-lines.ts`. */
  readonly lastLines: Map<string, number>;
  /** Segments that have been removed, of which control may forget what it knows. */
  readonly gone: Set<string>;
  /** Unix time in milliseconds of the latest record of money that was removed with its segment; 0 for none. */
  trimmedMs: number;
  /** The last of control's requests for the whole journal that was followed; 0 for none. */
  reofferedAt: number;
  /** By segment: up to where control may have had it before that request. */
  readonly again: Map<string, number>;
}

const Count = Type.Integer({ minimum: 0 });

const StateFileSchema = Type.Object({
  schema: Type.Literal(1),
  acknowledged: Type.Record(Type.String(), Type.Object({ offset: Count, atMs: Count })),
  inFlight: Type.Union([BatchManifestSchema, Type.Null()]),
  lastLines: Type.Record(Type.String(), Count),
  gone: Type.Array(Type.String()),
  trimmedMs: Type.Optional(Count),
  reofferedAt: Type.Optional(Count),
  again: Type.Optional(Type.Record(Type.String(), Count)),
});

const stateValidator = Compile(StateFileSchema);

const FILE_NAMES: Readonly<Record<BatchStream, string>> = {
  money: 'shipping.json',
  trace: 'shipping-trace.json',
};

function statePath(dataDirectory: string, stream: BatchStream): string {
  return join(dataDirectory, 'courier', FILE_NAMES[stream]);
}

/**
 * Reads the state; an empty one where there is none. One that cannot be read is no disaster: control
 * refuses what does not follow on what it has, and says where each segment goes on.
 */
export async function readShippingState(
  dataDirectory: string,
  stream: BatchStream,
  logger: Logger,
): Promise<ShippingState> {
  const path = statePath(dataDirectory, stream);
  await removeTemporaries(path);
  try {
    const state: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!stateValidator.Check(state)) throw new Error('it does not have the form of a state');
    return {
      acknowledged: new Map(Object.entries(state.acknowledged)),
      inFlight: state.inFlight,
      lastLines: new Map(Object.entries(state.lastLines)),
      gone: new Set(state.gone),
      // A courier of an earlier version did not say.
      trimmedMs: state.trimmedMs ?? Date.now(),
      reofferedAt: state.reofferedAt ?? 0,
      again: new Map(Object.entries(state.again ?? {})),
    };
  } catch (error) {
    const missing = isMissing(error);
    if (!missing)
      logger.warn({ err: error, path }, 'the state of shipping is lost; asking control');
    // Nobody knows any more what was removed until now.
    return {
      acknowledged: new Map(),
      inFlight: null,
      lastLines: new Map(),
      gone: new Set(),
      trimmedMs: Date.now(),
      reofferedAt: 0,
      again: new Map(),
    };
  }
}

/** @throws SyncFailure, or the system's error when the file cannot be written */
export async function writeShippingState(
  dataDirectory: string,
  stream: BatchStream,
  { acknowledged, inFlight, lastLines, gone, trimmedMs, reofferedAt, again }: ShippingState,
): Promise<void> {
  const state: Static<typeof StateFileSchema> = {
    schema: 1,
    acknowledged: Object.fromEntries(acknowledged),
    inFlight,
    lastLines: Object.fromEntries(lastLines),
    gone: [...gone],
    trimmedMs,
    reofferedAt,
    again: Object.fromEntries(again),
  };
  await writeDurably(statePath(dataDirectory, stream), `${JSON.stringify(state)}\n`);
}

/** The state once control has asked for the whole journal: nothing counts as acknowledged any more. */
export function beginAgain(state: ShippingState, reofferedAt: number): ShippingState {
  const again = new Map(state.again);
  const mayBeThere = (segment: string, end: number): void => {
    again.set(segment, Math.max(end, again.get(segment) ?? 0));
  };
  for (const [segment, { offset }] of state.acknowledged) mayBeThere(segment, offset);
  for (const { segment, end } of state.inFlight?.segments ?? []) mayBeThere(segment, end);
  return { ...state, acknowledged: new Map(), inFlight: null, reofferedAt, again };
}

/**
 * Since when a node's money is complete on its disk: every record of a later moment is in a segment
 * that is still there. Unix time in milliseconds; 0 where nothing has been removed.
 *
 * @throws Error when the state cannot be read
 */
export async function readTrimmedMs(dataDirectory: string): Promise<number> {
  const path = statePath(dataDirectory, 'money');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
  const state: unknown = JSON.parse(text);
  if (!stateValidator.Check(state)) throw new Error(`${path} is no state`);
  return state.trimmedMs ?? 0;
}
