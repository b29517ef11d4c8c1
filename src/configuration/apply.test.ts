import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { verifySecret } from '../identity/passwords.ts';
import { applyFile, type Applied } from './apply.ts';
import { compileSnapshot } from './compile.ts';
import { describeProblem } from './finding.ts';
import type { Database } from './schema.ts';
import {
  QUICK_TOOLS,
  applyQuickly,
  openTestStore,
  readExample,
} from '../../test/support/configuration-store.ts';
import { breakAccounts, filesOf, writesOf } from '../../test/support/store-internals.ts';
import { readVersion } from './version.ts';

type Success = Extract<Applied, { ok: true }>;

async function applyWell(db: Kysely<Database>, text: string): Promise<Success> {
  const applied = await applyQuickly(db, text);
  if (!applied.ok) assert.fail(applied.problems.map(describeProblem).join('\n'));
  return applied;
}

/** All rows of all tables, so that two states can be compared. */
async function dump(db: Kysely<Database>): Promise<Record<string, readonly unknown[]>> {
  const tables = await db.introspection.getTables();
  const entries = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql`select * from ${sql.table(name)} order by 1`.execute(db);
      return [name, rows] as const;
    }),
  );
  return Object.fromEntries(entries);
}

test('the example is applied as it stands, and counts as one change', async (t) => {
  const { db } = await openTestStore(t);
  const applied = await applyWell(db, await readExample());
  assert.deepEqual([applied.created, applied.updated, applied.unchanged], [26, 0, 0]);
  assert.deepEqual(applied.notes, []);
  assert.equal(applied.version.seq, 1);
  assert.deepEqual(await readVersion(db), applied.version);
  assert.deepEqual(applied.changes.slice(1, 2), [
    { action: 'created', noun: 'demand partner', name: 1001, fields: [] },
  ]);
});

test('the same file again rewrites no row and raises no version', async (t) => {
  const store = await openTestStore(t);
  const { db } = store;
  const text = await readExample();
  const first = await applyWell(db, text);
  const before = await dump(db);
  const writes = await writesOf(store);
  const later = { ...QUICK_TOOLS, nowMs: () => 1_800_000_000_000 };
  const second = await applyFile(db, text, later);
  assert.ok(second.ok);
  assert.deepEqual([second.created, second.updated, second.unchanged], [0, 0, 26]);
  assert.deepEqual(second.version, first.version);
  assert.deepEqual(await dump(db), before);
  assert.equal(await writesOf(store), writes, 'not even the same bytes were written');
});

test('the order of keys says nothing', async (t) => {
  const { db } = await openTestStore(t);
  await applyWell(db, await readExample());
  const applied = await applyWell(
    db,
    `demand_partners:
      - line_items:
          - targeting:
              ad_formats: { is_whitelist: true, identifiers: [{ code: banner }] }
              geo: { countries: { is_whitelist: true, identifiers: [{ code: US }] }, is_geo_data_required: false }
            id: 502
        id: 1002`,
  );
  assert.deepEqual([applied.created, applied.updated, applied.unchanged], [0, 0, 2]);
});

test('one changed key changes one row and keeps when it was created', async (t) => {
  const { db } = await openTestStore(t);
  const text = await readExample();
  await applyWell(db, text);
  const later = { ...QUICK_TOOLS, nowMs: () => 1_800_000_000_000 };
  const applied = await applyFile(db, text.replace('floor: 0.05', 'floor: 0.06'), later);
  assert.ok(applied.ok);
  assert.deepEqual(applied.changes, [
    {
      action: 'updated',
      noun: 'line item',
      name: 501,
      fields: [{ field: 'floor', before: 0.05, after: 0.06 }],
    },
  ]);
  assert.equal(applied.version.seq, 2);
  const rows = await db
    .selectFrom('line_items')
    .select(['id', 'floor_micros', 'created_at', 'updated_at'])
    .orderBy('id')
    .execute();
  assert.deepEqual(rows, [
    { id: 501, floor_micros: 60_000, created_at: 1_700_000_000_000, updated_at: 1_800_000_000_000 },
    {
      id: 502,
      floor_micros: 100_000,
      created_at: 1_700_000_000_000,
      updated_at: 1_700_000_000_000,
    },
  ]);
});

