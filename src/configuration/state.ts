import type { Kysely } from 'kysely';
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

/** What the exchange works with, in order of id. Call it within a transaction. */
export async function loadResources(transaction: Kysely<Database>): Promise<Resources> {
  const version = await readVersion(transaction);
  const exchange = await transaction.selectFrom('exchange_settings').selectAll().executeTakeFirst();
  const bidders = await transaction
    .selectFrom('bidders')
    .selectAll()
    .orderBy('demand_partner_id')
    .execute();
  const stopped = await transaction
    .selectFrom('stopped_bidders')
    .select('demand_partner_id')
    .execute();
  return {
    version,
    exchange,
    stoppedBidders: new Set(stopped.map((row) => row.demand_partner_id)),
    demandPartners: await loadById(transaction.selectFrom('demand_partners').selectAll()),
    bidders: new Map(bidders.map((row) => [row.demand_partner_id, row])),
    lineItems: await loadById(transaction.selectFrom('line_items').selectAll()),
    publishers: await loadById(transaction.selectFrom('publishers').selectAll()),
    properties: await loadById(transaction.selectFrom('properties').selectAll()),
    adSpaces: await loadById(transaction.selectFrom('ad_spaces').selectAll()),
    deals: await loadById(transaction.selectFrom('deals').selectAll()),
  };
}

interface OrderedQuery<T> {
  orderBy(column: 'id'): { execute(): Promise<T[]> };
}

async function loadById<Id, T extends { id: Id }>(query: OrderedQuery<T>): Promise<Map<Id, T>> {
  const rows = await query.orderBy('id').execute();
  return new Map(rows.map((row) => [row.id, row]));
}
