import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMsOf } from '../../../test/support/cpu.ts';
import { apiOf, AUTH_URL } from '../../../test/support/management.ts';
import { browserOf, type Headers } from '../../../test/support/session-browser.ts';
import { hashSecret } from '../../identity/passwords.ts';

const EMAIL = 'engineer@acme.example';
const PASSWORD = 'acme-password';
test('a sign-in begins a session that the browser alone keeps, and the console is told of it', async (t) => {
  const { ask, signIn, cookie, server } = await browserOf(t);
  for (const slash of ['', '/']) {
    const before = await ask('GET', `/v2/auth/session${slash}`);
    assert.deepEqual([before.status, before.body], [200, { session: null }]);
    assert.equal(before.headers['cache-control'], 'no-store');
    assert.equal(before.told, '');
  }
  const { status, body, told, headers } = await signIn('Engineer@ACME.example');
  assert.equal(status, 200);
  assert.match(
    told,
    /^rialto_session=rialto_session_[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  assert.equal(headers['cache-control'], 'no-store');
  const { csrf_token: csrf, expires_at: expires, ...others } = body.session;
  assert.match(csrf, /^[A-Za-z0-9_-]{43}$/);
  assert.ok(!cookie().includes(csrf));
  assert.ok(Math.abs(Date.parse(expires) - Date.now() - 12 * 3_600_000) < 60_000, expires);
  const self = await (await apiOf(server, EMAIL))('GET', '/self/');
  assert.deepEqual(others, {
    user: self.body,
    second_factor: { is_set_up: false, is_required: false },
    addresses: {
      auth_url: AUTH_URL,
      base_url: `${AUTH_URL}/api`,
      reporting_url: `${AUTH_URL}/reporting`,
      exchange_url: 'https://ads.example',
      tracker_url: null,
    },
  });
  assert.deepEqual((await ask('GET', '/v2/auth/session/')).body.session, body.session);
  assert.deepEqual((await ask('GET', '/api/self/')).body, self.body);
});

test('every reason not to let somebody in is told in the same words', async (t) => {
  const { signIn, server } = await browserOf(t);
  const set = async (email: string, values: object) => {
    await server.db.updateTable('users').set(values).where('email', '=', email).execute();
  };
  await set('engineer@bolt.example', { status: 'PAUSED' });
  await set('ads@planet.example', { password_hash: null });
  const told = [];
  for (const [email, password] of [
    [EMAIL, 'wrong-password'],
    [EMAIL, ''],
    ['nobody@acme.example', PASSWORD],
    ['', ''],
    ['engineer@bolt.example', 'bolt-password'],
    ['ads@planet.example', 'planet-password'],
  ] as const) {
    const { status, body, told: cookie, headers } = await signIn(email, password);
    assert.deepEqual([status, body.code, cookie], [401, 'sign_in_refused', ''], email);
    const { date: _date, ...kept } = headers;
    told.push(JSON.stringify([body, kept]));
  }
  assert.equal(new Set(told).size, 1);
});

test('every reason not to let somebody in costs the same', async (t) => {
  const { open, server } = await browserOf(t);
  const set = async (email: string, values: object) => {
    await server.db.updateTable('users').set(values).where('email', '=', email).execute();
  };
  const real = { password_hash: await hashSecret(PASSWORD) };
  await set(EMAIL, real);
  await set('engineer@bolt.example', { ...real, status: 'PAUSED' });
  await set('ads@planet.example', { password_hash: null });
  const causes = [
    [EMAIL, 'wrong-password'],
    ['nobody@acme.example', PASSWORD],
    ['engineer@bolt.example', 'bolt-password'],
    ['ads@planet.example', 'planet-password'],
  ] as const;
  const least = new Map<string, number>();
  const isAlike = (): boolean =>
    least.size === causes.length && Math.max(...least.values()) < 2 * Math.min(...least.values());
  // By turns, and on until nothing else of this process got into each of them once: who has less to do stays cheap.
  for (let round = 0; round < 20 && !(round >= 3 && isAlike()); round += 1) {
    const { signIn } = open(`192.0.2.${round}`);
    for (const [email, password] of causes) {
      const cpuMs = await cpuMsOf(async () => {
        assert.equal((await signIn(email, password)).status, 401);
      });
      least.set(email, Math.min(cpuMs, least.get(email) ?? Number.POSITIVE_INFINITY));
    }
  }
  assert.ok(isAlike(), JSON.stringify([...least]));
});

test('a sign-in comes as JSON, from no other site, and is told what is wrong with it', async (t) => {
  const { signIn, ask, cookie } = await browserOf(t);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:8081' },
  ]) {
    const { status, body } = await signIn(EMAIL, PASSWORD, headers);
    assert.deepEqual([status, body.code], [403, 'cross_site_request'], JSON.stringify(headers));
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const { status, body } = await signIn(EMAIL, PASSWORD, { 'content-type': type });
    assert.deepEqual([status, body.code], [415, 'unsupported_media_type'], type);
  }
  for (const [sent, pointer] of [
    [{ email: EMAIL }, ''],
    [{ email: EMAIL, password: 7 }, '/password'],
    [{ email: EMAIL, password: 'x'.repeat(1_001) }, '/password'],
    [{ email: 'x'.repeat(255), password: PASSWORD }, '/email'],
    [{ email: `${EMAIL}\0`, password: PASSWORD }, '/email'],
    [{ email: EMAIL, password: PASSWORD, remember: true }, '/remember'],
    [[], ''],
  ] as const) {
    const { status, body } = await ask('POST', '/v2/auth/session/', sent);
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
    assert.ok(body.errors[0].pointer.startsWith(pointer), JSON.stringify(body.errors));
    assert.ok(!JSON.stringify(body).includes(PASSWORD));
  }
  const large = await signIn(EMAIL, 'x'.repeat(40_000));
  assert.deepEqual([large.status, large.body.code], [413, 'body_too_large']);
  assert.equal(cookie(), '');
  for (const headers of [
    { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' },
    { 'sec-fetch-site': 'none' },
    { origin: AUTH_URL, host: 'behind-a-proxy' },
  ]) {
    assert.equal((await signIn(EMAIL, PASSWORD, headers)).status, 200, JSON.stringify(headers));
  }
});

test('a sign-in gets a new id always, and the browser’s session before it ends', async (t) => {
  const { signIn, cookie, ask, open } = await browserOf(t);
  await signIn();
  const first = cookie();
  const planted = `rialto_session=rialto_session_${'a'.repeat(43)}`;
  await signIn(EMAIL, PASSWORD, { cookie: planted });
  assert.notEqual(cookie(), planted);
  assert.equal((await ask('GET', '/api/self/', undefined, { cookie: first })).status, 200);
  const second = cookie();
  await signIn('operator@example.com', 'operator-password');
  assert.notEqual(cookie(), second);
  const ended = await open().ask('GET', '/api/self/', undefined, { cookie: second });
  assert.deepEqual([ended.status, ended.body.code], [401, 'session_expired']);
});

test('wrong passwords keep a network and an address waiting, and nobody else', async (t) => {
  const { signIn, open, server } = await browserOf(t);
  const answers = [];
  for (let round = 0; round < 12; round += 1) answers.push(await signIn(EMAIL, `wrong ${round}`));
  const throttled = answers.filter(({ status }) => status === 429);
  assert.ok(throttled.length >= 1 && throttled.length <= 2, `${throttled.length}`);
  const right = await signIn();
  assert.deepEqual([right.status, right.body.code], [429, 'too_many_sign_ins']);
  assert.match(String(right.headers['retry-after']), /^(?:[1-9]|10)$/);
  assert.equal((await open().signIn('ads@planet.example', 'planet-password')).status, 200);
  const metrics = await server.registry.metrics();
  assert.match(metrics, /rialto_sign_ins_total\{outcome="throttled"\} [23]\n/);
  assert.match(metrics, /rialto_sign_ins_total\{outcome="refused"\} 1[01]\n/);
  assert.match(server.log(), /people with wrong passwords are kept waiting/);
});

test('a request of a session that changes something shows the session’s own token', async (t) => {
  const { signIn, ask, open, csrf } = await browserOf(t);
  await signIn();
  const other = open();
  await other.signIn();
  const patch = (headers: Headers) =>
    ask('PATCH', '/api/demand-partners/1001/', { name: 'Acme' }, headers);
  for (const token of ['', 'x', other.csrf(), csrf().toLowerCase(), `${csrf()}a`]) {
    for (const send of [
      () => patch({ 'x-csrf-token': token }),
      () => ask('DELETE', '/v2/auth/session/', undefined, { 'x-csrf-token': token }),
      () => ask('POST', '/v2/auth/session/password/', {}, { 'x-csrf-token': token }),
      () => ask('POST', '/api/nowhere/', {}, { 'x-csrf-token': token }),
    ]) {
      const { status, body } = await send();
      assert.deepEqual([status, body.code], [403, 'invalid_csrf_token'], token);
    }
    assert.equal(
      (await ask('GET', '/api/self/', undefined, { 'x-csrf-token': token })).status,
      200,
    );
  }
  assert.notEqual((await patch({})).body?.code, 'invalid_csrf_token');
});

test('no other site uses a session, be it to read', async (t) => {
  const { signIn, ask } = await browserOf(t);
  await signIn();
  for (const site of ['cross-site', 'same-site']) {
    const headers = { 'sec-fetch-site': site };
    for (const [method, url] of [
      ['GET', '/api/self/'],
      ['POST', '/api/applications/'],
      ['DELETE', '/v2/auth/session/'],
      ['POST', '/v2/auth/session/password/'],
    ] as const) {
      const { status, body } = await ask(method, url, method === 'POST' ? {} : undefined, headers);
      assert.deepEqual([status, body.code], [403, 'cross_site_request'], `${site} ${url}`);
    }
  }
  for (const site of ['same-origin', 'none']) {
    const headers = { 'sec-fetch-site': site };
    assert.equal((await ask('GET', '/api/self/', undefined, headers)).status, 200);
  }
});

test('who signs out is out, also in another tab that was left open', async (t) => {
  const { signIn, ask, cookie } = await browserOf(t);
  await signIn();
  const before = cookie();
  const { status, told, headers } = await ask('DELETE', '/v2/auth/session/');
  assert.equal(status, 204);
  assert.equal(told, 'rialto_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax');
  assert.equal(headers['cache-control'], 'no-store');
  const tab = await ask('GET', '/api/self/', undefined, { cookie: before });
  assert.deepEqual([tab.status, tab.body.code], [401, 'session_expired']);
  assert.equal(tab.headers['www-authenticate'], 'Bearer realm="rialto"');
  const asked = await ask('GET', '/v2/auth/session/', undefined, { cookie: before });
  assert.deepEqual([asked.body, /Max-Age=0/.test(asked.told)], [{ session: null }, true]);
  assert.equal((await ask('DELETE', '/v2/auth/session/')).status, 204, 'and once more');
});

test('without a session and without a token the API answers as it does to programs', async (t) => {
  const { ask, signIn } = await browserOf(t);
  const { status, body, headers } = await ask('GET', '/api/self/');
  assert.deepEqual([status, body.code], [401, 'missing_token']);
  assert.equal(headers['www-authenticate'], 'Bearer realm="rialto"');
  const change = await ask('POST', '/v2/auth/session/password/', {});
  assert.deepEqual([change.status, change.body.code], [401, 'session_expired']);
  await signIn();
  const both = await ask('GET', '/api/self/', undefined, { authorization: 'Bearer none' });
  assert.deepEqual([both.status, both.body.code], [401, 'invalid_token']);
});

test('other methods are refused with those that there are', async (t) => {
  const { ask } = await browserOf(t);
  for (const slash of ['', '/']) {
    for (const [method, url, allow] of [
      ['PUT', '/v2/auth/session', 'GET, POST, DELETE, HEAD, OPTIONS'],
      ['PATCH', '/v2/auth/session', 'GET, POST, DELETE, HEAD, OPTIONS'],
      ['GET', '/v2/auth/session/password', 'POST, OPTIONS'],
      ['DELETE', '/v2/auth/session/password', 'POST, OPTIONS'],
    ] as const) {
      const { status, body, headers } = await ask(method, `${url}${slash}`);
      assert.deepEqual([status, body.code, headers['allow']], [405, 'method_not_allowed', allow]);
    }
  }
});

test('what somebody does in the console stands under their address in the audit log', async (t) => {
  const { signIn, ask, server } = await browserOf(t);
  await signIn();
  assert.equal((await ask('POST', '/api/applications/', { name: 'Made here' })).status, 201);
  const entry = await server.db
    .selectFrom('audit_log')
    .select(['actor', 'client_id', 'action'])
    .where('resource', '=', 'application')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  assert.deepEqual(entry, { actor: EMAIL, client_id: null, action: 'created' });
});

test('who changes their password goes on in this browser alone', async (t) => {
  const { signIn, ask, open } = await browserOf(t);
  const other = open();
  await other.signIn();
  await signIn();
  const change = (password: string, next: string) =>
    ask('POST', '/v2/auth/session/password/', { password, new_password: next });
  for (const [password, next, pointer] of [
    ['wrong-password', 'long enough', '/password'],
    [PASSWORD, 'short', '/new_password'],
    [PASSWORD, 'x'.repeat(1_001), '/new_password'],
  ] as const) {
    const { status, body } = await change(password, next);
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
    assert.equal(body.errors[0].pointer, pointer);
    assert.ok(!JSON.stringify(body).includes(next));
  }
  assert.equal((await change(PASSWORD, 'long enough')).status, 204);
  assert.equal((await ask('GET', '/api/self/')).status, 200);
  const ended = await other.ask('GET', '/api/self/');
  assert.deepEqual([ended.status, ended.body.code], [401, 'session_expired']);
  assert.equal((await open().signIn()).status, 401);
  assert.equal((await open().signIn(EMAIL, 'long enough')).status, 200);
});

test('a stolen session is no way to guess the password', async (t) => {
  const { signIn, ask } = await browserOf(t);
  await signIn();
  const statuses = [];
  for (let round = 0; round < 12; round += 1) {
    const body = { password: `wrong ${round}`, new_password: 'long enough' };
    statuses.push((await ask('POST', '/v2/auth/session/password/', body)).status);
  }
  assert.ok(statuses.includes(429), statuses.join(' '));
});

test('what a page asks for while nobody touches it does not keep the session open', async (t) => {
  const { ask, signIn, server } = await browserOf(t);
  await signIn();
  const hourAgoMs = Date.now() - 3_600_000;
  await server.db.updateTable('sessions').set({ last_used_at: hourAgoMs }).execute();
  const lastUsed = async () =>
    (await server.db.selectFrom('sessions').select('last_used_at').executeTakeFirst())
      ?.last_used_at;
  for (const url of ['/api/self/', '/v2/auth/session/']) {
    const { status } = await ask('GET', url, undefined, { 'x-unattended': '1' });
    assert.equal(status, 200);
    assert.equal(await lastUsed(), hourAgoMs, url);
  }
  await ask('GET', '/api/self/');
  assert.ok(Number(await lastUsed()) > hourAgoMs);
});

test('who is paused is out at once', async (t) => {
  const { signIn, ask, server } = await browserOf(t);
  const { body } = await signIn();
  const operator = await apiOf(server, 'operator@example.com');
  const path = `/users/${body.session.user.id}/`;
  assert.equal((await operator('PATCH', path, { status: 'PAUSED' })).status, 200);
  assert.equal((await ask('GET', '/api/self/')).body.code, 'session_expired');
  await operator('PATCH', path, { status: 'ACTIVE' });
  assert.equal((await ask('GET', '/api/self/')).body.code, 'session_expired');
});

test('sign-ins stand in the audit log with their address and outcome, the failed ones too', async (t) => {
  const { signIn, open, server } = await browserOf(t);
  await signIn();
  await open('203.0.113.9').signIn(EMAIL, 'wrong-password');
  await open('203.0.113.9').signIn('Nobody@acme.example', 'wrong-password');
  const operator = await apiOf(server, 'operator@example.com');
  const { body } = await operator('GET', '/audit-log/?resource=user&sort=id');
  const told = body
    .filter(({ action }: { action: string }) => action.startsWith('sign'))
    .map((entry: { action: string; actor: string; changes: { after: unknown }[] }) => [
      entry.action,
      entry.actor,
      ...entry.changes.map(({ after }) => after),
    ]);
  assert.deepEqual(told, [
    ['signed_in', EMAIL, '192.0.2.1', 'accepted'],
    ['sign_in_failed', EMAIL, '203.0.113.9', 'refused'],
    ['sign_in_failed', 'nobody@acme.example', '203.0.113.9', 'refused'],
  ]);
  const failed = await operator('GET', '/audit-log/?action=sign_in_failed');
  assert.equal(failed.body.length, 2);
  assert.doesNotMatch(JSON.stringify(body), /wrong-password/);
});
