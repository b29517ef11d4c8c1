import Type, { type Static } from 'typebox';

/** The largest batch in bytes; the longest record of the journal fits into it. */
export const BATCH_BYTES_MAX = 4 * 1024 * 1024;

/** The most segments that one batch may take from. */
export const BATCH_SEGMENTS_MAX = 1000;

/** What a batch is of; see `journal/segment.ts`. */
export type BatchStream = 'money' | 'trace';

const Incarnation = Type.String({ pattern: '^[0-9a-f]{16}$' });
const Offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** So much of what is damaged in one place is kept to be looked at. */
export const DAMAGED_BYTES_MAX = 256 * 1024;

/** Bytes of a range in which no intact record stands, or a place where records are missing. */
export const DamagedRangeSchema = Type.Object(
  {
    start: Offset,
    end: Offset,
    /** How many records are lost here. */
    missing: Offset,
    /** The first of these bytes stand behind the records: so many, with this checksum. */
    kept: Type.Integer({ minimum: 0, maximum: DAMAGED_BYTES_MAX }),
    crc: Offset,
  },
  { additionalProperties: false },
);

/**
 * Whole lines of a segment: the bytes from `start` up to, and without, `end`. The first range of a
 * segment starts at 0 and so covers its header, which is not among the records.
 */
export const SegmentRangeSchema = Type.Object(
  {
    segment: Type.String({ pattern: '^[\\w.-]{1,200}$' }),
    start: Offset,
    end: Offset,
    /** Where the first line stands; left out where that is the start. */
    from: Type.Optional(Offset),
    /** The number of the last record; left out where it is not known. */
    last_line: Type.Optional(Offset),
    /** What is not among the records because it is damaged. */
    damaged: Type.Optional(Type.Array(DamagedRangeSchema)),
    /** What is not among them because it is loaded: a batch before this one was given up. */
    loaded: Type.Optional(
      Type.Array(Type.Object({ start: Offset, end: Offset }, { additionalProperties: false })),
    ),
  },
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

export type DamagedRange = Static<typeof DamagedRangeSchema>;
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
  /** What is kept of what is damaged, likewise; left out where nothing is. */
  readonly damaged?: Uint8Array;
}

/** How many bytes of a batch are of what is damaged. */
export function damagedBytes({ segments }: BatchManifest): number {
  const damaged = segments.flatMap((range) => range.damaged ?? []);
  return damaged.reduce((sum, { kept }) => sum + kept, 0);
}
