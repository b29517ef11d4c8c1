import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyQuickly,
  openTestStore,
  readExample,
} from '../../test/support/configuration-store.ts';
import { findAccount } from './find-account.ts';

test('a token opens the account of its partner or publisher, and no other text opens one', async (t) => {
  const { db } = await openTestStore(t);
  await applyQuickly(db, await readExample());
  assert.deepEqual(await findAccount(db, 'acme-report-token', 0), {
    demandPartnerId: 1001,
    publisherId: null,
  });
  assert.deepEqual(await findAccount(db, 'planet-report-token', 0), {
    demandPartnerId: null,
    publisherId: 2001,
  });
  for (const token of ['', 'acme', 'acme-report-token ', "' OR 1=1 --"]) {
    assert.equal(await findAccount(db, token, 0), null);
  }
});
