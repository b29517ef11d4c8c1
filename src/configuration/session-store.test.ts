import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  applyQuickly,
  openTestStore,
  readExample,
} from '../../test/support/configuration-store.ts';
import { dumpStore } from '../../test/support/store-dump.ts';
import { makeLink } from '../identity/one-time-links.ts';
import type { PasswordUser } from '../identity/session-store.ts';
import { Sessions, SESSIONS_MAX } from '../identity/sessions.ts';
import { choosePassword, replaceLink } from './one-time-link-store.ts';
import { changePassword, createSessionStore } from './session-store.ts';

const START_MS = 1_700_000_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const EMAIL = 'engineer@acme.example';

/** Sessions over a store with the example's users; the clock stands until the test moves it. */
async function sessionsOf(t: TestContext) {
  const { db } = await openTestStore(t);
  await applyQuickly(db, await readExample());
  const store = createSessionStore(db);
  const clock = { nowMs: START_MS };
  const sessions = new Sessions({
    store,
    now: () => clock.nowMs,
    onUnnoted: (error) => assert.fail(String(error)),
  });
  const userOf = async (email = EMAIL): Promise<PasswordUser> => {
    const user = await store.findPasswordUser(email);
    assert.ok(user !== null, email);
    return user;
  };
  const begin = async (email = EMAIL): Promise<string> => {
    const id = await sessions.begin(await userOf(email), null);
    assert.ok(id !== null);
    return id;
  };
  const use = async (id: string) => {
    const session = await sessions.find(id);
    return session === null ? null : sessions.noteUse(session);
  };
  const rows = () => db.selectFrom('sessions').selectAll().orderBy('created_at').execute();
  return { db, store, sessions, clock, userOf, begin, use, rows };
}

test('a session leads to its user, with both scopes and without an application', async (t) => {
  const { db, sessions, begin, rows } = await sessionsOf(t);
  for (const [email, role, entityId] of [
    ['operator@example.com', 'operator', null],
    [EMAIL, 'demand-partner', 1001],
    ['ads@planet.example', 'publisher', 2001],
  ] as const) {
    const id = await begin(email);
    const session = await sessions.find(id);
    assert.ok(session !== null);
    const { userId, ...caller } = session.caller;
    assert.equal(typeof userId, 'number');
    const scope = ['read', 'write'];
    assert.deepEqual(caller, { email, role, entityId, clientId: null, status: 'ACTIVE', scope });
    assert.ok(!(await dumpStore(db)).includes(id.slice(-20)), 'the id is stored nowhere');
  }
  assert.equal((await rows()).length, 3);
});

test('what is no id of a session opens nothing', async (t) => {
  const { sessions, begin } = await sessionsOf(t);
  const id = await begin();
  for (const wrong of [
    '',
    id.slice(0, -1),
    `${id}a`,
    id.toUpperCase(),
    `${id}\0`,
    'x'.repeat(9_999),
  ]) {
    assert.equal(await sessions.find(wrong), null);
    await sessions.end(wrong);
  }
  assert.ok((await sessions.find(id)) !== null);
});

test('a session ends after twelve hours without use, and says so', async (t) => {
  const { sessions, clock, begin, use } = await sessionsOf(t);
  const id = await begin();
  assert.equal((await sessions.find(id))?.expiresMs, START_MS + 12 * HOUR_MS);
  clock.nowMs = START_MS + 12 * HOUR_MS - 1;
  assert.equal((await use(id))?.expiresMs, clock.nowMs + 12 * HOUR_MS);
  clock.nowMs += 12 * HOUR_MS - 1;
  assert.ok((await sessions.find(id)) !== null);
  clock.nowMs += 1;
  assert.equal(await sessions.find(id), null);
});

test('a session ends after seven days however much it is used', async (t) => {
  const { sessions, clock, begin, use } = await sessionsOf(t);
  const id = await begin();
  for (let hours = 0; hours < 7 * 24; hours += 8) {
    clock.nowMs = START_MS + hours * HOUR_MS;
    assert.ok((await use(id)) !== null, `${hours} h`);
  }
  clock.nowMs = START_MS + 7 * DAY_MS - 1;
  assert.equal((await sessions.find(id))?.expiresMs, START_MS + 7 * DAY_MS);
  clock.nowMs += 1;
  assert.equal(await sessions.find(id), null);
});

test('a use is written at most once a minute', async (t) => {
  const { clock, begin, use, rows } = await sessionsOf(t);
  const id = await begin();
  for (const [afterMs, notedMs] of [
    [MINUTE_MS - 1, 0],
    [MINUTE_MS, MINUTE_MS],
    [2 * MINUTE_MS - 1, MINUTE_MS],
  ] as const) {
    clock.nowMs = START_MS + afterMs;
    await use(id);
    assert.equal((await rows())[0]?.last_used_at, START_MS + notedMs);
  }
});

