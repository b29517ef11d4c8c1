import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Kysely } from 'kysely';
import { openTestStore, problemsOf, readExample } from '../../test/support/configuration-store.ts';
import { compileSnapshot } from './compile.ts';
import type { Database } from './schema.ts';
import { listBidders, startBidder, stopBidder } from './stopped-bidders.ts';
import { readVersion } from './version.ts';

const FLOODS = { reason: 'floods us', atMs: 1_000 };
const ACTOR = { name: 'alice', userId: 7, clientId: 'ops' };
const BY = { actor: ACTOR, nowMs: 1_000 };
const LATER = { actor: ACTOR, nowMs: 2_000 };

async function exampleStore(t: TestContext): Promise<Kysely<Database>> {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  return db;
}

async function stoppedOf(db: Kysely<Database>): Promise<readonly number[]> {
  const { entities } = await compileSnapshot(db);
  return entities.flatMap((entity) =>
    entity.kind === 'demandPartner' && entity.stopped ? [entity.id] : [],
  );
}

test('a stopped partner is in the next snapshot as stopped, and its status stays', async (t) => {
  const db = await exampleStore(t);
  const { seq } = await readVersion(db);
  assert.deepEqual(await stoppedOf(db), []);
  assert.equal(await stopBidder(db, 1002, FLOODS.reason, BY), 'changed');
  assert.equal((await readVersion(db)).seq, seq + 1);
  assert.deepEqual(await stoppedOf(db), [1002]);
  const listed = await listBidders(db);
  assert.deepEqual(
    listed.map(({ demandPartnerId, status, stop }) => [demandPartnerId, status, stop]),
    [
      [1001, 'ACTIVE', null],
      [1002, 'ACTIVE', FLOODS],
    ],
  );
  assert.equal(await startBidder(db, 1002, BY), 'changed');
  assert.equal((await readVersion(db)).seq, seq + 2);
  assert.deepEqual(await stoppedOf(db), []);
});

test('no file that is applied starts a stopped partner', async (t) => {
  const db = await exampleStore(t);
  await stopBidder(db, 1002, FLOODS.reason, BY);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const edited = (await readExample()).replace('timeout_ms: 200', 'timeout_ms: 150');
  assert.deepEqual(await problemsOf(db, edited), []);
  assert.deepEqual(await stoppedOf(db), [1002]);
});

test('what changes nothing raises no version', async (t) => {
  const db = await exampleStore(t);
  assert.equal(await startBidder(db, 1002, BY), 'unchanged');
  await stopBidder(db, 1002, FLOODS.reason, BY);
  const version = await readVersion(db);
  assert.equal(await stopBidder(db, 1002, FLOODS.reason, LATER), 'unchanged');
  assert.deepEqual(await readVersion(db), version);
});

test('a stop that gets another reason keeps its time', async (t) => {
  const db = await exampleStore(t);
  await stopBidder(db, 1002, FLOODS.reason, BY);
  assert.equal(await stopBidder(db, 1002, 'ticket 7', LATER), 'changed');
  const bolt = (await listBidders(db)).find(({ demandPartnerId }) => demandPartnerId === 1002);
  assert.deepEqual(bolt?.stop, { reason: 'ticket 7', atMs: 1_000 });
});

test('a partner that does not exist is said to be unknown', async (t) => {
  const db = await exampleStore(t);
  assert.equal(await stopBidder(db, 7, FLOODS.reason, BY), 'unknown_partner');
  assert.equal(await startBidder(db, 7, BY), 'unknown_partner');
});

test('the audit log tells who stopped and started a bidder, and not what changed nothing', async (t) => {
  const db = await exampleStore(t);
  await db.deleteFrom('audit_log').execute();
  await stopBidder(db, 1002, 'floods us', BY);
  await stopBidder(db, 1002, 'floods us', LATER);
  await stopBidder(db, 7, 'floods us', LATER);
  await startBidder(db, 1002, LATER);
  await startBidder(db, 1002, LATER);
  const lines = await db.selectFrom('audit_log').selectAll().orderBy('id').execute();
  const told = { actor: 'alice', user_id: 7, client_id: 'ops', resource_id: '1002' };
  const noun = { resource: 'bidder of demand partner' };
  assert.deepEqual(
    lines.map(({ id: _id, ...line }) => line),
    [
      { ...told, ...noun, at: 1_000, action: 'stopped', changes: reasons({ after: 'floods us' }) },
      { ...told, ...noun, at: 2_000, action: 'started', changes: reasons({ before: 'floods us' }) },
    ],
  );
});

function reasons(change: object): string {
  return JSON.stringify([{ field: 'reason', ...change }]);
}
