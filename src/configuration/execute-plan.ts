import { type Transaction, sql } from 'kysely';
import type { TimeSlices } from '../base/slices.ts';
import type { SnapshotVersion } from '../snapshot/snapshot.ts';
import { fieldChanges, writeAudits, type Actor } from './audit.ts';
import { endAccessOfTheBarred } from './end-access.ts';
import { insertRows } from './insert-rows.ts';
import type { Cell, Plan, Write } from './plan.ts';
import type { Database } from './schema.ts';
import { raiseVersion } from './version.ts';

export interface Execution {
  /** Where others must be answered meanwhile. */
  readonly slices?: TimeSlices;
  readonly actor: Actor;
  readonly nowMs: number;
  /** The hash of a secret that a write sets; only called for writes that have one. */
  readonly hashOf: (write: Write) => Promise<string>;
}

/** What is paused or archived of these keeps people from signing in. */
const BARRING: ReadonlySet<string> = new Set(['users', 'demand_partners', 'publishers']);

/**
 * Carries out a plan without findings, in the transaction whose state it was made from, and notes
 * who did it. A plan without writes changes nothing, not even the version.
 */
export async function executePlan(
  transaction: Transaction<Database>,
  plan: Plan,
  { actor, nowMs, hashOf, slices }: Execution,
): Promise<SnapshotVersion> {
  if (plan.writes.length === 0) return plan.state.version;
  for (const run of runsOf(plan.writes)) {
    const rows = await Promise.all(
      run.map(async (write) =>
        columnsOf(write, write.secret === undefined ? undefined : await hashOf(write), nowMs),
      ),
    );
    await writeRun(transaction, run, rows);
    if (slices?.isOver === true) await slices.next();
  }
  const entries = plan.writes.map(({ action, noun, name, before, after }) => ({
    action,
    resource: noun,
    resourceId: name,
    changes: fieldChanges(before, after),
  }));
  await writeAudits(transaction, entries, { actor, nowMs });
  const mayBar = ({ table }: Write): boolean => BARRING.has(table);
  if (plan.writes.some(mayBar)) await endAccessOfTheBarred(transaction, { actor, nowMs });
  return raiseVersion(transaction);
}

type Columns = ReadonlyMap<string, Cell>;

/** Writes that stand one after the other and go into one statement: new rows of one table. */
function runsOf(writes: readonly Write[]): readonly Write[][] {
  const runs: Write[][] = [];
  for (const write of writes) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isMore = last !== undefined && write.action === 'created' && last.action === 'created';
    if (run !== undefined && isMore && write.table === last.table) run.push(write);
    else runs.push([write]);
  }
  return runs;
}

/** @param secretHash for the column that holds a secret, if the write has one. */
function columnsOf(write: Write, secretHash: string | undefined, nowMs: number): Columns {
  const columns = new Map<string, Cell>(write.columns);
  if (write.secret !== undefined) {
    if (secretHash === undefined) throw new Error('a secret was not hashed before it is written');
    columns.set(write.secret.column, secretHash);
  }
  columns.set('updated_at', nowMs);
  if (write.action === 'created') columns.set('created_at', nowMs);
  return columns;
}

async function writeRun(
  transaction: Transaction<Database>,
  run: readonly Write[],
  rows: readonly Columns[],
): Promise<void> {
  const [write, columns] = [run[0], rows[0]];
  if (write === undefined || columns === undefined) return;
  if (write.action === 'created') {
    const names = [...columns.keys()];
    const values = rows.map((row) => names.map((name) => row.get(name)));
    await insertRows(transaction, write.table, values, names);
    return;
  }
  const [keyColumn, key] = write.key;
  const changes = [...columns].map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const condition = sql`${sql.ref(keyColumn)} = ${key}`;
  await sql`update ${sql.table(write.table)} set ${sql.join(changes)} where ${condition}`.execute(
    transaction,
  );
}
