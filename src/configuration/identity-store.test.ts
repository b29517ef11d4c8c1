import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  applyQuickly,
  openTestStore,
  readExample,
} from '../../test/support/configuration-store.ts';
import type { Application, NewToken } from '../identity/identity-store.ts';
import { createIdentityStore } from './identity-store.ts';
import { readVersion } from './version.ts';

const NOW = 1_700_000_000_000;
const TOKENS_MAX = 3;

function tokenOf(hash: string, createdMs = NOW): NewToken {
  return { hash, prefix: hash, scope: ['read'], createdMs, expiresMs: createdMs + 1_000 };
}

async function storeOf(t: TestContext) {
  const { db } = await openTestStore(t);
  await applyQuickly(db, await readExample());
  const store = createIdentityStore(db);
  const application = async (clientId: string): Promise<Application> => {
    const found = await store.findApplication(clientId);
    assert.ok(found !== null, clientId);
    return found;
  };
  const hashes = async (): Promise<string[]> => {
    const rows = await db.selectFrom('access_tokens').select('token_hash').execute();
    return rows.map((row) => row.token_hash).sort();
  };
  return { db, store, application, hashes };
}

test('a client id that no store can hold is one that does not exist', async (t) => {
  const { store } = await storeOf(t);
  assert.equal(await store.findApplication('ops\0'), null);
});

test('a token leads to its user, in every role', async (t) => {
  const { db, store, application } = await storeOf(t);
  // The example's publisher has a user without an application.
  const planet = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'PUBLISHER')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('applications')
    .set({ user_id: planet.id })
    .where('client_id', '=', 'bolt-client')
    .execute();
  for (const [clientId, email, role, entityId] of [
    ['ops', 'operator@example.com', 'operator', null],
    ['acme-client', 'engineer@acme.example', 'demand-partner', 1001],
    ['bolt-client', 'ads@planet.example', 'publisher', 2001],
  ] as const) {
    const { id } = await application(clientId);
    const token: NewToken = { ...tokenOf(clientId), scope: ['read', 'write'] };
    assert.equal(await store.addToken(await application(clientId), token, TOKENS_MAX), true);
    const found = await store.findToken(clientId, NOW);
    assert.ok(found !== null);
    const { userId, ...caller } = found.caller;
    assert.equal(typeof userId, 'number');
    const scope = ['read', 'write'];
    assert.deepEqual(caller, { email, role, entityId, clientId, status: 'ACTIVE', scope });
    assert.deepEqual(
      { ...found, caller: null },
      {
        caller: null,
        applicationId: id,
        clientId,
        createdMs: NOW,
        expiresMs: NOW + 1_000,
        lastUsedMs: null,
      },
    );
  }
});

test('clients and tokens that nobody has are not found', async (t) => {
  const { store } = await storeOf(t);
  for (const name of ['', 'nobody', 'ACME-CLIENT', "' or 1=1 --"]) {
    assert.equal(await store.findApplication(name), null);
    assert.equal(await store.findToken(name, NOW), null);
  }
});

test('a new token removes the expired ones of everybody, and the oldest of its application', async (t) => {
  const { store, application, hashes } = await storeOf(t);
  const acme = await application('acme-client');
  const bolt = await application('bolt-client');
  await store.addToken(bolt, tokenOf('bolt-expired', NOW - 1_000), TOKENS_MAX);
  await store.addToken(bolt, tokenOf('bolt-old', NOW - 999), TOKENS_MAX);
  for (let index = 0; index < 5; index += 1) {
    await store.addToken(acme, tokenOf(`acme-${index}`, NOW + index), TOKENS_MAX);
    // The one of bolt that is still good is nobody's oldest but bolt's.
    assert.ok((await hashes()).includes('bolt-old') === index < 1);
  }
  assert.deepEqual(await hashes(), ['acme-2', 'acme-3', 'acme-4']);
});

