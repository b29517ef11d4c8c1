import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { fastify } from 'fastify';
import { apiOf, openManagement, type ManagementServer } from '../../../test/support/management.ts';
import { openTestStore } from '../../../test/support/configuration-store.ts';
import { RialtoError } from '../../base/errors.ts';
import { createLogger } from '../../base/logger.ts';
import {
  choosePassword,
  createFirstOperator,
  findOpenLink,
  offerFirstOperator,
} from '../../configuration/one-time-link-store.ts';
import { linkHash, makeLink, type OpenLink } from '../../identity/one-time-links.ts';
import { verifySecret } from '../../identity/passwords.ts';
import { registerLinks, type LinkParts } from './routes.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const { token: TOKEN } = makeLink('invitation', 7, 0);

/** The pages over links that the test makes up. */
function pagesOf(t: { after(fn: () => unknown): void }, differs: Partial<LinkParts> = {}) {
  const stream = new PassThrough();
  let log = '';
  stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const state = { nowMs: 0, hashed: 0, found: 0 };
  const link: OpenLink = {
    purpose: 'invitation',
    user: { id: 7, email: 'a@b.example' },
    offersApplication: true,
  };
  let used = false;
  const app = fastify();
  registerLinks(app, {
    find: async (token) => {
      state.found += 1;
      return token === TOKEN && !used ? link : null;
    },
    choosePassword: async () => {
      if (used) return { outcome: 'closed' };
      used = true;
      return { outcome: 'done', userId: 7, email: 'a@b.example' };
    },
    makeApplication: async (userId) => ({ clientId: `app-of-${userId}`, secret: 'shown-once' }),
    authUrl: 'https://rialto.example',
    createFirstOperator: async () => ({ outcome: 'closed' }),
    endSecondFactor: async () => ({ outcome: 'closed' }),
    hashSecret: async (plain) => {
      state.hashed += 1;
      return `hash of ${plain}`;
    },
    addressOf: (request) => request.ip,
    now: () => state.nowMs,
    logger: createLogger({ level: 'trace', role: 'control' }, stream),
    ...differs,
  });
  t.after(() => app.close());
  const get = (token: string, remoteAddress = '192.0.2.1') =>
    app.inject({ url: `/v2/auth/link/?token=${encodeURIComponent(token)}`, remoteAddress });
  const post = (fields: Record<string, string>, headers: Record<string, string> = FORM) =>
    app.inject({
      method: 'POST',
      url: '/v2/auth/link/',
      headers,
      body: new URLSearchParams(fields).toString(),
      remoteAddress: '192.0.2.1',
    });
  return { app, get, post, state, log: () => log };
}

const CHOICE = { token: TOKEN, password: 'long-enough', again: 'long-enough' };

test('who has chosen a password is led to where they sign in, and to nothing else', async (t) => {
  for (const differs of [{}, { application: 'yes' }]) {
    const { body } = await pagesOf(t).post({ ...CHOICE, ...differs });
    assert.deepEqual(body.match(/<a [^>]*>[^<]*<\/a>/g), ['<a href="/">Sign in</a>']);
  }
});

test('who wants an application gets its secret with the password, and others do not', async (t) => {
  const { body } = await pagesOf(t).post({ ...CHOICE, application: 'yes' });
  for (const told of ['app-of-7', 'shown-once', 'login --url https://rialto.example']) {
    assert.ok(body.includes(told), told);
  }
  assert.doesNotMatch((await pagesOf(t).post(CHOICE)).body, /shown-once/);
});

test('what an application signs in with has buttons that copy it, by the one script that may run', async (t) => {
  const { headers, body } = await pagesOf(t).post({ ...CHOICE, application: 'yes' });
  const [, script = ''] = /<script>(.*)<\/script>/.exec(body) ?? [];
  assert.doesNotThrow(() => new Script(`(async () => {${script}})()`));
  const hash = createHash('sha256').update(script).digest('base64');
  assert.ok(String(headers['content-security-policy']).includes(`script-src 'sha256-${hash}'`));
  for (const value of ['app-of-7', 'shown-once', 'npx rialto login']) {
    assert.match(body, new RegExp(`<code>${value}[^<]*</code><button [^>]*hidden>Copy</button>`));
  }
});

