import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { compileSnapshot } from './compile.ts';
import { migrateConfiguration } from './migrate.ts';
import { traceShipping } from './migrations/0005-trace-shipping.ts';
import {
  emptyPlace,
  openStore,
  openTestStore,
  problemsOf,
  readExample,
} from '../../test/support/configuration-store.ts';
import type { Database } from './schema.ts';
import { readVersion } from './version.ts';

test('an empty store gets its tables and an epoch of its own, at change 0', async (t) => {
  const { db } = await openTestStore(t);
  const { db: other } = await openTestStore(t);
  const version = await readVersion(db);
  assert.match(version.epoch, /^[0-9a-f]{16}$/);
  assert.equal(version.seq, 0);
  assert.notEqual(version.epoch, (await readVersion(other)).epoch);
});

test('a store that is up to date is left as it is', async (t) => {
  const { db } = await openTestStore(t);
  const version = await readVersion(db);
  await migrateConfiguration(db);
  assert.deepEqual(await readVersion(db), version);
});

test('two connections that migrate at the same time agree on one store', async (t) => {
  const path = await emptyPlace(t);
  const others = await Promise.all([1, 2, 3].map(() => openStore(path)));
  t.after(() => Promise.all(others.map((other) => other.destroy())));
  await Promise.all(others.map((other) => migrateConfiguration(other)));
  const epochs = await Promise.all(others.map(async (other) => (await readVersion(other)).epoch));
  assert.equal(new Set(epochs).size, 1);
});

/** Tables that came later. */
const LATER_TABLES = [
  'second_factors',
  'sessions',
  'report_requests',
  'audit_log',
  'one_time_links',
  'stopped_bidders',
  'creative_reviews',
  'access_tokens',
  'leases',
  'analytics_stores',
  'reoffers',
] as const;

/** What migrations have added to tables that were there, newest first. */
const ADDED = [
  ['0019-second-factors', 'exchange_settings', 'require_second_factor'],
  ['0018-seat-non-bids', 'publishers', 'seat_non_bids'],
  ['0015-bidder-headers', 'bidders', 'headers'],
  ['0014-management', 'applications', 'previous_secret_hash, previous_secret_until'],
  ['0014-management', 'accounts', 'previous_token_hash, previous_token_until'],
  [
    '0013-traffic-and-sellers',
    'exchange_settings',
    'tag_id, contact_email, contact_address, invalid_traffic',
  ],
  ['0013-traffic-and-sellers', 'publishers', 'seller_type, invalid_traffic, aliases'],
  ['0012-floors', 'publishers', 'floors'],
  ['0012-floors', 'properties', 'floors'],
  ['0012-floors', 'ad_spaces', 'floors, refresh, backfill'],
  ['0011-user-matching', 'exchange_settings', 'gvl_id'],
  ['0011-user-matching', 'bidders', 'sync_url, sync_type'],
  ['0010-bid-requirements', 'exchange_settings', 'required_bid_fields, adomains_max'],
  ['0009-bidder-health', 'bidders', 'max_concurrency'],
  ['0007-creatives', 'exchange_settings', 'creative_review'],
  ['0007-creatives', 'publishers', 'creative_review'],
  ['0005-trace-bodies', 'exchange_settings', 'trace_bodies_bps'],
  ['0004-request-details', 'exchange_settings', 'domain, payment_id'],
  ['0004-request-details', 'bidders', 'mimes, send_viewability, native_in_ext, interstitial_imps'],
  ['0004-request-details', 'publishers', 'seller_id, domain, categories, hide_names'],
  ['0004-request-details', 'properties', 'languages'],
  ['0004-request-details', 'ad_spaces', 'viewability_bps, exp, iframebusters'],
  ['0003-wins-and-losses', 'publishers', 'confirms_wins'],
  ['0003-wins-and-losses', 'exchange_settings', 'loss_notice_price'],
] as const;

/** The batches under way as they were before traces were shipped. */
async function shipMoneyAlone(db: Kysely<Database>): Promise<void> {
  await sql`drop table pending_batches`.execute(db);
  await sql`create table pending_batches (incarnation text primary key, token text not null, manifest text not null)`.execute(
    db,
  );
}

test('a store from before settings were added goes on as it did', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const before = await compileSnapshot(db);
  for (const table of LATER_TABLES) await db.schema.dropTable(table).execute();
  for (const [, table, columns] of ADDED) {
    for (const column of columns.split(', ')) {
      await sql`alter table ${sql.ref(table)} drop column ${sql.ref(column)}`.execute(db);
    }
  }
  await shipMoneyAlone(db);
  await sql`delete from kysely_migration where name >= '0003'`.execute(db);
  await migrateConfiguration(db);
  const after = await compileSnapshot(db);
  assert.deepEqual(after, before);
  const [exchange] = after.entities;
  assert.ok(exchange?.kind === 'exchange' && exchange.lossNoticePrice);
});

test('a batch that is under way while traces begin to be shipped is one of money', async (t) => {
  const { db } = await openTestStore(t);
  await shipMoneyAlone(db);
  await sql`insert into pending_batches values ('a', 'token', '{}')`.execute(db);
  await traceShipping.up(db);
  const rows = await db.selectFrom('pending_batches').selectAll().execute();
  assert.deepEqual(rows, [{ incarnation: 'a', stream: 'money', token: 'token', manifest: '{}' }]);
});

test('a migration that fails leaves nothing behind', async (t) => {
  const db = await openStore(await emptyPlace(t));
  t.after(() => db.destroy());
  await sql`create table accounts (id integer)`.execute(db);
  await assert.rejects(
    migrateConfiguration(db),
    /cannot migrate the configuration store: .*accounts/,
  );
  const tables = await db.introspection.getTables();
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['accounts'],
  );
});

test('a store of a newer version is refused', async (t) => {
  const { db } = await openTestStore(t);
  await sql`insert into kysely_migration values ('9999-later', '2999-01-01T00:00:00.000Z')`.execute(
    db,
  );
  await assert.rejects(migrateConfiguration(db), /9999-later/);
});

test('the tables refuse a status that does not exist and a user whose role is not its owner', async (t) => {
  const { db } = await openTestStore(t);
  const at = { created_at: 0, updated_at: 0 };
  await assert.rejects(
    sql`insert into publishers (id, name, status) values (1, 'x', 'GONE')`.execute(db),
    /constraint/i,
  );
  await assert.rejects(
    db
      .insertInto('users')
      .values({
        id: 1,
        email: 'a@b.example',
        role: 'PUBLISHER',
        demand_partner_id: null,
        publisher_id: null,
        status: 'ACTIVE',
        password_hash: null,
        ...at,
      })
      .execute(),
    /users_belong_to_their_role/,
  );
});