test('a token ends with its life, its application, its user and their partner', async (t) => {
  const { db, store, application } = await storeOf(t);
  const acme = await application('acme-client');
  await store.addToken(acme, tokenOf('acme'), TOKENS_MAX);
  const lives = async (): Promise<boolean> => (await store.findToken('acme', NOW)) !== null;
  assert.equal(await store.findToken('acme', NOW + 1_000), null);
  assert.equal((await store.findToken('acme', NOW + 999))?.applicationId, acme.id);

  const mail = 'engineer@acme.example';
  for (const [status, expected] of [
    ['PAUSED', false],
    ['ACTIVE', true],
    ['ARCHIVED', false],
    ['ACTIVE', true],
  ] as const) {
    await db.updateTable('users').set({ status }).where('email', '=', mail).execute();
    assert.equal(await lives(), expected, `user ${status}`);
    assert.equal((await store.findApplication('acme-client')) !== null, expected);
  }
  for (const [status, expected] of [
    ['ARCHIVED', false],
    ['PAUSED', true],
  ] as const) {
    await db.updateTable('demand_partners').set({ status }).where('id', '=', 1001).execute();
    assert.equal(await lives(), expected, `partner ${status}`);
    assert.equal((await store.findApplication('acme-client')) !== null, expected);
  }
  await db.deleteFrom('applications').where('id', '=', acme.id).execute();
  assert.equal(await lives(), false);
  assert.deepEqual(await db.selectFrom('access_tokens').selectAll().execute(), []);
  assert.equal(await store.addToken(acme, tokenOf('late'), TOKENS_MAX), false);
});

test('no token is made for a secret that was rolled meanwhile', async (t) => {
  const { db, store, application, hashes } = await storeOf(t);
  const acme = await application('acme-client');
  await db
    .updateTable('applications')
    .set({ secret_hash: 'x' })
    .where('id', '=', acme.id)
    .execute();
  assert.equal(await store.addToken(acme, tokenOf('acme'), TOKENS_MAX), false);
  assert.deepEqual(await hashes(), []);
});

test('a rolled secret is good until its grace is over, also for a token that is under way', async (t) => {
  const { db, application } = await storeOf(t);
  const acme = await application('acme-client');
  const rolled = {
    secret_hash: 'new',
    previous_secret_hash: acme.secretHash,
    previous_secret_until: NOW + 500,
  };
  await db.updateTable('applications').set(rolled).where('id', '=', acme.id).execute();
  for (const [nowMs, previousSecretHash] of [
    [NOW + 499, acme.secretHash],
    [NOW + 500, null],
  ] as const) {
    const store = createIdentityStore(db, () => nowMs);
    const found = await store.findApplication('acme-client');
    assert.deepEqual(found, { ...acme, secretHash: 'new', previousSecretHash });
    const token = tokenOf(`at ${nowMs}`, nowMs);
    assert.equal(await store.addToken(acme, token, TOKENS_MAX), previousSecretHash !== null);
  }
});

test('a use is noted unless a later one is', async (t) => {
  const { store, application } = await storeOf(t);
  await store.addToken(await application('acme-client'), tokenOf('acme'), TOKENS_MAX);
  const lastUsed = async () => (await store.findToken('acme', NOW))?.lastUsedMs;
  await store.noteUse('acme', NOW + 10, NOW);
  assert.equal(await lastUsed(), NOW + 10);
  await store.noteUse('acme', NOW + 20, NOW + 9);
  assert.equal(await lastUsed(), NOW + 10);
  await store.noteUse('acme', NOW + 20, NOW + 10);
  assert.equal(await lastUsed(), NOW + 20);
});

test('a token is removed by its application alone', async (t) => {
  const { store, application, hashes } = await storeOf(t);
  const acme = await application('acme-client');
  const bolt = await application('bolt-client');
  await store.addToken(acme, tokenOf('acme'), TOKENS_MAX);
  await store.removeToken('acme', bolt.id);
  assert.deepEqual(await hashes(), ['acme']);
  await store.removeToken('acme', acme.id);
  assert.deepEqual(await hashes(), []);
});

test('tokens are no configuration: the version stays', async (t) => {
  const { db, store, application } = await storeOf(t);
  const before = await readVersion(db);
  await store.addToken(await application('acme-client'), tokenOf('acme'), TOKENS_MAX);
  assert.deepEqual(await readVersion(db), before);
});
