import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { createDatabase, postgres } from '../../test/support/postgres.ts';
import { until } from '../../test/support/wait.ts';
import { openPostgres } from './postgres.ts';

interface Tables {
  counters: { id: number; value: number; name: string | null };
}

async function open(context: TestContext, url: string): Promise<Kysely<Tables>> {
  const db = await openPostgres<Tables>(url);
  context.after(() => db.destroy());
  return db;
}

async function openWithCounter(context: TestContext): Promise<{ db: Kysely<Tables>; url: string }> {
  const url = await createDatabase();
  const db = await open(context, url);
  await sql`create table counters (id integer primary key, value bigint not null, name text)`.execute(
    db,
  );
  await db.insertInto('counters').values({ id: 1, value: 0, name: null }).execute();
  return { db, url };
}

function valueOf(db: Kysely<Tables>): Promise<number> {
  return db
    .selectFrom('counters')
    .select('value')
    .executeTakeFirstOrThrow()
    .then(({ value }) => value);
}

async function addOne(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const value = await valueOf(transaction);
    await transaction
      .updateTable('counters')
      .set({ value: value + 1 })
      .execute();
  });
}

test('rows come back as plain objects, and large numbers, counts and sums as numbers', async (t) => {
  const { db } = await openWithCounter(t);
  await db.updateTable('counters').set({ value: 10_000_000_000 }).execute();
  const rows = await db.selectFrom('counters').selectAll().execute();
  assert.deepEqual(rows, [{ id: 1, value: 10_000_000_000, name: null }]);
  const [sums] = await db
    .selectFrom('counters')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('value').as('sum')])
    .execute();
  assert.deepEqual(sums, { count: 1, sum: 10_000_000_000 });
});

test('a number that is not exact is refused rather than rounded', async (t) => {
  const { db } = await openWithCounter(t);
  await sql`update counters set value = 9007199254740993`.execute(db);
  await assert.rejects(valueOf(db), /9007199254740993 is not an integer that is exact/);
});

test('an id beyond what its column holds is one that does not exist', async (t) => {
  const { db } = await openWithCounter(t);
  const found = db.selectFrom('counters').selectAll().where('id', '=', Number.MAX_SAFE_INTEGER);
  assert.deepEqual(await found.execute(), []);
});

test('a change says how many rows it changed, and can return them', async (t) => {
  const { db } = await openWithCounter(t);
  const [result] = await db.updateTable('counters').set({ value: 5 }).execute();
  assert.equal(result?.numUpdatedRows, 1n);
  const returned = await db
    .updateTable('counters')
    .set((row) => ({ value: row('value', '+', 1) }))
    .returning('value')
    .execute();
  assert.deepEqual(returned, [{ value: 6 }]);
});

test('a transaction that fails leaves nothing behind and the connection usable', async (t) => {
  const { db } = await openWithCounter(t);
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.updateTable('counters').set({ value: 7 }).execute();
    throw new Error('changed its mind');
  });
  await assert.rejects(failing, /changed its mind/);
  const swallowed = db.transaction().execute(async (transaction) => {
    await transaction.updateTable('counters').set({ value: 8 }).execute();
    await sql`select 1 / 0`.execute(transaction).catch(() => {});
  });
  await assert.rejects(swallowed, /rolled back/);
  assert.equal(await valueOf(db), 0);
});

test('what a transaction has read still holds when it writes, against every kind of writer', async (t) => {
  const { db, url } = await openWithCounter(t);
  const other = await open(t, url);
  const order: string[] = [];
  const reading = Promise.withResolvers<void>();
  const first = db.transaction().execute(async (transaction) => {
    const value = await valueOf(transaction);
    reading.resolve();
    await until('the others wait for their turn', 20_000, async () => (await waiting()) === 2);
    order.push('transaction');
    await transaction
      .updateTable('counters')
      .set({ value: value + 1 })
      .execute();
  });
  await reading.promise;
  const alone = other
    .updateTable('counters')
    .set((row) => ({ value: row('value', '*', 10) }))
    .execute()
    .then(() => order.push('statement'));
  await Promise.all([first, alone, addOne(other)]);
  assert.equal(order[0], 'transaction');
  assert.ok([11, 20].includes(await valueOf(db)), 'nothing was overwritten');
});

