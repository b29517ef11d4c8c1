import type { Kysely, Transaction } from 'kysely';
import type { SnapshotVersion } from '../snapshot/snapshot.ts';
import type { Actor } from './audit.ts';
import { executePlan } from './execute-plan.ts';
import type { Finding } from './finding.ts';
import { loadKnownState, rememberState } from './known-state.ts';
import { Plan } from './plan.ts';
import { checkDeals } from './resources/deal.ts';
import { checkSeats } from './resources/line-item.ts';
import type { Database } from './schema.ts';
import type { State } from './state.ts';

/** What a change came to. Findings tell what is wrong; of such a change nothing was made. */
export type Changed<Result> =
  | { readonly ok: true; readonly result: Result; readonly version: SnapshotVersion }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** How one change is planned, and what it answers with once it is made. */
export interface Change<Planned, Result> {
  /** Plans into what the store holds. Throw to change nothing. */
  readonly plan: (plan: Plan, transaction: Transaction<Database>) => Promise<Planned> | Planned;
  /** Reads what has become of it, in the same transaction. */
  readonly read: (transaction: Transaction<Database>, planned: Planned) => Promise<Result>;
}

export interface ChangedBy {
  readonly actor: Actor;
  readonly nowMs: number;
}

const NOTHING_NAMED = { adSpaces: new Set<unknown>(), seats: new Set<unknown>() };

/**
 * Changes the configuration by the rules that hold for files as well, in one transaction, and notes
 * in the audit log who did it.
 *
 * @throws whatever the plan throws; then nothing has changed.
 */
export async function changeConfiguration<Planned, Result>(
  db: Kysely<Database>,
  { actor, nowMs }: ChangedBy,
  { plan: planInto, read }: Change<Planned, Result>,
): Promise<Changed<Result>> {
  let state: State | null = null;
  const changed = await db.transaction().execute(async (transaction): Promise<Changed<Result>> => {
    const plan = new Plan(await loadKnownState(db, transaction));
    const planned = await planInto(plan, transaction);
    checkSeats(plan);
    checkDeals(plan, NOTHING_NAMED);
    if (plan.findings.length > 0) return { ok: false, findings: plan.findings };
    const version = await executePlan(transaction, plan, { actor, nowMs, hashOf: noSecrets });
    ({ state } = plan);
    return { ok: true, result: await read(transaction, planned), version };
  });
  if (changed.ok && state !== null) rememberState(db, state, changed.version);
  return changed;
}

/** Hashing takes long; it is no work for a transaction that keeps others from writing. */
export function noSecrets(): never {
  throw new Error('a change of the configuration sets no secret');
}
