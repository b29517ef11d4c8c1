import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { type Amount, finiteOrNull, nullAsInfinity } from './amount.ts';
import { type BudgetGrant, createGrant } from './budget-grant.ts';
import { BudgetLine } from './budget-line.ts';

/** A row of the store. Null removes it. */
export interface SavedLeases {
  /** `book`, `node INCARNATION`, `rate KEY` or `budget LINEITEM`. */
  readonly key: string;
  /** JSON. */
  readonly state: string | null;
}

const Limit = Type.Union([Type.Number(), Type.Null()]);

const SavedBook = Compile(
  Type.Object({
    /** How often control has started. */
    epoch: Type.Integer({ minimum: 0 }),
    /** How often it has saved since then; missing in older rows. */
    saves: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
);

const SavedNode = Compile(
  Type.Object({
    workers: Type.Integer({ minimum: 0 }),
    settledMs: Type.Number(),
    /** The base shares that were handed out, by worker. */
    base: Type.Array(Type.Tuple([Type.Integer(), Type.Number()])),
    /** Who may go by leases of a worker's place, and how new that word is; missing in older rows. */
    places: Type.Optional(
      Type.Array(Type.Tuple([Type.Integer(), Type.Number(), Type.Array(Type.String())])),
    ),
  }),
);

const SavedRate = Compile(
  Type.Array(Type.Object({ node: Type.String(), worker: Type.Integer(), share: Type.Number() })),
);

const SavedBudgetSchema = Type.Object({
  known: Type.Boolean(),
  date: Type.String(),
  /** Node, impressions, micros. */
  billed: Type.Array(Type.Tuple([Type.String(), Type.Number(), Type.Number()])),
  grants: Type.Array(
    Type.Object({
      process: Type.String(),
      node: Type.String(),
      date: Type.String(),
      /** Impressions, micros. */
      granted: Type.Tuple([Limit, Limit]),
      committed: Type.Tuple([Limit, Limit]),
      reserved: Type.Tuple([Type.Number(), Type.Number()]),
      dearest: Type.Number(),
      /** When it expires, impressions, micros. */
      open: Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number()])),
      gone: Limit,
      left: Type.Boolean(),
    }),
  ),
});
const SavedBudget = Compile(SavedBudgetSchema);
type SavedGrant = Static<typeof SavedBudgetSchema>['grants'][number];

/** These throw when a row is none that was saved: nothing may be granted without knowing it. */
export function readBook(state: string): { readonly epoch: number } {
  return SavedBook.Parse(JSON.parse(state));
}

export function readNode(state: string): {
  readonly workers: number;
  readonly settledMs: number;
  readonly base: readonly (readonly [worker: number, share: number])[];
  readonly places?: readonly (readonly [
    worker: number,
    changed: number,
    processes: readonly string[],
  ])[];
} {
  return SavedNode.Parse(JSON.parse(state));
}

export function readRate(
  state: string,
): readonly { readonly node: string; readonly worker: number; readonly share: number }[] {
  return SavedRate.Parse(JSON.parse(state));
}

export function readLine(lineItemId: number, state: string, nowMs: number): BudgetLine {
  const { known, date, billed, grants } = SavedBudget.Parse(JSON.parse(state));
  const line = new BudgetLine(lineItemId);
  line.isKnown = known;
  line.billedDate = date;
  for (const [node, impressions, micros] of billed) line.billed.set(node, { impressions, micros });
  for (const saved of grants) line.grants.set(saved.process, readGrant(saved, nowMs));
  return line;
}

function readGrant(saved: SavedGrant, nowMs: number): BudgetGrant {
  const [impressions, micros] = saved.reserved;
  return {
    ...createGrant(saved.process, saved.node, nowMs),
    date: saved.date,
    granted: readAmount(saved.granted),
    committed: readAmount(saved.committed),
    reserved: { impressions, micros },
    dearestMicros: saved.dearest,
    open: saved.open.map(([untilMs, openImpressions, openMicros]) => ({
      untilMs,
      impressions: openImpressions,
      micros: openMicros,
    })),
    goneUntilMs: saved.gone,
    hasLeft: saved.left,
  };
}

function readAmount([impressions, micros]: readonly [number | null, number | null]): Amount {
  return { impressions: nullAsInfinity(impressions), micros: nullAsInfinity(micros) };
}

/** Null for a line item of which nothing has to be remembered. */
export function writeLine(line: BudgetLine): string | null {
  if (line.cap === null && line.grants.size === 0) return null;
  const saved: Static<typeof SavedBudgetSchema> = {
    known: line.isKnown,
    date: line.billedDate,
    billed: [...line.billed].map(([node, { impressions, micros }]) => [node, impressions, micros]),
    grants: [...line.grants.values()].map(writeGrant),
  };
  return JSON.stringify(saved);
}

function writeGrant(grant: BudgetGrant): SavedGrant {
  return {
    process: grant.process,
    node: grant.node,
    date: grant.date,
    granted: writeAmount(grant.granted),
    committed: writeAmount(grant.committed),
    reserved: [grant.reserved.impressions, grant.reserved.micros],
    dearest: grant.dearestMicros,
    open: grant.open.map(({ untilMs, impressions, micros }) => [untilMs, impressions, micros]),
    gone: grant.goneUntilMs,
    left: grant.hasLeft,
  };
}

function writeAmount({ impressions, micros }: Amount): [number | null, number | null] {
  return [finiteOrNull(impressions), finiteOrNull(micros)];
}
