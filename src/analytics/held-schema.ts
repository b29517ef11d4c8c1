import Type, { type Static } from 'typebox';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const ShownHeldPartSchema = Type.Object(
  {
    cause: Type.Enum(['refused', 'damaged'], {
      description: 'the store refused the records, or the journal is damaged there',
    }),
    reason: Type.String(),
    segment: Type.String({ description: 'of the journal' }),
    start: count('byte offset in the segment'),
    end: count('the same where records are missing between two others'),
    records: count('records that were refused'),
    missing: count('records that are lost here'),
  },
  { title: 'QuarantinePart', additionalProperties: false },
);

const ENTRY = {
  id: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  at: Type.String({ format: 'date-time', description: 'since when it is here' }),
  node: Type.String({ description: 'the id of the node whose journal it is of' }),
  stream: Type.Enum(['money', 'trace']),
  refused_records: count('records that the schema refused'),
  damaged_places: count('damaged places of the journal'),
  missing_records: count('records that are lost in these'),
  tries: count('how often the refused records were retried'),
};

/** What of one batch could not be loaded. */
export const ShownHeldSchema = Type.Object(ENTRY, {
  title: 'QuarantineEntry',
  additionalProperties: false,
});

/** The same with all that is known of it. */
export const ShownHeldDetailsSchema = Type.Object(
  {
    ...ENTRY,
    parts: Type.Array(ShownHeldPartSchema),
    text: Type.String({ description: 'the first 64 KiB of the records, and of what is damaged' }),
  },
  { title: 'QuarantineEntryDetails', additionalProperties: false },
);

/** What became of the refused records of an entry that was retried. */
export const RetriedSchema = Type.Object(
  {
    loaded: count('records that are loaded now'),
    entry: Type.Union([ShownHeldSchema, Type.Null()], {
      description: 'what is still held; null where all of it is loaded',
    }),
  },
  { title: 'QuarantineRetry', additionalProperties: false },
);

export type ShownHeld = Static<typeof ShownHeldSchema>;
export type ShownHeldDetails = Static<typeof ShownHeldDetailsSchema>;
export type Retried = Static<typeof RetriedSchema>;
