import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { TimeSlices } from '../base/slices.ts';
import { executePlan } from './execute-plan.ts';
import { noSecrets, type ChangedBy } from './change.ts';
import type { Finding } from './finding.ts';
import { loadKnownState, rememberState } from './known-state.ts';
import { Plan } from './plan.ts';
import { checkDeals } from './resources/deal.ts';
import { checkSeats } from './resources/line-item.ts';
import type { Database } from './schema.ts';

/** Plans one into what the store holds and those before it have made; its findings begin with its number. */
export type PlanOne = (plan: Plan, index: number) => void;

/** How many changes are planned, each for itself, and what they answer with. */
export interface ChangeOfEach<Result> {
  readonly count: number;
  /** Reads what planning takes. */
  readonly prepare: (transaction: Transaction<Database>) => Promise<PlanOne>;
  /** Reads what has become of all, in the same transaction. */
  readonly read: (
    transaction: Transaction<Database>,
    refused: ReadonlyMap<number, readonly Finding[]>,
  ) => Promise<Result>;
}

/**
 * Makes many changes of the configuration in one transaction, by the rules that hold for files as well.
 * Of one that breaks a rule nothing is made, and of the others everything. Others are answered between
 * slices of the work.
 *
 * @throws whatever `change` throws; then nothing has changed.
 */
export async function changeEach<Result>(
  db: Kysely<Database>,
  { actor, nowMs }: ChangedBy,
  change: ChangeOfEach<Result>,
): Promise<Result> {
  const { state, version, result } = await db.transaction().execute(async (transaction) => {
    const slices = new TimeSlices(() => nextTurn());
    const refused = new Map<number, readonly Finding[]>();
    const planOne = await change.prepare(transaction);
    let plan: Plan;
    do {
      plan = new Plan(await loadKnownState(db, transaction));
      for (let index = 0; index < change.count; index += 1) {
        if (!refused.has(index)) planOne(plan, index);
        if (slices.isOver) await slices.next();
      }
      checkTogether(plan);
    } while (refuse(plan, change.count, refused));
    const execution = { actor, nowMs, hashOf: noSecrets, slices };
    const raised = await executePlan(transaction, plan, execution);
    return { state: plan.state, version: raised, result: await change.read(transaction, refused) };
  });
  rememberState(db, state, version);
  return result;
}

/** What one that is refused has planned must not be held against another: those are left out first. */
function checkTogether(plan: Plan): void {
  if (plan.findings.length > 0) return;
  checkSeats(plan);
  checkDeals(plan, NOTHING_NAMED);
}

const NOTHING_NAMED = { adSpaces: new Set<unknown>(), seats: new Set<unknown>() };

/** Leaves out what a plan has found fault with: all, where it does not say with which. */
function refuse(plan: Plan, count: number, refused: Map<number, readonly Finding[]>): boolean {
  const all = Array.from({ length: count }, (_, index) => index);
  for (const finding of plan.findings) {
    const [index] = finding.path;
    for (const each of typeof index === 'number' ? [index] : all) {
      refused.set(each, [...(refused.get(each) ?? []), finding]);
    }
  }
  return plan.findings.length > 0;
}
