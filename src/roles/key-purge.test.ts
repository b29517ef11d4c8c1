import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { openTestStore } from '../../test/support/configuration-store.ts';
import { KEY_KEPT_MS } from '../configuration/idempotency-keys.ts';
import { purgeKeysDaily } from './key-purge.ts';

const NOW_MS = 1_800_000_000_000;

test('keys of a day ago are removed, of users too who send no more, and all others stay', async (t) => {
  const { db } = await openTestStore(t);
  const keyOf = (user_id: number, at: number, claimed_at: number) => ({
    user_id,
    address: '/api/things',
    key: `key ${at}`,
    body_hash: 'none',
    claimed_at,
    answer: null,
  });
  const rows = [
    ...Array.from({ length: 1_500 }, (_, at) => keyOf(at % 3, at, NOW_MS - KEY_KEPT_MS - at)),
    keyOf(0, 2_000, NOW_MS - KEY_KEPT_MS + 1),
    keyOf(1, 2_000, NOW_MS),
  ];
  for (let at = 0; at < rows.length; at += 500) {
    await db
      .insertInto('idempotency_keys')
      .values(rows.slice(at, at + 500))
      .execute();
  }
  await purgeKeysDaily({ db, logger: pino({ level: 'silent' }), now: () => NOW_MS })();
  const left = await db
    .selectFrom('idempotency_keys')
    .select(['user_id', 'key'])
    .orderBy('user_id')
    .execute();
  assert.deepEqual(left, [
    { user_id: 0, key: 'key 2000' },
    { user_id: 1, key: 'key 2000' },
  ]);
});
