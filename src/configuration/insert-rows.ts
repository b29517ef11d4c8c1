import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Rows in one statement: both dialects bound the number of values, a row has up to 30. */
export const ROWS_MAX = 500;

/** Inserts rows in as few statements as they can be. All have the columns of the first. */
export async function insertRows(
  db: Kysely<Database>,
  table: keyof Database,
  rows: readonly (readonly unknown[])[],
  columns: readonly string[],
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  for (let start = 0; start < rows.length; start += ROWS_MAX) {
    const values = rows.slice(start, start + ROWS_MAX).map((row) => sql`(${sql.join(row)})`);
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(db);
  }
}
