import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestStore } from '../../test/support/configuration-store.ts';
import { readAuditLog } from './audit-log.ts';
import { SignInLog } from './sign-in-log.ts';

const ALL = { limit: 1_000, offset: 0, oldestFirst: true };

test('failed sign-ins are written as long as they are not too many, successful ones always', async (t) => {
  const { db } = await openTestStore(t);
  let nowMs = 1_700_000_000_000;
  const log = new SignInLog(db, () => nowMs);
  const fails = (outcome: 'refused' | 'throttled', email = 'a@b.example') =>
    log.note({ email, userId: null, address: '192.0.2.1', outcome });
  const lines = async () => (await readAuditLog(db, {}, ALL)).lines;
  for (let each = 0; each < 5; each += 1) await fails('throttled');
  assert.equal((await lines()).length, 1, 'what was not looked at, once a minute');
  nowMs += 60_000;
  await fails('throttled');
  await fails('throttled', 'b@b.example');
  assert.equal((await lines()).length, 3);
  for (let each = 0; each < 210; each += 1) await fails('refused');
  assert.equal((await lines()).length, 200 + 1, 'the one before has come back');
  await log.note({ email: 'c@b.example', userId: 7, address: null, outcome: 'accepted' });
  const last = (await lines()).at(-1);
  assert.deepEqual([last?.action, last?.actor, last?.userId], ['signed_in', 'c@b.example', 7]);
});

test('an address that no store could hold is written as far as it can be', async (t) => {
  const { db } = await openTestStore(t);
  const log = new SignInLog(db, Date.now);
  const email = `a\0\ud800${'x'.repeat(300)}`;
  await log.note({ email, userId: null, address: null, outcome: 'refused' });
  const { lines } = await readAuditLog(db, {}, ALL);
  assert.equal(lines[0]?.actor, `a\ufffd${'x'.repeat(252)}`);
});
