import { randomBytes } from 'node:crypto';
import { sql, type CreateTableBuilder, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The resources of the exchange, their users, and the version of it all. The column types are those
 * that SQLite and PostgreSQL both know; there is no `down`, since configuration is never dropped.
 */
export const resources: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createVersion(db);
    await createExchangeSettings(db);
    await createDemand(db);
    await createSupply(db);
    await createDeals(db);
    await createIdentity(db);
  },
};

async function createVersion(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('configuration_version')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('epoch', 'text', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .execute();
  const epoch = randomBytes(8).toString('hex');
  await sql`insert into configuration_version (id, epoch, seq) values (1, ${epoch}, 0)`.execute(db);
}

async function createExchangeSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('exchange_settings')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('allow_private_addresses', 'text', (column) => column.notNull())
    .addColumn('tmax_default_ms', 'integer', (column) => column.notNull())
    .addColumn('tmax_max_ms', 'integer', (column) => column.notNull())
    .addColumn('trace_share_bps', 'integer', (column) => column.notNull())
    .$call(blocking)
    .$call(timestamps)
    .execute();
}

async function createDemand(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('demand_partners').$call(namedResource).$call(timestamps).execute();
  await db.schema
    .createTable('bidders')
    .addColumn('demand_partner_id', 'integer', (column) =>
      column.primaryKey().references('demand_partners.id'),
    )
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('openrtb_version', 'text', (column) => column.notNull())
    .addColumn('timeout_ms', 'integer', (column) => column.notNull())
    .addColumn('max_qps', 'integer')
    .addColumn('send_bidfloor', 'integer', (column) => column.notNull())
    .addColumn('gzip', 'integer', (column) => column.notNull())
    .addColumn('gvl_id', 'integer')
    .$call(timestamps)
    .execute();
  await db.schema
    .createTable('line_items')
    .$call(namedResource)
    .addColumn('demand_partner_id', 'integer', (column) =>
      column.notNull().references('demand_partners.id'),
    )
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('seat', 'text')
    .addColumn('floor_micros', 'bigint', (column) => column.notNull())
    .addColumn('max_qps', 'integer')
    .addColumn('max_daily_impressions', 'bigint')
    .addColumn('max_daily_spend_micros', 'bigint')
    .addColumn('targeting', 'text', (column) => column.notNull())
    .$call(timestamps)
    .execute();
  await index(db, 'line_items', 'demand_partner_id');
}

async function createSupply(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('publishers')
    .$call(namedResource)
    .addColumn('revenue_share_bps', 'integer', (column) => column.notNull())
    .addColumn('price_basis', 'text', (column) => column.notNull())
    .$call(blocking)
    .$call(timestamps)
    .execute();
  await db.schema
    .createTable('properties')
    .$call(namedResource)
    .addColumn('publisher_id', 'integer', (column) => column.notNull().references('publishers.id'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('bundle', 'text')
    .addColumn('domain', 'text')
    .addColumn('platform', 'text')
    .addColumn('storeurl', 'text')
    .addColumn('categories', 'text', (column) => column.notNull())
    .$call(blocking)
    .$call(timestamps)
    .execute();
  await index(db, 'properties', 'publisher_id');
  await db.schema
    .createTable('ad_spaces')
    .$call(namedResource)
    .addColumn('property_id', 'integer', (column) => column.notNull().references('properties.id'))
    .addColumn('banner', 'text')
    .addColumn('video', 'text')
    .addColumn('native', 'text')
    .addColumn('floor_micros', 'bigint', (column) => column.notNull())
    .addColumn('auction_type', 'text', (column) => column.notNull())
    .addColumn('interstitial', 'integer', (column) => column.notNull())
    .addColumn('rewarded', 'integer', (column) => column.notNull())
    .addColumn('pos', 'integer')
    .$call(blocking)
    .$call(timestamps)
    .execute();
  await index(db, 'ad_spaces', 'property_id');
}

async function createDeals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deals')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('floor_micros', 'bigint', (column) => column.notNull())
    .addColumn('ad_spaces', 'text', (column) => column.notNull())
    .addColumn('seats', 'text', (column) => column.notNull())
    .addColumn('advertisers', 'text', (column) => column.notNull())
    .$call(timestamps)
    .execute();
}

async function createIdentity(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('demand_partner_id', 'integer', (column) => column.references('demand_partners.id'))
    .addColumn('publisher_id', 'integer', (column) => column.references('publishers.id'))
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .$call(timestamps)
    .addCheckConstraint(
      'users_belong_to_their_role',
      sql`(role = 'DEMAND_PARTNER') = (demand_partner_id is not null)
        and (role = 'PUBLISHER') = (publisher_id is not null)`,
    )
    .execute();
  await index(db, 'users', 'demand_partner_id');
  await index(db, 'users', 'publisher_id');
  await db.schema
    .createTable('applications')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull().unique())
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .$call(timestamps)
    .execute();
  await index(db, 'applications', 'user_id');
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('demand_partner_id', 'integer', (column) =>
      column.unique().references('demand_partners.id'),
    )
    .addColumn('publisher_id', 'integer', (column) => column.unique().references('publishers.id'))
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('token_prefix', 'text', (column) => column.notNull())
    .$call(timestamps)
    .addCheckConstraint(
      'accounts_have_one_owner',
      sql`(demand_partner_id is null) <> (publisher_id is null)`,
    )
    .execute();
}

/** The columns that every resource with an integer id starts with. */
function namedResource<Table extends string>(table: CreateTableBuilder<Table>) {
  return table
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('ACTIVE', 'PAUSED', 'ARCHIVED')`),
    );
}

function blocking<Table extends string, Columns extends string>(
  table: CreateTableBuilder<Table, Columns>,
) {
  return table
    .addColumn('blocked_categories', 'text', (column) => column.notNull())
    .addColumn('blocked_advertisers', 'text', (column) => column.notNull())
    .addColumn('blocked_apps', 'text', (column) => column.notNull())
    .addColumn('blocked_attributes', 'text', (column) => column.notNull());
}

function timestamps<Table extends string, Columns extends string>(
  table: CreateTableBuilder<Table, Columns>,
) {
  return table
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull());
}

async function index(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  await db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
}
