import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { apiOf } from '../../../test/support/management.ts';
import { browserOf } from '../../../test/support/session-browser.ts';

const EMAIL = 'engineer@acme.example';
const PASSWORD = 'acme-password';
const SESSION = '/v2/auth/session/';
const FACTOR = `${SESSION}second-factor/`;

/** A browser of Acme's engineer, who can make codes. */
async function openEngineer(t: Parameters<typeof browserOf>[0]) {
  const opened = await browserOf(t);
  await opened.signIn();
  const { db } = opened.server;
  const show = (browser: Pick<typeof opened, 'ask'>, code?: string, password = PASSWORD) =>
    browser.ask('POST', SESSION, { email: EMAIL, password, ...(code && { code }) });
  /** The code of a step from now: clocks may differ by one. */
  const codeOf = (secret: string, step = 0): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: Date.now() + step * 30_000,
    });
  const setUp = async (): Promise<string> => {
    const { status, body } = await opened.ask('POST', FACTOR, { password: PASSWORD });
    assert.equal(status, 200);
    const { secret } = body;
    const code = codeOf(secret, -1);
    assert.equal((await opened.ask('POST', `${FACTOR}confirm/`, { code })).status, 204);
    return secret;
  };
  /** As if the last code had been used long ago. */
  const forget = () => db.updateTable('second_factors').set({ last_step: 0 }).execute();
  const operator = await apiOf(opened.server, 'operator@example.com');
  const engineer = (await operator('GET', `/users/?email=${EMAIL}`)).body[0];
  return { ...opened, show, codeOf, setUp, forget, operator, path: `/users/${engineer.id}` };
}

test('a second factor is set up with the password and a code, and asked for from then on', async (t) => {
  const { ask, open, show, codeOf, operator, path } = await openEngineer(t);
  const other = open();
  await other.signIn();
  const wrong = await ask('POST', FACTOR, { password: 'wrong' });
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/password']);
  const none = await ask('POST', `${FACTOR}confirm/`, { code: '000000' });
  assert.equal(none.status, 400);

  const { secret: first } = (await ask('POST', FACTOR, { password: PASSWORD })).body;
  const { body: offered } = await ask('POST', FACTOR, { password: PASSWORD });
  assert.match(offered.uri, /^otpauth:\/\/totp\/Rialto:engineer%40acme\.example\?/);
  assert.ok(offered.uri.includes(offered.secret));
  assert.equal((await show(open())).status, 200, 'it does not count before its first code');
  const old = await ask('POST', `${FACTOR}confirm/`, { code: codeOf(first) });
  assert.equal(old.body.errors[0].pointer, '/code');
  const code = codeOf(offered.secret, -1);
  assert.equal((await ask('POST', `${FACTOR}confirm/`, { code })).status, 204);
  const { second_factor: told } = (await ask('GET', SESSION)).body.session;
  assert.deepEqual(told, { is_set_up: true, is_required: false });
  assert.equal((await operator('GET', `${path}/`)).body.has_second_factor, true);
  assert.equal((await other.ask('GET', '/api/self/')).body.code, 'session_expired');
  assert.equal((await ask('POST', FACTOR, { password: PASSWORD })).status, 400, 'there is one');

  const fresh = open();
  const missing = await show(fresh);
  assert.deepEqual([missing.status, missing.body.code], [401, 'code_required']);
  const guess = await show(fresh, '000000', 'wrong-password');
  assert.equal(guess.body.code, 'sign_in_refused', 'a code says nothing without the password');
  const replayed = await show(fresh, code);
  assert.deepEqual([replayed.status, replayed.body.code], [401, 'code_refused']);
  assert.equal((await show(fresh, codeOf(offered.secret))).status, 200);
  assert.equal((await show(open(), codeOf(offered.secret))).body.code, 'code_refused', 'used');
  assert.equal((await show(open(), codeOf(offered.secret, 1))).status, 200);
});

test('a right password without a code stands in the audit log', async (t) => {
  const { open, show, setUp, operator } = await openEngineer(t);
  await setUp();
  assert.equal((await show(open())).body.code, 'code_required');
  const { body: log } = await operator('GET', `/audit-log/?resource_id=${EMAIL}&sort=-id&limit=1`);
  const [{ action, actor, changes }] = log;
  assert.deepEqual([action, actor], ['code_asked', EMAIL]);
  assert.deepEqual(changes.at(-1), { field: 'outcome', after: 'code_required' });
});

test('one code lets in once, also of browsers that show it at the same time', async (t) => {
  const { open, show, codeOf, setUp } = await openEngineer(t);
  const code = codeOf(await setUp(), 1);
  const statuses = await Promise.all(
    Array.from({ length: 4 }, async () => (await show(open(), code)).status),
  );
  assert.equal(statuses.filter((status) => status === 200).length, 1);
  assert.equal(statuses.filter((status) => status === 401).length, 3);
});

