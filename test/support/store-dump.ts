import { sql, type Kysely } from 'kysely';
import type { Database } from '../../src/configuration/schema.ts';

/**
 * All rows of a store as one text, but for when tokens were used: what a request changed shows in the
 * difference, and a secret that is in there is found.
 */
export async function dumpStore(db: Kysely<Database>): Promise<string> {
  const tables = await tablesOf(db);
  const lines: string[] = [];
  // In no order but that of the texts: PostgreSQL has rows that were changed elsewhere than before.
  for (const name of tables) {
    // One connection: one query after the other.
    // oxlint-disable-next-line no-await-in-loop
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    for (const row of rows) {
      const told = JSON.stringify(row, (key, value) => (key === 'last_used_at' ? null : value));
      lines.push(`${name} ${told}`);
    }
  }
  return lines.toSorted().join('\n');
}

/** No test that dumps a store changes its tables, and to ask for them costs as much as all rows. */
const TABLES = new WeakMap<Kysely<Database>, readonly string[]>();

async function tablesOf(db: Kysely<Database>): Promise<readonly string[]> {
  const known = TABLES.get(db);
  if (known !== undefined) return known;
  const tables = (await db.introspection.getTables()).map(({ name }) => name);
  TABLES.set(db, tables);
  return tables;
}