test('a use that cannot be noted keeps nobody out', async (t) => {
  const { store, clock, begin } = await sessionsOf(t);
  const id = await begin();
  const told: unknown[] = [];
  const broken = new Sessions({
    store: { ...store, noteSessionUse: () => Promise.reject(new Error('full')) },
    now: () => clock.nowMs + HOUR_MS,
    onUnnoted: (error) => told.push(error),
  });
  const session = await broken.find(id);
  assert.ok(session !== null);
  assert.deepEqual(await broken.noteUse(session), session);
  assert.match(String(told), /full/);
});

test('the twenty-first session of a user ends the oldest, and no other user’s', async (t) => {
  const { sessions, clock, begin, rows } = await sessionsOf(t);
  const other = await begin('operator@example.com');
  const ids: string[] = [];
  for (let index = 0; index <= SESSIONS_MAX; index += 1) {
    clock.nowMs += 1;
    ids.push(await begin());
  }
  const [oldest = '', second = ''] = ids;
  assert.equal(await sessions.find(oldest), null);
  for (const id of [second, other]) assert.ok((await sessions.find(id)) !== null);
  assert.equal((await rows()).length, SESSIONS_MAX + 1);
});

test('the next sign-in removes the rows of sessions that have ended', async (t) => {
  const { clock, begin, use, rows } = await sessionsOf(t);
  await begin();
  const used = await begin('operator@example.com');
  clock.nowMs += 11 * HOUR_MS;
  await use(used);
  clock.nowMs += HOUR_MS;
  await begin('ads@planet.example');
  assert.deepEqual(
    (await rows()).map(({ created_at: at }) => at - START_MS),
    [0, 12 * HOUR_MS],
  );
  clock.nowMs = START_MS + 30 * DAY_MS;
  await begin();
  assert.equal((await rows()).length, 1);
});

test('whoever is paused, or whose partner is archived, is out at once and stays out', async (t) => {
  const { db, sessions, userOf, begin, rows } = await sessionsOf(t);
  const file = await readExample();
  const change = async (from: string, to: string) => {
    assert.ok(file.includes(from), from);
    const applied = await applyQuickly(db, file.replace(from, to));
    assert.ok(applied.ok);
  };
  const active = 'name: Acme DSP\n    status: ACTIVE';
  for (const [from, to] of [
    [`email: ${EMAIL}`, `email: ${EMAIL}\n        status: PAUSED`],
    [active, 'name: Acme DSP\n    status: ARCHIVED'],
  ] as const) {
    const user = await userOf();
    const id = await begin();
    await change(from, to);
    assert.equal(await sessions.find(id), null);
    assert.equal((await rows()).length, 0);
    assert.equal(await sessions.begin(user, null), null, 'who was verified before');
    await change(`email: ${EMAIL}`, `email: ${EMAIL}\n        status: ACTIVE`);
    assert.equal(await sessions.find(id), null);
    assert.ok((await begin()) !== '');
  }
});

test('a password that is chosen by a link ends all sessions of its user, and no others', async (t) => {
  const { db, sessions, userOf, begin } = await sessionsOf(t);
  const before = await userOf();
  const ids = [await begin(), await begin()];
  const other = await begin('operator@example.com');
  const link = makeLink('password', before.id, START_MS);
  await db.transaction().execute((transaction) => replaceLink(transaction, link));
  const use = { token: link.token, passwordHash: 'another hash' };
  assert.equal((await choosePassword(db, use, START_MS)).outcome, 'done');
  for (const id of ids) assert.equal(await sessions.find(id), null);
  assert.ok((await sessions.find(other)) !== null);
  assert.equal(
    await sessions.begin(before, null),
    null,
    'the password that was verified is another',
  );
});

test('a password that its owner changes ends the other sessions, and is in the audit log', async (t) => {
  const { db, sessions, userOf, begin } = await sessionsOf(t);
  const user = await userOf();
  const [mine, another] = [await begin(), await begin()];
  const sessionHash = (await sessions.find(mine))?.hash ?? '';
  const change = { user, newHash: 'another hash', sessionHash };
  assert.equal(await changePassword(db, change, START_MS), true);
  assert.ok((await sessions.find(mine)) !== null);
  assert.equal(await sessions.find(another), null);
  assert.equal((await userOf()).passwordHash, 'another hash');
  assert.equal(await changePassword(db, change, START_MS), false, 'it is another meanwhile');
  const entries = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource', '=', 'user')
    .where('action', '=', 'updated')
    .execute();
  const [entry] = entries;
  assert.equal(entries.length, 1);
  assert.deepEqual(
    [entry?.actor, entry?.user_id, entry?.client_id, entry?.resource_id],
    [EMAIL, user.id, null, EMAIL],
  );
  assert.ok(!(entry?.changes ?? '').includes('hash'));
});

test('who has no password, and an address that no store can hold, is nobody to sign in', async (t) => {
  const { db, store, userOf } = await sessionsOf(t);
  assert.equal((await userOf('ENGINEER@acme.example')).email, EMAIL);
  assert.equal(await store.findPasswordUser('nobody@acme.example'), null);
  assert.equal(await store.findPasswordUser(`${EMAIL}\0`), null);
  const change = db.updateTable('users').set({ password_hash: null });
  await change.where('email', '=', EMAIL).execute();
  assert.equal(await store.findPasswordUser(EMAIL), null);
});
