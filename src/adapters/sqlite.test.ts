import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { openSqlite } from './sqlite.ts';

interface Tables {
  counters: { id: number; value: number };
}

async function temporaryDirectory(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rialto-sqlite-'));
  context.after(() => rm(directory, { recursive: true }));
  return directory;
}

async function open(context: TestContext, path: string): Promise<Kysely<Tables>> {
  const db = await openSqlite<Tables>(path);
  context.after(() => db.destroy());
  return db;
}

async function openWithCounter(
  context: TestContext,
): Promise<{ db: Kysely<Tables>; path: string }> {
  const path = join(await temporaryDirectory(context), 'store.db');
  const db = await open(context, path);
  await sql`create table counters (id integer primary key, value bigint not null)`.execute(db);
  await db.insertInto('counters').values({ id: 1, value: 0 }).execute();
  return { db, path };
}

async function pragma(db: Kysely<Tables>, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
  return Object.values(rows[0] ?? {})[0];
}

test('a store is opened with write-ahead log, full synchronisation and foreign keys, for its owner alone', async (t) => {
  const path = join(await temporaryDirectory(t), 'store.db');
  const db = await open(t, path);
  await sql`create table counters (id integer primary key, value bigint not null)`.execute(db);
  assert.equal(await pragma(db, 'journal_mode'), 'wal');
  assert.equal(await pragma(db, 'synchronous'), 2);
  assert.equal(await pragma(db, 'foreign_keys'), 1);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    assert.equal((await stat(file)).mode & 0o777, 0o600, file);
  }
});

test('rows come back as plain objects, and numbers beyond 32 bits exactly', async (t) => {
  const { db } = await openWithCounter(t);
  await db.updateTable('counters').set({ value: 10_000_000_000 }).execute();
  const rows = await db.selectFrom('counters').selectAll().execute();
  assert.deepEqual(rows, [{ id: 1, value: 10_000_000_000 }]);
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

test('a value that SQLite has no type for is refused before it is bound', async (t) => {
  const { db } = await openWithCounter(t);
  await assert.rejects(
    sql`update counters set value = ${{ nested: true }}`.execute(db),
    /cannot store a value of type object/,
  );
});

test('a transaction that fails leaves nothing behind and the connection usable', async (t) => {
  const { db } = await openWithCounter(t);
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.updateTable('counters').set({ value: 7 }).execute();
    throw new Error('changed its mind');
  });
  await assert.rejects(failing, /changed its mind/);
  assert.deepEqual(await db.selectFrom('counters').select('value').execute(), [{ value: 0 }]);
});

test('a second writer waits for the first without stopping the event loop', async (t) => {
  const { db: first, path } = await openWithCounter(t);
  const second = await open(t, path);
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const holding = first.transaction().execute(async () => {
    begun.resolve();
    // The second one waits meanwhile; this ends only if the event loop goes on.
    for (let turns = 0; turns < 20; turns += 1) await sleep(10);
    order.push('first');
  });
  await begun.promise;
  await second.transaction().execute(async (transaction) => {
    order.push('second');
    await transaction.updateTable('counters').set({ value: 1 }).execute();
  });
  await holding;
  assert.deepEqual(order, ['first', 'second']);
});

test('a single statement waits for a writer as well', async (t) => {
  const { db: first, path } = await openWithCounter(t);
  const second = await open(t, path);
  const begun = Promise.withResolvers<void>();
  const holding = first.transaction().execute(async (transaction) => {
    await transaction.updateTable('counters').set({ value: 1 }).execute();
    begun.resolve();
    for (let turns = 0; turns < 10; turns += 1) await sleep(10);
  });
  await begun.promise;
  await second
    .updateTable('counters')
    .set((row) => ({ value: row('value', '+', 1) }))
    .execute();
  await holding;
  assert.deepEqual(await first.selectFrom('counters').select('value').execute(), [{ value: 2 }]);
});

test('a read-only transaction sees one state while another connection writes', async (t) => {
  const { db: reader, path } = await openWithCounter(t);
  const writer = await open(t, path);
  await reader
    .transaction()
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const value = transaction.selectFrom('counters').select('value');
      assert.deepEqual(await value.execute(), [{ value: 0 }]);
      await writer.updateTable('counters').set({ value: 9 }).execute();
      assert.deepEqual(await value.execute(), [{ value: 0 }]);
    });
  assert.deepEqual(await reader.selectFrom('counters').select('value').execute(), [{ value: 9 }]);
});

test('increments from four connections at once are all counted', async (t) => {
  const { db, path } = await openWithCounter(t);
  const connections = await Promise.all([1, 2, 3, 4].map(() => open(t, path)));
  await Promise.all(
    connections.map(async (connection) => {
      for (let round = 0; round < 10; round += 1) {
        await connection.transaction().execute(async (transaction) => {
          const { value } = await transaction
            .selectFrom('counters')
            .select('value')
            .executeTakeFirstOrThrow();
          await transaction
            .updateTable('counters')
            .set({ value: value + 1 })
            .execute();
        });
      }
    }),
  );
  assert.deepEqual(await db.selectFrom('counters').select('value').execute(), [{ value: 40 }]);
});

test('a file that is no database, or cannot be made, is refused with its path', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'notes.txt');
  await writeFile(path, 'no database at all, but long enough to look at'.repeat(40));
  await assert.rejects(
    openSqlite(path),
    /cannot open the configuration store .*notes\.txt: .*not a database/,
  );
  await assert.rejects(openSqlite(join(directory, 'missing', 'x.db')), /missing.*x\.db: ENOENT/);
});

test('a store in memory works the same', async (t) => {
  const db = await open(t, ':memory:');
  await sql`create table counters (id integer primary key, value bigint not null)`.execute(db);
  assert.deepEqual(await db.selectFrom('counters').selectAll().execute(), []);
});

test('a store that is closed unused leaves its file alone behind', async (t) => {
  const directory = await temporaryDirectory(t);
  const db = await openSqlite(join(directory, 'store.db'));
  await db.destroy();
  assert.deepEqual(await readdir(directory), ['store.db']);
});

test('who reads does not wait for a transaction of the same store that writes, and who writes does', async (t) => {
  const { db } = await openWithCounter(t);
  const read = () => db.selectFrom('counters').select('value').executeTakeFirst();
  const order: string[] = [];
  const entered = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const long = db.transaction().execute(async (transaction) => {
    await transaction.updateTable('counters').set({ value: 1 }).execute();
    entered.resolve();
    await mayEnd.promise;
    order.push('long');
  });
  await entered.promise;
  const later = db
    .updateTable('counters')
    .set((row) => ({ value: row('value', '+', 10) }))
    .execute()
    .then(() => order.push('later'));
  assert.deepEqual(await read(), { value: 0 });
  await db
    .transaction()
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const rows = await transaction.selectFrom('counters').selectAll().execute();
      assert.deepEqual(rows, [{ id: 1, value: 0 }]);
    });
  mayEnd.resolve();
  await Promise.all([long, later]);
  assert.deepEqual(order, ['long', 'later']);
  assert.deepEqual(await read(), { value: 11 });
});

test('a transaction that only reads cannot write', async (t) => {
  const { db } = await openWithCounter(t);
  const writing = db
    .transaction()
    .setAccessMode('read only')
    .execute((transaction) => transaction.updateTable('counters').set({ value: 1 }).execute());
  await assert.rejects(writing, /readonly database/);
});