test('what a partial file leaves out stays, keys as well as resources', async (t) => {
  const { db } = await openTestStore(t);
  await applyWell(db, await readExample());
  const before = await dump(db);
  const applied = await applyWell(
    db,
    'demand_partners: [{ id: 1001, line_items: [{ id: 501, status: PAUSED }] }]',
  );
  assert.deepEqual([applied.created, applied.updated, applied.unchanged], [0, 1, 1]);
  const after = await dump(db);
  assert.deepEqual(
    Object.keys(after).filter(
      (table) => JSON.stringify(after[table]) !== JSON.stringify(before[table]),
    ),
    ['audit_log', 'configuration_version', 'line_items'],
  );
  const lineItem = await db
    .selectFrom('line_items')
    .select(['name', 'seat', 'status', 'floor_micros'])
    .where('id', '=', 501)
    .executeTakeFirstOrThrow();
  assert.deepEqual(lineItem, {
    name: 'Acme everywhere',
    seat: 'acme-1',
    status: 'PAUSED',
    floor_micros: 50_000,
  });
});

test('null takes back what was set, where there can be nothing', async (t) => {
  const { db } = await openTestStore(t);
  await applyWell(db, await readExample());
  await applyWell(
    db,
    `demand_partners: [{ id: 1001, bidder: { max_qps: null }, line_items: [{ id: 501, seat: null }] }]
publishers: [{ id: 2001, apps: [{ id: 3001, ad_spaces: [{ id: 4001, banner: null, video: { w: 1, h: 2 } }] }] }]
deals: [{ id: planet-acme-1, seats: [bolt-1] }]`,
  );
  const { entities } = await compileSnapshot(db);
  const partner = entities.find((entity) => entity.kind === 'demandPartner');
  const lineItem = entities.find((entity) => entity.kind === 'lineItem');
  const adSpace = entities.find((entity) => entity.kind === 'adSpace');
  assert.equal(partner?.bidder?.maxQps, null);
  assert.equal(lineItem?.seat, null);
  assert.equal(adSpace?.banner, null);
  assert.equal(adSpace?.video?.h, 2);
});

test('a file that is wrong in its last element changes nothing', async (t) => {
  const { db } = await openTestStore(t);
  const before = await dump(db);
  const text = (await readExample()).replace('price: 3.00', 'price: -3.00');
  const applied = await applyQuickly(db, text);
  assert.ok(!applied.ok);
  assert.deepEqual(
    applied.problems.map(({ path, line }) => [path, line]),
    [['deals[0].price', 88]],
  );
  assert.deepEqual(await dump(db), before);
});

test('a store that fails at the last write keeps nothing of the file', async (t) => {
  const store = await openTestStore(t);
  const { db } = store;
  const repair = await breakAccounts(store, 'disk on fire');
  const before = await dump(db);
  await assert.rejects(applyQuickly(db, await readExample()), /disk on fire/);
  assert.deepEqual(await dump(db), before);
  await repair();
  await applyWell(db, await readExample());
});

test('what is in conflict with a change made in the meantime is refused', async (t) => {
  const { db } = await openTestStore(t);
  const partner = (id: number): string =>
    `demand_partners: [{ id: ${id}, name: P, line_items: [{ id: 7, name: L }], users: [{ email: a@b.example, password: long-enough }] }]`;
  let isFirst = true;
  const tools = {
    ...QUICK_TOOLS,
    // The file was found to be right, its secrets are being hashed, and somebody else is quicker.
    hashSecret: async (plain: string): Promise<string> => {
      if (isFirst) {
        isFirst = false;
        await applyWell(db, partner(1));
      }
      return QUICK_TOOLS.hashSecret(plain);
    },
  };
  const applied = await applyFile(db, partner(2), tools);
  assert.ok(!applied.ok);
  assert.deepEqual(
    applied.problems.map(({ path }) => path),
    ['demand_partners[0].line_items[0].id', 'demand_partners[0].users[0].email'],
  );
  const ids = await db.selectFrom('demand_partners').select('id').execute();
  assert.deepEqual(ids, [{ id: 1 }]);
});

