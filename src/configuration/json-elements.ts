import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from './schema.ts';

/**
 * The elements of a list that a column holds as JSON text, as a table `element` with a column
 * `value`: for the `from` of a condition on the row.
 *
 * @param column with its table's name: `deals.seats`.
 */
export function elementsOf(db: Kysely<Database>, column: string): RawBuilder<unknown> {
  const list = sql.ref(column);
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`jsonb_array_elements_text(${list}::jsonb) as element(value)`
    : sql`json_each(${list}) as element`;
}
