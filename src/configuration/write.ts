import { sql, type Transaction } from 'kysely';
import type { Write } from './plan.ts';
import type { Database } from './schema.ts';

/**
 * Carries out a planned write.
 *
 * @param secretHash for the column that holds a secret, if the write has one.
 */
export async function executeWrite(
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
