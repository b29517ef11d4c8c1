import { randomBytes } from 'node:crypto';
import { sql, type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { AD_SPACE } from '../../resources/ad-space.ts';
import { BIDDER } from '../../resources/bidder.ts';
import { DEAL } from '../../resources/deal.ts';
import { DEMAND_PARTNER } from '../../resources/demand-partner.ts';
import { EXCHANGE } from '../../resources/exchange.ts';
import type { Fields, FieldTable } from '../../resources/field-table.ts';
import { LINE_ITEM } from '../../resources/line-item.ts';
import { APP_FIELDS } from '../../resources/property.ts';
import { PUBLISHER } from '../../resources/publisher.ts';

/**
 * Every table of the configuration store. The column types are those that SQLite and PostgreSQL both
 * know; there is no `down`, since configuration is never dropped. Until the first release the columns
 * of resources are those of their tables of fields; a released migration has to spell them out.
 */
export const schema: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createVersion(db);
    await createExchangeSettings(db);
    await createDemand(db);
    await createSupply(db);
    await createDeals(db);
    await createUsers(db);
    await createApplications(db);
    await createReviews(db);
    await createAuditLog(db);
    await createShipping(db);
    await createCounters(db);
    await createSubscriptions(db);
  },
};

type Table = CreateTableBuilder<string, string>;
type Column = readonly [
  type: 'text' | 'integer' | 'bigint',
  build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder,
];

const TEXT: Column = ['text', (column) => column.notNull()];
const TEXT_OR_NULL: Column = ['text', (column) => column];
const INTEGER: Column = ['integer', (column) => column.notNull()];
const INTEGER_OR_NULL: Column = ['integer', (column) => column];
/** Money, times in milliseconds and counts, which need more than 32 bits. */
const BIGINT: Column = ['bigint', (column) => column.notNull()];
const BIGINT_OR_NULL: Column = ['bigint', (column) => column];
const ID: Column = ['integer', (column) => column.primaryKey()];
const TEXT_KEY: Column = ['text', (column) => column.primaryKey()];
const UNIQUE_TEXT: Column = ['text', (column) => column.notNull().unique()];
/** A table of one row. */
const ONLY_ROW: Column = ['integer', (column) => column.primaryKey().check(sql`id = 1`)];

const STATUS: Column = [
  'text',
  (column) => column.notNull().check(sql`status in ('ACTIVE', 'PAUSED', 'ARCHIVED')`),
];
const TIMESTAMPS = { created_at: BIGINT, updated_at: BIGINT };

/** The columns of a resource's settings. */
function settingsOf({ columns }: Pick<FieldTable<Fields>, 'columns'>): Record<string, Column> {
  return Object.fromEntries(
    columns.map(({ name, type, isNullable }): [string, Column] => [
      name,
      [type, (column) => (isNullable ? column : column.notNull())],
    ]),
  );
}

function of(id: string): Column {
  return ['integer', (column) => column.notNull().references(id)];
}

function maybeOf(id: string): Column {
  return ['integer', (column) => column.references(id)];
}

/** Rows that go with what they belong to. */
function endsWith(id: string): Column {
  return ['integer', (column) => column.notNull().references(id).onDelete('cascade')];
}

async function createVersion(db: Kysely<unknown>): Promise<void> {
  await create(db, 'configuration_version', { id: ONLY_ROW, epoch: TEXT, seq: BIGINT });
  const epoch = randomBytes(8).toString('hex');
  await sql`insert into configuration_version (id, epoch, seq) values (1, ${epoch}, 0)`.execute(db);
}

async function createExchangeSettings(db: Kysely<unknown>): Promise<void> {
  await create(db, 'exchange_settings', { id: ONLY_ROW, ...settingsOf(EXCHANGE), ...TIMESTAMPS });
}

async function createDemand(db: Kysely<unknown>): Promise<void> {
  await create(db, 'demand_partners', {
    id: ID,
    ...settingsOf(DEMAND_PARTNER),
    status: STATUS,
    ...TIMESTAMPS,
  });
  await create(db, 'bidders', {
    demand_partner_id: [
      'integer',
      (column) => column.primaryKey().references('demand_partners.id'),
    ],
    ...settingsOf(BIDDER),
    ...TIMESTAMPS,
  });
  // The operator's stop has a table of its own, so that no file which is applied touches it.
  await create(db, 'stopped_bidders', {
    demand_partner_id: [
      'integer',
      (column) => column.primaryKey().references('demand_partners.id'),
    ],
    reason: TEXT,
    stopped_at: BIGINT,
  });
  await create(db, 'line_items', {
    id: ID,
    demand_partner_id: of('demand_partners.id'),
    ...settingsOf(LINE_ITEM),
    status: STATUS,
    ...TIMESTAMPS,
  });
  await index(db, 'line_items', 'demand_partner_id');
}

