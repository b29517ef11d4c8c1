import Type, { type Static } from 'typebox';

import { HeldPartSchema } from './held.ts';

/** What of the store a reconciliation asks for. */
export const StoreQuestionSchema = Type.Object(
  {
    /** The UTC day, YYYY-MM-DD. */
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    /** The node whose journal is compared; empty for none. */
    node: Type.String({ pattern: '^([0-9a-f]{16})?$' }),
    /** Its journal is complete for records after this Unix time in milliseconds. */
    after_ms: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type StoreQuestion = Static<typeof StoreQuestionSchema>;

/** The records of one share of a kind, to be looked at one by one. */
export const RowsQuestionSchema = Type.Object(
  {
    ...StoreQuestionSchema.properties,
    kind: Type.String({ pattern: '^[a-z]{1,20}$' }),
    bucket: Type.Integer({ minimum: 0, maximum: 255 }),
  },
  { additionalProperties: false },
);
export type RowsQuestion = Static<typeof RowsQuestionSchema>;

const Count = Type.Integer({ minimum: 0 });
/** A sum that can outgrow the integers of a double. */
const Sum = Type.String({ pattern: '^\\d+$' });

/**
 * The records of one kind whose key falls into one of 256 buckets: how many, the sum of their
 * checksums, and of what winners pay and get, in micro-dollars CPM. Equal digests, equal records.
 */
export const DigestSchema = Type.Object({
  kind: Type.String(),
  bucket: Count,
  records: Count,
  checksum: Sum,
  clearing_micros: Sum,
  payout_micros: Sum,
});
export type Digest = Static<typeof DigestSchema>;

/** One record by its key (see `reconcile-key.ts`), with its money. */
const KeyedRowSchema = Type.Object({
  key: Type.String(),
  clearing_micros: Sum,
  payout_micros: Sum,
});

export const KeyedRowsSchema = Type.Object({
  rows: Type.Array(KeyedRowSchema),
  /** False when there were more than are shown. */
  complete: Type.Boolean(),
});
export type KeyedRows = Static<typeof KeyedRowsSchema>;

/** One metric of a rollup over all accounts, counted in the raw records and read from the rollup. */
export const MetricSchema = Type.Object({
  rollup: Type.String(),
  metric: Type.String(),
  raw: Sum,
  rolled: Sum,
  /** Accounts whose figures are not the same, and the first of them. */
  differing: Count,
  examples: Type.Array(Type.Object({ account: Type.String(), raw: Sum, rolled: Sum })),
});
export type Metric = Static<typeof MetricSchema>;

export const DuplicatesSchema = Type.Object({
  kind: Type.String(),
  rows: Count,
  distinct: Count,
  /** Beacons of this day that stand on the day before or after it as well. */
  elsewhere: Count,
  /** The keys of the first that are there more than once. */
  examples: Type.Array(Type.String()),
});
export type Duplicates = Static<typeof DuplicatesSchema>;

/** What became of the notices of one event that the node's records of the day made due. */
export const NoticesSchema = Type.Object({
  event: Type.Union([Type.Literal('win'), Type.Literal('billing')]),
  due: Count,
  delivered: Count,
  given_up: Count,
  /** Of those delivered, how many were more than once. */
  repeated: Count,
  /** Neither delivered nor given up; their keys, as far as there is room. */
  open: Count,
  open_keys: Type.Array(Type.String()),
  /** Delivered or given up, and not due; their keys, as far as there is room. */
  stray: Count,
  stray_keys: Type.Array(Type.String()),
});
export type Notices = Static<typeof NoticesSchema>;

/** The day in figures, tests left out; all nodes together. */
export const TotalsSchema = Type.Object({
  auctions: Count,
  filled_auctions: Count,
  wins: Count,
  impressions: Count,
  clicks: Count,
  gross_cpm_micros: Sum,
  payout_cpm_micros: Sum,
});
export type Totals = Static<typeof TotalsSchema>;

/** All that the store says of a day. */
export const StoreSideSchema = Type.Object({
  /** How far each segment of the node has been loaded. */
  offsets: Type.Record(Type.String(), Count),
  /** Nodes with a batch that was begun and not finished: it may be there in part. */
  unfinished: Type.Array(Type.String()),
  /** What is in quarantine of the node: acknowledged, and in no table. */
  held: Type.Array(
    Type.Object({ id: Type.String(), at: Type.String(), parts: Type.Array(HeldPartSchema) }),
  ),
  digests: Type.Array(DigestSchema),
  metrics: Type.Array(MetricSchema),
  duplicates: Type.Array(DuplicatesSchema),
  notices: Type.Array(NoticesSchema),
  totals: TotalsSchema,
});
export type StoreSide = Static<typeof StoreSideSchema>;
