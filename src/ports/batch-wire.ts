import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { parseJson } from '../base/json.ts';
import {
  BATCH_BYTES_MAX,
  BATCH_SEGMENTS_MAX,
  BatchManifestSchema,
  damagedBytes,
  type Batch,
  type BatchManifest,
  type BatchStream,
} from './batch.ts';

/**
 * How a batch travels from courier to control: newline-delimited JSON, the manifest in the first
 * line and the records in the others. Behind them stands what is damaged. A header would be too short
 * for a manifest of many segments.
 */
export const BATCH_MEDIA_TYPE = 'application/x-ndjson';

/** Where each stream is offered: control knows which it is before it has read the manifest. */
export const BATCH_PATHS: Readonly<Record<BatchStream, string>> = {
  money: '/internal/batches',
  trace: '/internal/batches/trace',
};

/**
 * A manifest of the most segments with the longest names, or of a batch in which every other record is
 * damaged.
 */
export const MANIFEST_BYTES_MAX = Math.max(BATCH_SEGMENTS_MAX * 360, 2 * 1024 * 1024);

export const BATCH_BODY_BYTES_MAX = MANIFEST_BYTES_MAX + BATCH_BYTES_MAX;

const NEWLINE = 0x0a;

const manifestValidator = Compile(BatchManifestSchema);

/** The first line of the body, with its newline. */
export function encodeManifest(manifest: BatchManifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest)}\n`);
}

/** The batch of a body, whose bytes it shares; null where the first line is no manifest. */
export function decodeBatch(body: Buffer): Batch | null {
  const end = body.indexOf(NEWLINE);
  if (end < 0 || end > MANIFEST_BYTES_MAX) return null;
  const manifest = decodeManifest(body.toString('utf8', 0, end));
  if (manifest === null) return null;
  const damagedAt = body.length - damagedBytes(manifest);
  if (damagedAt <= end) return null;
  const records = body.subarray(end + 1, damagedAt);
  if (damagedAt === body.length) return { manifest, records };
  return { manifest, records, damaged: body.subarray(damagedAt) };
}

function decodeManifest(line: string): BatchManifest | null {
  try {
    const manifest: unknown = parseJson(line);
    return manifestValidator.Check(manifest) ? manifest : null;
  } catch {
    return null;
  }
}

const Offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/**
 * What control answers: the result of `Loader.load`. 200 with the first three, after which the
 * courier goes on; 409 with `conflict`, after which it goes on from where control says; 503 with
 * `failed`, after which it offers the same bytes again.
 */
export const BatchAnswerSchema = Type.Union([
  Type.Object({ kind: Type.Literal('loaded'), records: Type.Integer({ minimum: 0 }) }),
  Type.Object({ kind: Type.Literal('already') }),
  Type.Object({
    kind: Type.Literal('quarantined'),
    records: Type.Integer({ minimum: 0 }),
    refused: Type.Integer({ minimum: 0 }),
    missing: Type.Integer({ minimum: 0 }),
    reason: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('conflict'),
    offsets: Type.Record(Type.String(), Offset),
    pending: Type.Union([BatchManifestSchema, Type.Null()]),
  }),
  Type.Object({ kind: Type.Literal('failed'), reason: Type.String() }),
]);

export type BatchAnswer = Static<typeof BatchAnswerSchema>;

/** Where a courier says that it cannot make a batch again that control may have begun to load. */
export const GIVEN_UP_PATH = '/internal/batches/given-up';

/** The most lines of a batch: none is shorter than its mark. */
const MARKS_MAX = Math.ceil(BATCH_BYTES_MAX / 20);
/** A manifest, and the marks. */
export const GIVEN_UP_BYTES_MAX = MANIFEST_BYTES_MAX + MARKS_MAX * 24;

export const GivenUpSchema = Type.Object(
  {
    manifest: BatchManifestSchema,
    /** Number and checksum of each line of the batch that can still be read. */
    marks: Type.Array(Type.Tuple([Offset, Offset]), { maxItems: MARKS_MAX }),
  },
  { additionalProperties: false },
);

export type GivenUp = Static<typeof GivenUpSchema>;

/**
 * `looked` when the batch is not awaited any more: which of the lines, by their place in `marks`, are in
 * the store for good. 503 with `failed`, after which the courier asks again.
 */
export const GivenUpAnswerSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('looked'),
    present: Type.Array(Type.Integer({ minimum: 0 })),
  }),
  Type.Object({ kind: Type.Literal('failed'), reason: Type.String() }),
]);

export type GivenUpAnswer = Static<typeof GivenUpAnswerSchema>;

const givenUpAnswerValidator = Compile(GivenUpAnswerSchema);

/** Null for what is no answer to a batch that is given up. */
export function decodeGivenUpAnswer(text: string): GivenUpAnswer | null {
  try {
    const answer: unknown = JSON.parse(text);
    return givenUpAnswerValidator.Check(answer) ? answer : null;
  } catch {
    return null;
  }
}

const answerValidator = Compile(BatchAnswerSchema);

/** Null for what is no answer to a batch. */
export function decodeBatchAnswer(text: string): BatchAnswer | null {
  try {
    const answer: unknown = JSON.parse(text);
    return answerValidator.Check(answer) ? answer : null;
  } catch {
    return null;
  }
}