test('the page works without a script, loads nothing, and tells nobody its address', async (t) => {
  const { get, post } = pagesOf(t);
  for (const answer of [await get(TOKEN), await get('none'), await post(CHOICE)]) {
    const { headers, body } = answer;
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    const policy = String(headers['content-security-policy']);
    for (const part of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"]) {
      assert.ok(policy.includes(part), part);
    }
    const [, style = ''] = /<style>(.*)<\/style>/.exec(body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    assert.ok(
      policy.includes(`style-src 'sha256-${hash}'`),
      'the style is the one that is allowed',
    );
    assert.match(body, /<meta name="viewport" content="width=device-width, initial-scale=1">/);
    assert.doesNotMatch(body, /<script|\son\w+=|style=|src=|https?:/i);
  }
});

test('a form with two equal passwords of eight characters sets the password, once', async (t) => {
  const { get, post, state } = pagesOf(t);
  const form = await get(TOKEN);
  assert.equal(form.statusCode, 200);
  assert.match(form.body, /<form method="post" action="\?">/);
  assert.match(form.body, new RegExp(`name="token" value="${TOKEN}"`));
  for (const [differs, said] of [
    [{ password: 'short', again: 'short' }, /8 to 1,000 characters/],
    [{ again: 'long-enougH' }, /The two passwords differ/],
    [{ password: '', again: '' }, /8 to 1,000 characters/],
    [{ password: 'x'.repeat(1_001), again: 'x'.repeat(1_001) }, /8 to 1,000/],
  ] as const) {
    const refused = await post({ ...CHOICE, ...differs });
    assert.equal(refused.statusCode, 400);
    assert.match(refused.body, said);
    assert.ok(!refused.body.includes('long-enoug'), 'no password is sent back');
  }
  assert.equal(state.hashed, 0);
  const done = await post(CHOICE);
  assert.deepEqual([done.statusCode, /is set/.test(done.body)], [200, true]);
  assert.ok(!done.body.includes(TOKEN));
  assert.equal((await post(CHOICE)).statusCode, 410);
});

test('of forms that come at the same time one sets the password, and one is hashed', async (t) => {
  const { post, state } = pagesOf(t);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(CHOICE)));
  const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 410)]);
  assert.equal(state.hashed, 1);
});

test('every address that opens nothing is answered with the same page', async (t) => {
  const { app, get, post } = pagesOf(t);
  const closed = await get('');
  assert.equal(closed.statusCode, 410);
  const { token } = makeLink('password', 1, 0);
  for (const answer of [
    await get(token),
    await get(`${TOKEN}x`),
    await get('"><script>alert(1)</script>'),
    await post({ ...CHOICE, token }),
    await app.inject({ url: '/v2/auth/link' }),
    await app.inject({ url: `/v2/auth/link/?token=${TOKEN}&token=${TOKEN}` }),
  ]) {
    assert.deepEqual([answer.statusCode, answer.body], [410, closed.body]);
  }
});

test('what is no form of the page is refused, and told so', async (t) => {
  const { app, post } = pagesOf(t);
  const json = await post(CHOICE, { 'content-type': 'application/json' });
  const large = await post({ ...CHOICE, password: 'x'.repeat(40_000) });
  const twice = await app.inject({
    method: 'POST',
    url: '/v2/auth/link/',
    headers: FORM,
    body: `token=${TOKEN}&password=12345678&password=87654321`,
  });
  const empty = await app.inject({ method: 'POST', url: '/v2/auth/link/' });
  const other = await app.inject({ method: 'DELETE', url: '/v2/auth/link/' });
  assert.deepEqual(
    [json, large, twice, empty, other].map(({ statusCode }) => statusCode),
    [415, 413, 400, 400, 405],
  );
  for (const { body } of [json, large, twice, empty]) assert.match(body, /Open the link again/);
});

test('an address that tries fifty links that are none waits; others, and good links, do not', async (t) => {
  const { get, state } = pagesOf(t);
  for (let round = 0; round < 60; round += 1) assert.equal((await get(TOKEN)).statusCode, 200);
  for (let round = 0; round < 50; round += 1) assert.equal((await get('none')).statusCode, 410);
  const { found } = state;
  const waits = await get(TOKEN);
  assert.deepEqual([waits.statusCode, waits.headers['retry-after']], [429, '2']);
  assert.equal(state.found, found, 'nothing was looked at');
  assert.equal((await get(TOKEN, '192.0.2.2')).statusCode, 200);
  state.nowMs += 2_000;
  assert.equal((await get(TOKEN)).statusCode, 200);
});

test('a process with too much to hash says so, and what fails is logged without the link', async (t) => {
  const busy = pagesOf(t, { hashSecret: () => Promise.reject(new RialtoError('overloaded')) });
  const later = await busy.post(CHOICE);
  assert.deepEqual([later.statusCode, later.headers['retry-after']], [503, '1']);
  const failing = pagesOf(t, { find: () => Promise.reject(new Error('the disk is gone')) });
  const failed = await failing.get(TOKEN);
  assert.equal(failed.statusCode, 500);
  assert.match(failing.log(), /the disk is gone/);
  assert.ok(!failing.log().includes(TOKEN) && !failed.body.includes('disk'));
});

