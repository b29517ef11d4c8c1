import { type Transaction, sql } from 'kysely';
import type { SnapshotVersion } from '../snapshot/snapshot.ts';
import { fieldChanges, writeAudit, type Actor } from './audit.ts';
import { endAccessOfTheBarred } from './end-access.ts';
import type { Plan, Write } from './plan.ts';
import type { Database } from './schema.ts';
import { raiseVersion } from './version.ts';

export interface Execution {
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
  { actor, nowMs, hashOf }: Execution,
): Promise<SnapshotVersion> {
  if (plan.writes.length === 0) return plan.state.version;
  for (const write of plan.writes) {
    const secretHash = write.secret === undefined ? undefined : await hashOf(write);
    await executeWrite(transaction, write, { secretHash, nowMs });
    const { action, noun, name, before, after } = write;
    const changes = fieldChanges(before, after);
    const entry = { action, resource: noun, resourceId: name, changes };
    await writeAudit(transaction, entry, { actor, nowMs });
  }
  const mayBar = ({ table }: Write): boolean => BARRING.has(table);
  if (plan.writes.some(mayBar)) await endAccessOfTheBarred(transaction, { actor, nowMs });
  return raiseVersion(transaction);
}

/**
 * Carries out a planned write.
 *
 * @param secretHash for the column that holds a secret, if the write has one.
 */
async function executeWrite(
  transaction: Transaction<Database>,
  write: Write,
  { secretHash, nowMs }: { readonly secretHash: string | undefined; readonly nowMs: number },
): Promise<void> {
  const columns = new Map<string, string | number | null>(write.columns);
  if (write.secret !== undefined) {
    if (secretHash === undefined) throw new Error('a secret was not hashed before it is written');
    columns.set(write.secret.column, secretHash);
  }
  columns.set('updated_at', nowMs);
  if (write.action === 'created') columns.set('created_at', nowMs);
  const table = sql.table(write.table);
  const names = [...columns.keys()].map((column) => sql.ref(column));
  if (write.action === 'created') {
    const values = sql.join([...columns.values()]);
    await sql`insert into ${table} (${sql.join(names)}) values (${values})`.execute(transaction);
  } else {
    const [keyColumn, key] = write.key;
    const changes = [...columns].map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    const condition = sql`${sql.ref(keyColumn)} = ${key}`;
    await sql`update ${table} set ${sql.join(changes)} where ${condition}`.execute(transaction);
  }
}
