import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from './schema.ts';

/** The tables whose rows are resources with times of their own. */
export type ResourceTable =
  | 'demand_partners'
  | 'bidders'
  | 'line_items'
  | 'publishers'
  | 'properties'
  | 'ad_spaces'
  | 'deals'
  | 'creative_reviews'
  | 'users'
  | 'applications'
  | 'subscriptions'
  | 'deliveries';

/** What is told of a row beside its columns, by name: expressions over the row. */
export type Computed<Extra extends object> = {
  readonly [Name in keyof Extra]: RawBuilder<Extra[Name]>;
};

/** The rows of a table that somebody may see: an owner stands in every query. */
export interface Rows<Table extends ResourceTable, Extra extends object = object> {
  readonly table: Table;
  readonly key: keyof Database[Table] & string;
  /** A condition that no row of another owner fulfils. */
  readonly within: RawBuilder<unknown>;
  readonly computed?: Computed<Extra>;
}

/** A part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** A column of the table; null for the order of ids. */
  readonly sort: { readonly column: string; readonly descending: boolean } | null;
}

/** A condition that everything fulfils: for operators, to whom all belongs. */
export const EVERYTHING: RawBuilder<unknown> = sql`1 = 1`;

/** One row with its times; null where there is none, and where it is another's. */
export async function findRow<Table extends ResourceTable, Extra extends object>(
  db: Kysely<Database>,
  rowsOf: Rows<Table, Extra>,
  id: string | number,
): Promise<(Database[Table] & Extra) | null> {
  const { table, key, within } = rowsOf;
  const { rows } = await sql<Database[Table] & Extra>`
    select ${columnsOf(rowsOf)} from ${sql.table(table)} where ${sql.ref(key)} = ${id} and ${within}
  `.execute(db);
  return rows[0] ?? null;
}

/** How many rows somebody may see. */
export async function countRows<Table extends ResourceTable>(
  db: Kysely<Database>,
  { table, within }: Pick<Rows<Table>, 'table' | 'within'>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${sql.table(table)} where ${within}
  `.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * The rows of a page, and how many there are in all.
 *
 * @param filters columns, or what is computed, with the values that they must have; both come from a
 *   schema.
 */
export async function listRows<Table extends ResourceTable, Extra extends object>(
  db: Kysely<Database>,
  rowsOf: Rows<Table, Extra>,
  {
    page,
    filters,
  }: { readonly page: Page; readonly filters: ReadonlyMap<string, string | number> },
): Promise<{ readonly rows: readonly (Database[Table] & Extra)[]; readonly total: number }> {
  const { table, key, within } = rowsOf;
  const computed = computedOf(rowsOf);
  const conditions = [...filters].map(
    ([name, value]) => sql`${computed.get(name) ?? sql.ref(name)} = ${value}`,
  );
  const where = sql.join([within, ...conditions], sql` and `);
  const total = await countRows(db, { table, within: where });
  const { sort, limit, offset } = page;
  const by = (column: string): RawBuilder<unknown> => sortKey(db, table, column);
  const order = sort === null ? [] : [sql`${by(sort.column)} ${direction(sort.descending)}`];
  const { rows } = await sql<Database[Table] & Extra>`
    select ${columnsOf(rowsOf)} from ${sql.table(table)} where ${where}
    order by ${sql.join([...order, by(key)])}
    limit ${limit} offset ${offset}
  `.execute(db);
  return { rows, total };
}

interface Source {
  readonly table: ResourceTable;
  readonly computed?: object;
}

/** All columns of the table, then what is computed. */
function columnsOf(rows: Source): RawBuilder<unknown> {
  const extras = [...computedOf(rows)].map(([name, value]) => sql`${value} as ${sql.ref(name)}`);
  return sql.join([sql`${sql.table(rows.table)}.*`, ...extras]);
}

function computedOf({ computed }: Source): Map<string, RawBuilder<unknown>> {
  return new Map<string, RawBuilder<unknown>>(Object.entries(computed ?? {}));
}

/** Of those that lists are sorted by; the others hold numbers. */
const TEXT_COLUMNS: ReadonlySet<string> = new Set([
  'name',
  'email',
  'status',
  'type',
  'client_id',
  'deals.id',
]);

/**
 * A column to sort by. Texts go by their characters' numbers on both kinds of stores; PostgreSQL's own
 * order is that of the language that its database was made with.
 */
function sortKey(db: Kysely<Database>, table: ResourceTable, column: string): RawBuilder<unknown> {
  const isText = TEXT_COLUMNS.has(column) || TEXT_COLUMNS.has(`${table}.${column}`);
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  return isText && isPostgres ? sql`${sql.ref(column)} collate "C"` : sql.ref(column);
}

function direction(descending: boolean): RawBuilder<unknown> {
  return descending ? sql`desc` : sql`asc`;
}
