import { sql, type Kysely } from 'kysely';
import type { SnapshotVersion } from '../snapshot/snapshot.ts';
import type { Database } from './schema.ts';
import { readVersion } from './version.ts';

/** A row as the rules see it. */
export type Row<Table extends keyof Database> = Omit<Database[Table], 'created_at' | 'updated_at'>;

/** The resources that the exchange works with, by their ids. */
export interface Resources {
  readonly version: SnapshotVersion;
  exchange: Row<'exchange_settings'> | undefined;
  readonly demandPartners: Map<number, Row<'demand_partners'>>;
  /** The ids of demand partners that the operator has stopped. */
  readonly stoppedBidders: ReadonlySet<number>;
  /** By the id of their demand partner. */
  readonly bidders: Map<number, Row<'bidders'>>;
  readonly lineItems: Map<number, Row<'line_items'>>;
  readonly publishers: Map<number, Row<'publishers'>>;
  readonly properties: Map<number, Row<'properties'>>;
  readonly adSpaces: Map<number, Row<'ad_spaces'>>;
  readonly deals: Map<string, Row<'deals'>>;
}

/** Who may use the exchange, and what they prove it with. */
export interface Identities {
  /** By e-mail address. */
  readonly users: Map<string, Row<'users'>>;
  /** By client id. */
  readonly applications: Map<string, Row<'applications'>>;
  readonly accounts: Map<number, Row<'accounts'>>;
}

export type State = Resources & Identities;

/** Reads one consistent state, without keeping anybody from writing. */
export async function readOnly<T>(
  db: Kysely<Database>,
  work: (transaction: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute(work);
}

/** Everything of the store, in order of id. Call it within a transaction. */
export async function loadState(transaction: Kysely<Database>): Promise<State> {
  return { ...(await loadResources(transaction)), ...(await loadIdentities(transaction)) };
}

/** Who may use the exchange. Call it within a transaction. */
export async function loadIdentities(transaction: Kysely<Database>): Promise<Identities> {
  const users = await transaction.selectFrom('users').selectAll().execute();
  const applications = await transaction.selectFrom('applications').selectAll().execute();
  const accounts = await transaction.selectFrom('accounts').selectAll().execute();
  return {
    users: new Map(users.map((row) => [row.email, row])),
    applications: new Map(applications.map((row) => [row.client_id, row])),
    accounts: new Map(accounts.map((row) => [row.id, row])),
  };
}

/**
 * What the exchange works with, in order of id. Call it within a transaction.
 *
 * @param pause runs between two parts of what may be much.
 */
export async function loadResources(
  transaction: Kysely<Database>,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<Resources> {
  const version = await readVersion(transaction);
  const exchange = await transaction.selectFrom('exchange_settings').selectAll().executeTakeFirst();
  const stopped = await transaction
    .selectFrom('stopped_bidders')
    .select('demand_partner_id')
    .execute();
  const rowsOf = async <Table extends LargeTable, Key extends keyof Row<Table>>(
    table: Table,
    key: Key & string,
  ): Promise<Map<Row<Table>[Key], Row<Table>>> => {
    const rows = new Map<Row<Table>[Key], Row<Table>>();
    let part: readonly Row<Table>[] = [];
    do {
      part = await loadPart<Table>(transaction, table, { key, last: part.at(-1)?.[key] });
      for (const row of part) rows.set(row[key], row);
      await pause();
    } while (part.length === PART_ROWS);
    return rows;
  };
  return {
    version,
    exchange,
    stoppedBidders: new Set(stopped.map((row) => row.demand_partner_id)),
    demandPartners: await rowsOf('demand_partners', 'id'),
    bidders: await rowsOf('bidders', 'demand_partner_id'),
    lineItems: await rowsOf('line_items', 'id'),
    publishers: await rowsOf('publishers', 'id'),
    properties: await rowsOf('properties', 'id'),
    adSpaces: await rowsOf('ad_spaces', 'id'),
    deals: await rowsOf('deals', 'id'),
  };
}

type LargeTable =
  | 'demand_partners'
  | 'bidders'
  | 'line_items'
  | 'publishers'
  | 'properties'
  | 'ad_spaces'
  | 'deals';

/** Rows that are read at once: some milliseconds. */
const PART_ROWS = 500;

/** The rows of a table that come next in the order of their ids. */
async function loadPart<Table extends LargeTable>(
  transaction: Kysely<Database>,
  table: Table,
  { key, last }: { readonly key: string; readonly last: unknown },
): Promise<readonly Row<Table>[]> {
  const after = last === undefined ? sql`1 = 1` : sql`${sql.ref(key)} > ${last}`;
  const { rows } = await sql<Row<Table>>`
    select * from ${sql.table(table)} where ${after} order by ${sql.ref(key)} limit ${PART_ROWS}
  `.execute(transaction);
  return rows;
}
