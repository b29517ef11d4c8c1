import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore, openTestStore } from '../../test/support/configuration-store.ts';
import { createLeaseStore } from './lease-store.ts';

test('a store of which nothing was saved gives nothing', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await createLeaseStore(db).read(), []);
});

test('what was saved is there for another process, changed and removed as was said last', async (t) => {
  const { db, path } = await openTestStore(t);
  const leases = createLeaseStore(db);
  await leases.save([
    { key: 'a', state: '1' },
    { key: 'b', state: '2' },
    { key: 'c', state: '3' },
  ]);
  await leases.save([]);
  await leases.save([
    { key: 'c', state: null },
    { key: 'a', state: '4' },
    { key: 'd', state: null },
    { key: 'e', state: '5' },
  ]);
  const other = await openStore(path);
  t.after(() => other.destroy());
  assert.deepEqual(await createLeaseStore(other).read(), [
    { key: 'a', state: '4' },
    { key: 'b', state: '2' },
    { key: 'e', state: '5' },
  ]);
});

test('rows of every line item and process are saved at once, all or none', async (t) => {
  const { db } = await openTestStore(t);
  const leases = createLeaseStore(db);
  const rows = Array.from({ length: 12_000 }, (_, index) => ({ key: `${index}`, state: '{}' }));
  await leases.save(rows);
  assert.equal((await leases.read()).length, rows.length);
  await leases.save(rows.map(({ key }) => ({ key, state: null })));
  assert.deepEqual(await leases.read(), []);
  await db.schema.alterTable('leases').renameColumn('state', 'away').execute();
  await assert.rejects(leases.save([{ key: 'a', state: '1' }]));
});