async function createSupply(db: Kysely<unknown>): Promise<void> {
  await create(db, 'publishers', {
    id: ID,
    ...settingsOf(PUBLISHER),
    status: STATUS,
    ...TIMESTAMPS,
  });
  await create(db, 'properties', {
    id: ID,
    publisher_id: of('publishers.id'),
    type: TEXT,
    ...settingsOf(APP_FIELDS),
    status: STATUS,
    ...TIMESTAMPS,
  });
  await index(db, 'properties', 'publisher_id');
  await create(db, 'ad_spaces', {
    id: ID,
    property_id: of('properties.id'),
    ...settingsOf(AD_SPACE),
    status: STATUS,
    ...TIMESTAMPS,
  });
  await index(db, 'ad_spaces', 'property_id');
}

async function createDeals(db: Kysely<unknown>): Promise<void> {
  await create(db, 'deals', {
    id: TEXT_KEY,
    ...settingsOf(DEAL),
    floor_micros: BIGINT,
    ...TIMESTAMPS,
  });
}

async function createUsers(db: Kysely<unknown>): Promise<void> {
  const users = {
    id: ID,
    email: UNIQUE_TEXT,
    role: TEXT,
    demand_partner_id: maybeOf('demand_partners.id'),
    publisher_id: maybeOf('publishers.id'),
    status: TEXT,
    password_hash: TEXT_OR_NULL,
    ...TIMESTAMPS,
  };
  await create(db, 'users', users, (table) =>
    table.addCheckConstraint(
      'users_belong_to_their_role',
      sql`(role = 'DEMAND_PARTNER') = (demand_partner_id is not null)
        and (role = 'PUBLISHER') = (publisher_id is not null)`,
    ),
  );
  await index(db, 'users', 'demand_partner_id');
  await index(db, 'users', 'publisher_id');
  await create(db, 'second_factors', {
    user_id: [
      'integer',
      (column) => column.primaryKey().references('users.id').onDelete('cascade'),
    ],
    secret: TEXT,
    last_step: BIGINT,
    created_at: BIGINT,
    confirmed_at: BIGINT_OR_NULL,
  });
  await create(db, 'sessions', {
    session_hash: TEXT_KEY,
    user_id: endsWith('users.id'),
    created_at: BIGINT,
    expires_at: BIGINT,
    last_used_at: BIGINT,
  });
  await index(db, 'sessions', 'user_id', 'created_at');
  await create(db, 'one_time_links', {
    token_hash: TEXT_KEY,
    user_id: ['integer', (column) => column.references('users.id').onDelete('cascade')],
    purpose: TEXT,
    created_at: BIGINT,
    expires_at: BIGINT,
  });
}

async function createApplications(db: Kysely<unknown>): Promise<void> {
  await create(db, 'applications', {
    id: ID,
    user_id: of('users.id'),
    name: TEXT,
    client_id: UNIQUE_TEXT,
    secret_hash: TEXT,
    previous_secret_hash: TEXT_OR_NULL,
    previous_secret_until: BIGINT_OR_NULL,
    ...TIMESTAMPS,
  });
  await index(db, 'applications', 'user_id');
  await create(db, 'access_tokens', {
    token_hash: TEXT_KEY,
    token_prefix: TEXT,
    application_id: endsWith('applications.id'),
    scope: TEXT,
    created_at: BIGINT,
    expires_at: BIGINT,
    last_used_at: BIGINT_OR_NULL,
  });
  await index(db, 'access_tokens', 'application_id', 'created_at');
  await index(db, 'access_tokens', 'expires_at');
  const accounts = {
    id: ID,
    demand_partner_id: uniqueOf('demand_partners.id'),
    publisher_id: uniqueOf('publishers.id'),
    token_hash: UNIQUE_TEXT,
    token_prefix: TEXT,
    previous_token_hash: TEXT_OR_NULL,
    previous_token_until: BIGINT_OR_NULL,
    ...TIMESTAMPS,
  };
  await create(db, 'accounts', accounts, (table) =>
    table.addCheckConstraint(
      'accounts_have_one_owner',
      sql`(demand_partner_id is null) <> (publisher_id is null)`,
    ),
  );
}

function uniqueOf(id: string): Column {
  return ['integer', (column) => column.unique().references(id)];
}

/**
 * A review of all publishers or of any partner has 0 for an id, so that the index keeps two reviews of
 * the same from standing side by side.
 */
async function createReviews(db: Kysely<unknown>): Promise<void> {
  const reviews = {
    id: ID,
    publisher_id: INTEGER,
    demand_partner_id: INTEGER,
    target: TEXT,
    value: TEXT,
    verdict: TEXT,
    reason: TEXT,
    created_by: TEXT,
    ...TIMESTAMPS,
  };
  await create(db, 'creative_reviews', reviews, (table) =>
    table
      .addCheckConstraint('creative_reviews_target', sql`target in ('crid', 'domain')`)
      .addCheckConstraint('creative_reviews_verdict', sql`verdict in ('blocked', 'approved')`),
  );
  await db.schema
    .createIndex('creative_reviews_subject')
    .unique()
    .on('creative_reviews')
    .columns(['publisher_id', 'demand_partner_id', 'target', 'value'])
    .execute();
}

async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  await create(db, 'audit_log', {
    id: ['bigint', (column) => column.primaryKey()],
    at: BIGINT,
    actor: TEXT,
    user_id: INTEGER_OR_NULL,
    client_id: TEXT_OR_NULL,
    action: TEXT,
    resource: TEXT,
    resource_id: TEXT,
    changes: TEXT,
  });
  await index(db, 'audit_log', 'resource', 'resource_id');
}

