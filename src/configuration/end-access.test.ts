import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyQuickly,
  openTestStore,
  readExample,
} from '../../test/support/configuration-store.ts';
import { findAccount } from './find-account.ts';
import { createIdentityStore } from './identity-store.ts';

const NOW_MS = 1_700_000_000_000;
const EMAIL = 'engineer@acme.example';
const TOKEN = {
  hash: 'token',
  prefix: 'token',
  scope: ['read'],
  createdMs: NOW_MS,
  expiresMs: NOW_MS + 1_000,
} as const;

test('an access token ends for good when its user is paused, or their partner archived', async (t) => {
  const { db } = await openTestStore(t);
  const file = await readExample();
  await applyQuickly(db, file);
  const store = createIdentityStore(db);
  const change = async (from: string, to: string): Promise<void> => {
    assert.ok(file.includes(from), from);
    assert.ok((await applyQuickly(db, file.replace(from, to))).ok);
  };
  const active = 'name: Acme DSP\n    status: ACTIVE';
  for (const [from, to] of [
    [`email: ${EMAIL}`, `email: ${EMAIL}\n        status: PAUSED`],
    [active, active.replace('ACTIVE', 'ARCHIVED')],
  ] as const) {
    const application = await store.findApplication('acme-client');
    assert.ok(application !== null);
    assert.ok(await store.addToken(application, TOKEN, 3));
    await change(from, to);
    assert.equal(await store.findToken('token', NOW_MS), null);
    assert.equal(await store.addToken(application, TOKEN, 3), false, 'who was verified before');
    await change(`email: ${EMAIL}`, `email: ${EMAIL}\n        status: ACTIVE`);
    assert.equal(await store.findToken('token', NOW_MS), null, `${to}, and back`);
  }
});

test('a partner or publisher that is paused keeps its reporting token; archiving ends it for good', async (t) => {
  const { db } = await openTestStore(t);
  const file = await readExample();
  await applyQuickly(db, file);
  const opens = async (): Promise<readonly boolean[]> =>
    Promise.all(
      ['acme-report-token', 'planet-report-token'].map(
        async (token) => (await findAccount(db, token, NOW_MS)) !== null,
      ),
    );
  const apply = async (status: string): Promise<void> => {
    const changed = `
demand_partners: [{ id: 1001, status: ${status} }]
publishers: [{ id: 2001, status: ${status} }]`;
    const applied = await applyQuickly(db, changed);
    assert.ok(applied.ok, JSON.stringify(applied));
  };
  await apply('PAUSED');
  assert.deepEqual(await opens(), [true, true]);
  await apply('ARCHIVED');
  assert.deepEqual(await opens(), [false, false]);
  await apply('ACTIVE');
  await applyQuickly(db, file);
  assert.deepEqual(await opens(), [false, false], 'and no file brings it back');
  const told = await db
    .selectFrom('audit_log')
    .select('resource_id')
    .where('action', '=', 'revoked')
    .orderBy('resource_id')
    .execute();
  assert.deepEqual(
    told.map((line) => line.resource_id),
    ['demand partner 1001', 'publisher 2001'],
  );
});

test('an archived partner has no account, also where its token was made after', async (t) => {
  const { db } = await openTestStore(t);
  await applyQuickly(db, await readExample());
  await db
    .updateTable('demand_partners')
    .set({ status: 'ARCHIVED' })
    .where('id', '=', 1001)
    .execute();
  assert.equal(await findAccount(db, 'acme-report-token', NOW_MS), null);
});
