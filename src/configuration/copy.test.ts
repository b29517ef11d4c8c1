import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import {
  applyQuickly,
  openTestStore,
  QUICK_TOOLS,
  readExample,
} from '../../test/support/configuration-store.ts';
import { compileSnapshot } from './compile.ts';
import { copyStore } from './copy.ts';
import { createLeaseStore } from './lease-store.ts';
import { createOffsetStore } from './offset-store.ts';
import { stopBidder } from './stopped-bidders.ts';
import { readVersion } from './version.ts';

const NODE = 'aaaaaaaaaaaaaaaa';

test('a copy holds all that the store does, and is the same store for whoever asks its version', async (t) => {
  const { db: from } = await openTestStore(t);
  const { db: to } = await openTestStore(t);
  await applyQuickly(from, await readExample());
  await stopBidder(from, 1001, 'floods us', { actor: QUICK_TOOLS.actor, nowMs: 1 });
  const user = await from.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const times = { created_at: 1, expires_at: 3, last_used_at: 2 };
  const session = { session_hash: 'a hash', user_id: user.id, ...times };
  await from.insertInto('sessions').values(session).execute();
  const segments = [{ segment: 'money-1.ndjson', start: 0, end: 5_000_000_000 }];
  const manifest = { incarnation: NODE, schema: 1, segments };
  const batch = { token: 'token', manifest, load: 1, records: 1 };
  await createOffsetStore(from, 'local').commit(batch);
  // More than one statement takes.
  const leases = Array.from({ length: 1_201 }, (_, index) => ({ key: `k${index}`, state: '{}' }));
  await createLeaseStore(from).save(leases);

  const copied = await copyStore(from, to);
  assert.ok(copied.ok && copied.rows > 1_201 + 26);
  assert.deepEqual(await readVersion(to), await readVersion(from));
  assert.deepEqual(await compileSnapshot(to), await compileSnapshot(from));
  const { offsets } = await createOffsetStore(to, 'local').read(NODE, 'money');
  assert.deepEqual([...offsets], [['money-1.ndjson', 5_000_000_000]]);
  assert.equal((await createLeaseStore(to).read()).length, 1_201);
  for (const table of [
    'users',
    'applications',
    'accounts',
    'stopped_bidders',
    'sessions',
  ] as const) {
    const rows = (db: typeof from) => db.selectFrom(table).selectAll().execute();
    assert.deepEqual(await rows(to), await rows(from), table);
  }
  const applied = await applyQuickly(to, await readExample());
  assert.ok(applied.ok && applied.created + applied.updated === 0);
});

test('a store that holds something is not written over', async (t) => {
  const { db: from } = await openTestStore(t);
  const { db: to } = await openTestStore(t);
  await applyQuickly(from, await readExample());
  await applyQuickly(to, 'exchange: { name: Mine }');
  const before = await compileSnapshot(to);
  assert.deepEqual(await copyStore(from, to), { ok: false });
  assert.deepEqual(await compileSnapshot(to), before);
});

test('a table that the copy does not know is not left behind without a word', async (t) => {
  const { db: from } = await openTestStore(t);
  const { db: to } = await openTestStore(t);
  await sql`create table more (id integer)`.execute(from);
  await assert.rejects(copyStore(from, to), /no copy is made of more/);
});
