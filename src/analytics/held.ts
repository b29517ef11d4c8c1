import Type, { type Static } from 'typebox';

const Count = Type.Integer({ minimum: 0 });

/** Records that stand side by side, or a damaged place. */
export const HeldPartSchema = Type.Object({
  /** The store refused records, or the journal was damaged before they were offered. */
  cause: Type.Union([Type.Literal('refused'), Type.Literal('damaged')]),
  reason: Type.String(),
  segment: Type.String(),
  /** Byte offsets in the segment. */
  start: Count,
  end: Count,
  /** Of refused records: how many. */
  records: Count,
  /** Of damage: how many records are lost here. */
  missing: Count,
  /** So many bytes of the entry are of this part. */
  bytes: Count,
});
export type HeldPart = Static<typeof HeldPartSchema>;

/** What of one batch was not loaded. */
export const HeldSchema = Type.Object({
  /** The first digits of the token. */
  id: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  /** Of the batch. */
  token: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  at: Type.String(),
  /** Incarnation of the node's data directory. */
  node: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  stream: Type.Union([Type.Literal('money'), Type.Literal('trace')]),
  /** The version of the records. */
  schema: Type.Integer({ minimum: 1 }),
  parts: Type.Array(HeldPartSchema),
  /** How often its records were tried again, and while one try is unfinished, what that has refused. */
  tries: Count,
  trying: Type.Union([
    Type.Object({
      refused: Type.Union([
        Type.Array(Type.Object({ from: Count, reason: Type.String() })),
        Type.Null(),
      ]),
    }),
    Type.Null(),
  ]),
});
export type Held = Static<typeof HeldSchema>;

/** How much is held. */
export interface HeldFigures {
  readonly entries: number;
  /** Records that the store refused, and damaged places. */
  readonly refused: number;
  readonly damaged: number;
  /** Records that are lost in these. */
  readonly missing: number;
  /** The first segments of journals that are damaged. */
  readonly damagedSegments: readonly string[];
}

const SEGMENTS_NAMED_MAX = 3;

const ID_DIGITS = 16;

/** The id of the entry for what is left of a batch. */
export function heldIdOf(token: string): string {
  return token.slice(0, ID_DIGITS);
}

export function figuresOf(held: readonly Held[]): HeldFigures {
  const parts = held.flatMap((each) => each.parts);
  const sum = (of: (part: HeldPart) => number): number =>
    parts.reduce((before, part) => before + of(part), 0);
  const damaged = parts.filter(({ cause }) => cause === 'damaged');
  const segments = new Set(damaged.map(({ segment }) => segment));
  return {
    entries: held.length,
    refused: sum(({ records }) => records),
    damaged: damaged.length,
    damagedSegments: [...segments].slice(0, SEGMENTS_NAMED_MAX),
    missing: sum(({ missing }) => missing),
  };
}