test('wrong codes keep their user waiting, wherever they come from', async (t) => {
  const { open, show, codeOf, setUp, forget, server, signIn } = await openEngineer(t);
  const secret = await setUp();
  await forget();
  const outcomes = [];
  for (let round = 0; round < 12; round += 1) {
    const { status } = await show(open(`192.0.2.${round}`), 'abcdef');
    outcomes.push(status);
  }
  assert.deepEqual(outcomes, [...Array.from({ length: 10 }, () => 401), 429, 429]);
  const right = await show(open(), codeOf(secret));
  assert.deepEqual([right.status, right.body.code], [429, 'too_many_sign_ins']);
  assert.match(String(right.headers['retry-after']), /^\d+$/);
  assert.equal((await signIn('ads@planet.example', 'planet-password')).status, 200);
  const metrics = await server.registry.metrics();
  assert.match(metrics, /rialto_sign_ins_total\{outcome="code_refused"\} 10\n/);
  assert.match(metrics, /rialto_sign_ins_total\{outcome="code_throttled"\} 3\n/);
});

test('where the exchange requires it, who has none reads, sets one up, and then changes things', async (t) => {
  const { ask, open, signIn, setUp, operator, server } = await openEngineer(t);
  const required = { require_second_factor: true };
  assert.equal((await operator('PATCH', '/exchange/', required)).status, 200);
  const { second_factor: told } = (await ask('GET', SESSION)).body.session;
  assert.deepEqual(told, { is_set_up: false, is_required: true });
  const make = () => ask('POST', '/api/applications/', { name: 'Made here' });
  const refused = await make();
  assert.deepEqual([refused.status, refused.body.code], [403, 'second_factor_required']);
  assert.equal((await ask('GET', '/api/self/')).status, 200);
  const discovery = '/api/demand-partners/1001/inventory/discovery/xch/';
  assert.notEqual((await ask('POST', discovery, {})).status, 403, 'it only asks');
  const program = await apiOf(server, EMAIL);
  assert.equal((await program('POST', '/applications/', { name: 'Of a program' })).status, 201);
  await setUp();
  assert.equal((await make()).status, 201);
  await open().signIn();
  await signIn('operator@example.com', 'operator-password');
  assert.equal((await ask('PATCH', '/api/exchange/', {})).status, 403, 'operators too');
});

test('a second factor is removed with a code, or by a one-time link of an operator', async (t) => {
  const { ask, open, show, codeOf, setUp, forget, operator, path, server } = await openEngineer(t);
  const none = await operator('POST', `${path}/second-factor-link/`);
  assert.deepEqual(
    [none.status, none.body.errors[0].message],
    [400, 'the user has no second factor'],
  );
  const secret = await setUp();
  await forget();
  assert.equal((await ask('POST', `${FACTOR}remove/`, { code: 'abcdef' })).status, 400);
  assert.equal((await ask('POST', `${FACTOR}remove/`, { code: codeOf(secret) })).status, 204);
  assert.equal((await ask('POST', `${FACTOR}remove/`, { code: codeOf(secret) })).status, 400);
  assert.equal((await show(open())).status, 200);

  await setUp();
  const made = await operator('POST', `${path}/second-factor-link/`);
  assert.equal(made.status, 201);
  const { pathname, search } = new URL(made.body.url);
  const page = await server.app.inject(pathname + search);
  assert.match(page.body, /Remove the second factor/);
  assert.doesNotMatch(page.body, /type="password"|name="application"/);
  assert.equal((await show(open())).body.code, 'code_required', 'to open it changes nothing');
  const use = () =>
    server.app.inject({
      method: 'POST',
      url: pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        token: new URLSearchParams(search).get('token') ?? '',
      }).toString(),
    });
  assert.equal((await use()).statusCode, 200);
  assert.equal((await use()).statusCode, 410);
  assert.equal((await ask('GET', '/api/self/')).body.code, 'session_expired');
  assert.equal((await show(open())).status, 200);

  const { body: log } = await operator(
    'GET',
    `/audit-log/?resource=user&resource_id=${EMAIL}&sort=id`,
  );
  const told = log
    .filter(({ action }: { action: string }) => !/^sign|^code/.test(action))
    .map(({ action, actor, changes }: { action: string; actor: string; changes: object[] }) => [
      action,
      actor,
      changes.filter((change) => !('field' in change && change.field === 'expires_at')),
    ]);
  const field = 'has_second_factor';
  assert.deepEqual(told.slice(-5), [
    ['updated', EMAIL, [{ field, before: false, after: true }]],
    ['updated', EMAIL, [{ field, before: true, after: false }]],
    ['updated', EMAIL, [{ field, before: false, after: true }]],
    ['invited', 'operator@example.com', [{ field: 'link', after: 'second_factor' }]],
    [
      'updated',
      EMAIL,
      [
        { field, before: true, after: false },
        { field: 'link', before: 'second_factor', after: null },
      ],
    ],
  ]);
});

test('no link makes an application for who needs a second factor', async (t) => {
  const { setUp, operator, path, server } = await openEngineer(t);
  await setUp();
  const made = await operator('POST', `${path}/password-link/`);
  const { pathname, search } = new URL(made.body.url);
  assert.doesNotMatch((await server.app.inject(pathname + search)).body, /name="application"/);
  const token = new URLSearchParams(search).get('token') ?? '';
  const password = 'chosen by a link';
  const done = await server.app.inject({
    method: 'POST',
    url: pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, password, again: password, application: 'yes' }).toString(),
  });
  assert.equal(done.statusCode, 200);
  assert.doesNotMatch(done.body, /Your application/);
});
