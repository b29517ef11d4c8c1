import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { compileSnapshot } from './compile.ts';
import { migrateConfiguration, MIGRATIONS } from './migrate.ts';
import {
  emptyPlace,
  openStore,
  openTestStore,
  problemsOf,
  readExample,
} from '../../test/support/configuration-store.ts';
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

/** What a later version might bring: a column with a default. */
const LATER = {
  ...MIGRATIONS,
  '0002-later': {
    up: async (db: Kysely<unknown>) =>
      db.schema
        .alterTable('publishers')
        .addColumn('tier', 'text', (column) => column.notNull().defaultTo('standard'))
        .execute(),
  },
};

test('a store of an earlier version gets what came later, and keeps what it has', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const before = await compileSnapshot(db);
  await migrateConfiguration(db, LATER);
  await migrateConfiguration(db, LATER);
  assert.deepEqual(await compileSnapshot(db), before);
  const { rows } = await sql<{ tier: string }>`select distinct tier from publishers`.execute(db);
  assert.deepEqual(rows, [{ tier: 'standard' }]);
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
