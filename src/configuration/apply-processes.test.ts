import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { emptyPlace, openStore } from '../../test/support/configuration-store.ts';
import { compileSnapshot } from './compile.ts';
import { readVersion } from './version.ts';

const FILES_PER_PROCESS = 15;

/** Opens and migrates the store, then applies one file after another: a partner and a user each. */
const PROGRAM = `
const { applyQuickly, openStore } = await import(process.env.OPEN);
const { migrateConfiguration } = await import(process.env.MIGRATE);
const db = await openStore(process.env.STORE);
await migrateConfiguration(db);
for (let index = 0; index < ${FILES_PER_PROCESS}; index += 1) {
  const id = Number(process.env.FIRST_ID) + index;
  const applied = await applyQuickly(db, \`
demand_partners:
  - id: \${id}
    name: Partner \${id}
    account_auth_token: report-token-\${id}
    users: [{ email: user\${id}@example.com, password: long-enough }]
exchange: { name: Exchange \${id} }\`);
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
}
await db.destroy();
`;

async function applyInProcess(store: string, firstId: number): Promise<void> {
  const modules = {
    OPEN: import.meta.resolve('../../test/support/configuration-store.ts'),
    MIGRATE: import.meta.resolve('./migrate.ts'),
  };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    env: { ...process.env, ...modules, STORE: store, FIRST_ID: String(firstId) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
}

test('two processes that make a store and apply to it at the same time lose nothing', async (t) => {
  const path = await emptyPlace(t);
  await Promise.all([applyInProcess(path, 100), applyInProcess(path, 200)]);
  const db = await openStore(path);
  const { entities } = await compileSnapshot(db);
  const lineItems = entities.filter((entity) => entity.kind === 'lineItem');
  const users = await db.selectFrom('users').select('id').execute();
  const version = await readVersion(db);
  await db.destroy();
  // Each file changed something, was counted once, and got ids that no other one has.
  assert.equal(version.seq, 2 * FILES_PER_PROCESS);
  assert.equal(new Set(lineItems.map(({ id }) => id)).size, 2 * FILES_PER_PROCESS);
  assert.equal(new Set(lineItems.map((item) => item.demandPartnerId)).size, 2 * FILES_PER_PROCESS);
  assert.equal(users.length, 2 * FILES_PER_PROCESS);
});