test('no secret stands in the files of the store, and each is found by its hash', async (t) => {
  const store = await openTestStore(t);
  const { db } = store;
  const text = await readExample();
  const applied = await applyFile(db, text);
  assert.ok(applied.ok);
  const files = await filesOf(store);
  assert.ok(files.some((file) => file.includes('operator@example.com')));
  const secrets = [...text.matchAll(/(?:password|client_secret|account_auth_token): ([\w-]+)/g)];
  assert.equal(secrets.length, 10);
  for (const [, secret = ''] of secrets) {
    assert.ok(!files.some((file) => file.includes(secret)), secret);
  }
  const user = await db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow();
  assert.equal(await verifySecret('operator-password', user.password_hash), true);
  const { secret_hash } = await db
    .selectFrom('applications')
    .select('secret_hash')
    .where('client_id', '=', 'acme-client')
    .executeTakeFirstOrThrow();
  assert.equal(await verifySecret('acme-secret', secret_hash), true);
  const prefixes = await db.selectFrom('accounts').select('token_prefix').orderBy('id').execute();
  assert.deepEqual(
    prefixes.map(({ token_prefix }) => token_prefix),
    ['acme', 'bolt', 'plan'],
  );
});

test('secrets that are set are never changed by a file, which is noted without showing them', async (t) => {
  const { db } = await openTestStore(t);
  const text = await readExample();
  await applyWell(db, text);
  const before = await dump(db);
  const other = text
    .replace('operator-password', 'other-password')
    .replace('acme-secret', 'other-secret')
    .replace('bolt-report-token', 'other-report-token');
  const applied = await applyWell(db, other);
  assert.deepEqual(
    applied.notes.map((note) => describeProblem(note)),
    [
      'line 9: operators[0].password differs from the one that is set, which stays as it is',
      'line 22: demand_partners[0].users[0].applications[0].client_secret differs from the one that is set, which stays as it is',
      'line 35: demand_partners[1].account_auth_token differs from the token that is set, which stays as it is',
    ],
  );
  assert.deepEqual([applied.created, applied.updated, applied.unchanged], [0, 0, 26]);
  assert.deepEqual(await dump(db), before);
});

test('a user without a password gets the one that a later file names', async (t) => {
  const { db } = await openTestStore(t);
  await applyWell(db, 'operators: [{ email: Ann@Example.com }]');
  const applied = await applyWell(
    db,
    'operators: [{ email: ann@example.com, password: long-enough }]',
  );
  assert.deepEqual(applied.changes, [
    { action: 'updated', noun: 'user', name: 'ann@example.com', fields: [] },
  ]);
  const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
  assert.equal(await verifySecret('long-enough', user.password_hash), true);
});

test('a demand partner without a line item gets one that takes all traffic, once', async (t) => {
  const { db } = await openTestStore(t);
  const text = 'demand_partners: [{ id: 1, name: One }, { id: 2, name: Two, line_items: [] }]';
  await applyWell(db, text);
  const again = await applyWell(db, text);
  assert.equal(again.created, 0);
  const { entities } = await compileSnapshot(db);
  const lineItems = entities.filter((entity) => entity.kind === 'lineItem');
  const standard = {
    kind: 'lineItem',
    name: 'Default',
    status: 'ACTIVE',
    seat: null,
    floorMicros: 0,
    capping: { maxQps: null, maxDailyImpressions: null, maxDailySpendMicros: null },
    targeting: {},
  };
  assert.deepEqual(lineItems, [
    { ...standard, id: 1_000_001, demandPartnerId: 1 },
    { ...standard, id: 1_000_002, demandPartnerId: 2 },
  ]);
});

test('an empty configuration changes nothing', async (t) => {
  const { db } = await openTestStore(t);
  for (const text of ['{}', 'deals:', 'publishers: []\ndemand_partners:\n']) {
    const applied = await applyWell(db, text);
    assert.deepEqual([applied.created, applied.updated, applied.version.seq], [0, 0, 0]);
  }
});

test('with a hundred secrets to compare the rest is left uncompared, which is noted', async (t) => {
  const { db } = await openTestStore(t);
  const users = (password: string): string =>
    `operators: [${Array.from({ length: 103 }, (_, index) => `{ email: u${index}@example.com, password: ${password} }`).join(', ')}]`;
  await applyWell(db, users('first-password'));
  const applied = await applyWell(db, users('other-password'));
  assert.equal(applied.notes.length, 101);
  assert.ok(applied.notes.some(({ message }) => message.startsWith('3 more secrets')));
});
