import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyQuickly,
  openTestStore,
  problemsOf,
  readExample,
} from '../../test/support/configuration-store.ts';
import { EVERY_SETTING } from '../../test/support/every-setting.ts';
import { exportConfiguration } from './export-file.ts';
import { readYaml } from './yaml.ts';

const SECRETS = /password:|client_secret|account_auth_token|headers:|acme-secret|hunter2/;
const HEADERS =
  'demand_partners: [{ id: 1001, bidder: { headers: { X-Key: hunter2 } }, users: [{ email: Zoe@acme.example }, { email: a@acme.example }] }]';

test('an export applied to an empty store gives the same export, and changes nothing where it is from', async (t) => {
  const { db } = await openTestStore(t);
  for (const text of [await readExample(), JSON.stringify(EVERY_SETTING), HEADERS]) {
    assert.deepEqual(await problemsOf(db, text), []);
  }
  const exported = await exportConfiguration(db);
  const { db: empty } = await openTestStore(t);
  assert.deepEqual(await problemsOf(empty, exported), []);
  assert.equal(await exportConfiguration(empty), exported);
  const again = await applyQuickly(db, exported);
  assert.ok(again.ok);
  assert.deepEqual([again.created, again.updated, again.notes], [0, 0, []]);

  assert.doesNotMatch(exported.replaceAll(/^#.*$/gm, ''), SECRETS);
  assert.match(exported, /^ {4}sizes: \[ ?300x250 ?\]|sizes: \[ ?"?320x50"? ?\]$/m);
});

test('an export of an empty store is a file that applies', async (t) => {
  const { db } = await openTestStore(t);
  const exported = await exportConfiguration(db);
  assert.ok('value' in readYaml(exported));
  assert.deepEqual(await problemsOf(db, exported), []);
  assert.equal(await exportConfiguration(db), exported);
});

test('what an export brings back over a change is as it was', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const exported = await exportConfiguration(db);
  const change =
    'publishers: [{ id: 2001, floors: [{ floor: 9 }], seller_id: x, apps: [{ id: 3001, ad_spaces: [{ id: 4001, pos: 1, banner: { sizes: [1x1], api: [3] } }] }] }]\n' +
    'demand_partners: [{ id: 1002, line_items: [{ id: 502, targeting: { secure: true } }] }]';
  assert.deepEqual(await problemsOf(db, change), []);
  assert.notEqual(await exportConfiguration(db), exported);
  assert.deepEqual(await problemsOf(db, exported), []);
  assert.equal(await exportConfiguration(db), exported);
});

test('an application that comes without its secret is of no use until it is given one', async (t) => {
  const { db } = await openTestStore(t);
  const file = 'operators: [{ email: o@x.example, applications: [{ name: ops, client_id: ops }] }]';
  const applied = await applyQuickly(db, file);
  assert.ok(applied.ok);
  assert.match(applied.notes[0]?.message ?? '', /^has no client_secret: /);
  const { secret_hash: hash } = await db
    .selectFrom('applications')
    .select('secret_hash')
    .executeTakeFirstOrThrow();
  assert.notEqual(hash, '');
});