/** How many sessions of the server wait for a lock. */
async function waiting(): Promise<number> {
  const server = await postgres();
  return (await server.run('select 1 from pg_locks where not granted')).length;
}

test('increments from four connections at once are all counted', async (t) => {
  const { db, url } = await openWithCounter(t);
  const stores = await Promise.all([1, 2, 3, 4].map(() => open(t, url)));
  await Promise.all(
    stores.map(async (store) => {
      for (let round = 0; round < 10; round += 1) await addOne(store);
    }),
  );
  assert.equal(await valueOf(db), 40);
});

test('a read-only transaction sees one state, and keeps nobody from writing', async (t) => {
  const { db, url } = await openWithCounter(t);
  const writer = await open(t, url);
  await db
    .transaction()
    .setAccessMode('read only')
    .execute(async (transaction) => {
      assert.equal(await valueOf(transaction), 0);
      await addOne(writer);
      assert.equal(await valueOf(transaction), 0);
      await assert.rejects(addOneWithin(transaction), /read-only transaction/);
    })
    .catch((error: unknown) => assert.match(String(error), /rolled back/));
  assert.equal(await valueOf(db), 1);
});

async function addOneWithin(transaction: Kysely<Tables>): Promise<void> {
  await transaction.updateTable('counters').set({ value: 2 }).execute();
}

test('a text that PostgreSQL has no form for is refused, and the connection stays usable', async (t) => {
  const { db } = await openWithCounter(t);
  await assert.rejects(db.updateTable('counters').set({ name: 'a\0b' }).execute(), /0x00/);
  assert.equal(await valueOf(db), 0);
});

test('after a restart of the server the store is used as before', async (t) => {
  const { db } = await openWithCounter(t);
  const server = await postgres();
  const begun = Promise.withResolvers<void>();
  const down = Promise.withResolvers<void>();
  const cut = db.transaction().execute(async (transaction) => {
    await transaction.updateTable('counters').set({ value: 5 }).execute();
    begun.resolve();
    await down.promise;
    await valueOf(transaction);
  });
  const rejected = assert.rejects(cut);
  await begun.promise;
  await server.down();
  down.resolve();
  await rejected;
  await assert.rejects(valueOf(db), /cannot reach the PostgreSQL database .*test_\d+/);
  await server.up();
  assert.equal(await valueOf(db), 0, 'what was under way left nothing');
  await addOne(db);
  assert.equal(await valueOf(db), 1);
});

test('a place where no server is, is told by name, without the password', async (t) => {
  const url = 'postgresql://rialto:hush-hush@127.0.0.1:1/rialto';
  await assert.rejects(openPostgres(url), (error: Error) => {
    assert.match(error.message, /cannot reach .*127\.0\.0\.1:1\/rialto: .*ECONNREFUSED/);
    assert.doesNotMatch(JSON.stringify(error) + error.stack, /hush/);
    return true;
  });
  const server = await postgres();
  await assert.rejects(openPostgres(server.url('nowhere')), /"nowhere" does not exist/);
  // Something that takes connections and says nothing.
  const mute = createServer(() => {}).listen(0, '127.0.0.1');
  t.after(() => mute.close());
  await once(mute, 'listening');
  const address = mute.address();
  assert.ok(typeof address === 'object' && address !== null);
  const silent = `postgresql://rialto@127.0.0.1:${address.port}/rialto`;
  await assert.rejects(openPostgres(silent), /cannot reach .*timeout/);
});

test('a database that cannot hold every text is refused', async () => {
  const server = await postgres();
  await server.run(
    "create database narrow template template0 encoding LATIN1 locale_provider libc locale 'C'",
  );
  await assert.rejects(openPostgres(server.url('narrow')), /created with UTF8/);
});
