import Type, { type Static } from 'typebox';

/** The largest batch in bytes; the longest record of the journal fits into it. */
export const BATCH_BYTES_MAX = 4 * 1024 * 1024;

/** The most segments that one batch may take from. */
export const BATCH_SEGMENTS_MAX = 1000;

/** What a batch is of; see `journal/segment.ts`. */
export type BatchStream = 'money' | 'trace';

const Incarnation = Type.String({ pattern: '^[0-9a-f]{16}$' });
const Offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/**
 * Whole lines of a segment: the bytes from `start` up to, and without, `end`. The first range of a
 * segment starts at 0 and so covers its header, which is not among the records.
 */
export const SegmentRangeSchema = Type.Object(
  { segment: Type.String({ pattern: '^[\\w.-]{1,200}$' }), start: Offset, end: Offset },
  { additionalProperties: false },
);

/**
 * What a batch is made of. It is on the courier's disk before the batch is offered: a retry names
 * the same ranges, and so has the same bytes.
 */
export const BatchManifestSchema = Type.Object(
  {
    /** Of the node's data directory; with the segment's name it says which segment is meant. */
    incarnation: Incarnation,
    /** Left out for money, as couriers and controls have it that know no other stream. */
    stream: Type.Optional(Type.Literal('trace')),
    /** The version of the records; segments of different ones come in batches of their own. */
    schema: Type.Integer({ minimum: 1 }),
    /** Control may have had some of it before, in whatever batches: only what is absent is loaded. */
    again: Type.Optional(Type.Literal(true)),
    segments: Type.Array(SegmentRangeSchema, { minItems: 1, maxItems: BATCH_SEGMENTS_MAX }),
  },
  { additionalProperties: false },
);

export type SegmentRange = Static<typeof SegmentRangeSchema>;
export type BatchManifest = Static<typeof BatchManifestSchema>;

/** The stream whose records a batch has. */
export function streamOf({ stream }: BatchManifest): BatchStream {
  return stream ?? 'money';
}

/** A batch on its way from a node's courier to the analytics store. */
export interface Batch {
  readonly manifest: BatchManifest;
  /** The records of the ranges in the manifest's order: newline-delimited JSON, headers left out. */
  readonly records: Uint8Array;
}