test('an address that somebody has chosen to be hostile stands on the page as text', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, 'operator@example.com');
  const email = `"><script>alert('x')</script><b&amp;@evil.example`;
  const made = await api('POST', '/users/', { email, groups: ['operator'] });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const page = await server.app.inject({ url: made.body.invitation.url });
  assert.equal(page.statusCode, 200);
  assert.ok(!page.body.includes('<script') && !page.body.includes('<b&'));
  const shown =
    '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&lt;b&amp;amp;@evil.example';
  assert.ok(page.body.includes(`value="${shown}"`));
});

/** The page of a link that was just made, and what it answers to a form. */
async function use({ app }: Pick<ManagementServer, 'app'>, fields: Record<string, string>) {
  return app.inject({
    method: 'POST',
    url: '/v2/auth/link/',
    headers: FORM,
    body: new URLSearchParams({
      password: 'long-enough',
      again: 'long-enough',
      ...fields,
    }).toString(),
  });
}

test('the first operator is made once, and never where there is one', async (t) => {
  const server = await openManagement(t, () => 'exchange: {}\n');
  const { db, app } = server;
  const older = await offerFirstOperator(db, Date.now());
  const link = await offerFirstOperator(db, Date.now());
  assert.ok(older !== null && link !== null);
  assert.equal(await findOpenLink(db, older.token, Date.now()), null, 'a newer one ends it');
  const form = await app.inject({ url: `/v2/auth/link/?token=${link.token}` });
  assert.match(form.body, /<input id="email" name="email" type="email"/);
  const refused = await use(server, { token: link.token, email: '<b>"@' });
  assert.equal(refused.statusCode, 400);
  assert.match(refused.body, /value="&lt;b&gt;&quot;@"/);
  const emails = ['one@example.com', 'two@example.com'];
  const both = await Promise.all(
    emails.map((email) =>
      createFirstOperator(db, { token: link.token, passwordHash: 'hash', email }, Date.now()),
    ),
  );
  const outcomes = both.map(({ outcome }) => outcome);
  assert.deepEqual(outcomes.toSorted(), ['closed', 'done']);
  const users = await db.selectFrom('users').selectAll().execute();
  assert.deepEqual(
    users.map(({ email, role, status, password_hash: hash }) => [email, role, status, hash]),
    [[emails[outcomes.indexOf('done')], 'OPERATOR', 'ACTIVE', 'hash']],
  );
  assert.equal(await offerFirstOperator(db, Date.now()), null);
});

test('a first operator’s link dies when a configuration file brings an operator', async (t) => {
  const server = await openManagement(t);
  const { db } = server;
  const { token, purpose, createdMs, expiresMs } = makeLink('first_operator', null, Date.now());
  await db
    .insertInto('one_time_links')
    .values({
      token_hash: linkHash(token),
      user_id: null,
      purpose,
      created_at: createdMs,
      expires_at: expiresMs,
    })
    .execute();
  assert.equal((await use(server, { token, email: 'x@example.com' })).statusCode, 410);
});

test('the page makes the first operator, whose password is the one that was chosen', async (t) => {
  const server = await openManagement(t, () => 'exchange: {}\n');
  const link = await offerFirstOperator(server.db, Date.now());
  const done = await use(server, { token: link?.token ?? '', email: ' Ops@Example.com ' });
  assert.equal(done.statusCode, 200, done.body);
  assert.match(done.body, /first operator/);
  const user = await server.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
  assert.equal(user.email, 'ops@example.com');
  assert.equal(await verifySecret('long-enough', user.password_hash), true);
});

test('a link ends with its time, and a password that is chosen late is not set', async (t) => {
  const { db } = await openTestStore(t);
  const made = await offerFirstOperator(db, 0);
  assert.ok(made !== null);
  const { token, expiresMs } = made;
  assert.equal(expiresMs, 86_400_000);
  assert.notEqual(await findOpenLink(db, token, expiresMs - 1), null);
  assert.equal(await findOpenLink(db, token, expiresMs), null);
  const passwordHash = 'hash';
  assert.deepEqual(await choosePassword(db, { token, passwordHash }, 1), { outcome: 'closed' });
  const late = await createFirstOperator(
    db,
    { token, passwordHash, email: 'a@b.example' },
    expiresMs,
  );
  assert.deepEqual(late, { outcome: 'closed' });
});