/** What is loaded of each node's journal, and into which analytics stores; see `ports/offset-store.ts`. */
async function createShipping(db: Kysely<unknown>): Promise<void> {
  const offsets = { incarnation: TEXT, segment: TEXT, offset_bytes: BIGINT };
  await create(db, 'segment_offsets', offsets, (table) =>
    table.addPrimaryKeyConstraint('segment_offsets_key', ['incarnation', 'segment']),
  );
  const batches = {
    incarnation: TEXT,
    stream: TEXT,
    token: TEXT,
    place: TEXT,
    manifest: TEXT,
    load_number: BIGINT_OR_NULL,
    records: BIGINT,
  };
  await create(db, 'pending_batches', batches, (table) =>
    table.addPrimaryKeyConstraint('pending_batches_key', ['incarnation', 'stream']),
  );
  const loads = { place: TEXT, stream: TEXT, load_number: BIGINT, records: BIGINT };
  await create(db, 'settled_loads', loads, (table) =>
    table.addPrimaryKeyConstraint('settled_loads_key', ['place', 'load_number']),
  );
  await create(db, 'analytics_stores', { place: TEXT_KEY, id: TEXT, last_loaded: TEXT_OR_NULL });
  await create(db, 'reoffers', { id: ID, asked_at: BIGINT });
}

/** The limits that control has granted (`limits/lease-book.ts`), and who asked for how many reports. */
async function createCounters(db: Kysely<unknown>): Promise<void> {
  await create(db, 'leases', { key: TEXT_KEY, state: TEXT });
  await create(db, 'report_requests', { account: TEXT_KEY, times: TEXT });
  const keys = {
    user_id: INTEGER,
    address: TEXT,
    key: TEXT,
    body_hash: TEXT,
    claimed_at: BIGINT,
    answer: TEXT_OR_NULL,
  };
  await create(db, 'idempotency_keys', keys, (table) =>
    table.addPrimaryKeyConstraint('idempotency_keys_key', ['user_id', 'address', 'key']),
  );
  await index(db, 'idempotency_keys', 'claimed_at');
}

/** Whom the exchange tells what has changed, what it has told of, and what became of it. */
async function createSubscriptions(db: Kysely<unknown>): Promise<void> {
  const columns = {
    id: ID,
    demand_partner_id: maybeOf('demand_partners.id'),
    publisher_id: maybeOf('publishers.id'),
    channel: TEXT,
    name: TEXT,
    address: TEXT,
    events: TEXT,
    status: TEXT,
    secret: TEXT_OR_NULL,
    previous_secret: TEXT_OR_NULL,
    previous_secret_until: BIGINT_OR_NULL,
    ...TIMESTAMPS,
  };
  await create(db, 'subscriptions', columns, (table) =>
    table
      .addCheckConstraint('subscriptions_status', sql`status in ('ACTIVE', 'PAUSED')`)
      .addCheckConstraint(
        'webhooks_have_secrets',
        sql`(channel = 'webhook' and secret is not null) or (channel = 'email' and secret is null)`,
      )
      .addCheckConstraint(
        'subscriptions_have_one_owner',
        sql`demand_partner_id is null or publisher_id is null`,
      ),
  );
  await create(db, 'last_ids', { of: TEXT_KEY, id: BIGINT });
  await create(db, 'sent_mails', { account: TEXT, address: TEXT, sent_at: BIGINT });
  await index(db, 'sent_mails', 'address', 'sent_at');
  await index(db, 'sent_mails', 'account', 'sent_at');
  await index(db, 'sent_mails', 'sent_at');
  await create(db, 'conditions', {
    key: TEXT_KEY,
    kind: TEXT,
    told_at: BIGINT,
    condition: TEXT,
  });
  await create(db, 'deliveries', {
    id: TEXT_KEY,
    subscription_id: endsWith('subscriptions.id'),
    type: TEXT,
    event_id: TEXT,
    body: TEXT,
    state: TEXT,
    tries: INTEGER,
    created_at: BIGINT,
    next_try_at: BIGINT_OR_NULL,
    tried_at: BIGINT_OR_NULL,
    answer_status: INTEGER_OR_NULL,
    failure: TEXT_OR_NULL,
  });
  await index(db, 'deliveries', 'subscription_id', 'created_at');
  await index(db, 'deliveries', 'next_try_at');
}

async function create(
  db: Kysely<unknown>,
  name: string,
  columns: Readonly<Record<string, Column>>,
  constrain: (table: Table) => Table = (table) => table,
): Promise<void> {
  let table: Table = db.schema.createTable(name);
  for (const [column, [type, build]] of Object.entries(columns)) {
    table = table.addColumn(column, type, build);
  }
  await constrain(table).execute();
}

async function index(
  db: Kysely<unknown>,
  table: string,
  ...columns: [string, ...string[]]
): Promise<void> {
  await db.schema.createIndex(`${table}_${columns[0]}`).on(table).columns(columns).execute();
}
