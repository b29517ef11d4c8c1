import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { apiOf, openManagement, type ManagementServer } from '../../../test/support/management.ts';
import { InvitedUserSchema, ShownUserSchema } from './schema.ts';

const OPERATOR = 'operator@example.com';
const ACME = 'engineer@acme.example';

/** The link's page, and what became of a password that was sent to it. */
function linkOf({ app }: ManagementServer, url: string) {
  const token = new URL(url).searchParams.get('token') ?? '';
  return {
    open: async () => (await app.inject({ url })).statusCode,
    choose: async (password = 'a-long-password') => {
      const fields = new URLSearchParams({ token, password, again: password });
      const answer = await app.inject({
        method: 'POST',
        url: '/v2/auth/link/',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: fields.toString(),
      });
      return answer.statusCode;
    },
  };
}

async function auditOf({ db }: ManagementServer) {
  const rows = await db.selectFrom('audit_log').selectAll().orderBy('id').execute();
  return rows
    .filter(({ user_id: id }) => id !== null)
    .map(({ action, resource, resource_id: id, changes }) => ({
      line: `${action} ${resource} ${id}`,
      changes: JSON.parse(changes),
    }));
}

test('an operator makes a user, who chooses a password with the link that is shown once', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, OPERATOR);
  const association = { type: 'DEMAND_PARTNER', entity_id: 1001 };
  const made = await api('POST', '/users/', { email: 'New.Trader@acme.example', association });
  assert.equal(made.status, 201);
  assert.ok(Compile(InvitedUserSchema).Check(made.body));
  assert.equal(made.headers['location'], `/api/users/${made.body.id}/`);
  assert.equal(made.body.email, 'new.trader@acme.example');
  assert.deepEqual(made.body.groups, ['demand-partner']);
  assert.deepEqual(made.body.association, association);
  assert.equal(made.body.has_password, false);
  const { url, expires_at: expires } = made.body.invitation;
  assert.match(
    url,
    /^http:\/\/localhost:8080\/v2\/auth\/link\/\?token=rialto_link_[A-Za-z0-9_-]{43}$/,
  );
  assert.equal(Date.parse(expires) - Date.parse(made.body.created_at), 72 * 3_600_000);

  const path = `/users/${made.body.id}/`;
  const { invitation, ...shown } = made.body;
  assert.deepEqual((await api('GET', path)).body, shown);
  assert.equal((await api('GET', path)).headers['etag'], made.headers['etag']);
  assert.deepEqual([shown.link?.purpose, shown.link?.state], ['invitation', 'open']);
  assert.deepEqual(invitation.expires_at, shown.link?.expires_at);

  const link = linkOf(server, url);
  assert.deepEqual([await link.open(), await link.choose(), await link.open()], [200, 200, 410]);
  const after = (await api('GET', path)).body;
  assert.deepEqual([after.has_password, after.link], [true, null]);
  assert.deepEqual(
    (await auditOf(server)).map(({ line }) => line),
    [
      'created user new.trader@acme.example',
      'invited user new.trader@acme.example',
      'updated user new.trader@acme.example',
    ],
  );
});

test('a newer link ends the older one, and a password link resets a password', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, OPERATOR);
  const made = await api('POST', '/users/', { email: 'b@example.com', groups: ['operator'] });
  assert.deepEqual([made.body.groups, made.body.association], [['operator'], null]);
  const path = `/users/${made.body.id}/password-link/`;
  const first = linkOf(server, made.body.invitation.url);
  const reset = await api('POST', path);
  assert.equal(reset.status, 201);
  const second = linkOf(server, reset.body.url);
  assert.deepEqual([await first.choose(), await second.choose('the-first-one')], [410, 200]);
  const again = await api('POST', path);
  assert.ok(Math.abs(Date.parse(again.body.expires_at) - Date.now() - 86_400_000) < 60_000);
  const hashOf = async (): Promise<string | null> => {
    const row = await server.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', made.body.id)
      .executeTakeFirstOrThrow();
    return row.password_hash;
  };
  const before = await hashOf();
  assert.equal(await linkOf(server, again.body.url).choose('the-second-one'), 200);
  assert.notEqual(await hashOf(), before);
  assert.equal((await api('POST', '/users/99/password-link/')).status, 404);
});

test('no link is made that would open nothing', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, OPERATOR);
  const [acme] = (await api('GET', `/users/?email=${ACME}`)).body;
  await api('PATCH', '/demand-partners/1001/', { status: 'ARCHIVED' });
  const refused = await api('POST', `/users/${acme.id}/password-link/`);
  assert.equal(refused.status, 400);
  assert.match(refused.body.errors[0].message, /is archived, so that no link works/);
  assert.equal((await api('GET', `/users/${acme.id}/`)).body.link, null, 'nothing was changed');
});

test('a new user needs an address that is free, and somebody to belong to', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, OPERATOR);
  const email = 'x@example.com';
  const at = (type: string, id: unknown) => ({ association: { type, entity_id: id } });
  for (const [body, pointer, message] of [
    [{}, '/email', /is missing/],
    [{ email }, '/association', /is missing/],
    [{ email, association: null }, '/association', /operator/],
    [{ email, groups: ['publisher'] }, '/association', /is missing/],
    [{ email, groups: ['admin'] }, '/groups/0', /operator, demand-partner or publisher/],
    [{ email, ...at('PUBLISHER', 2001), groups: ['operator'] }, '/groups', /\["publisher"\]/],
    [{ email, ...at('PUBLISHER', 1001) }, '/association/entity_id', /id of a publisher/],
    [{ email, ...at('DEMAND_PARTNER', 7) }, '/association/entity_id', /id of a demand partner/],
    [{ email, ...at('SELLER', 7) }, '/association/type', /DEMAND_PARTNER or PUBLISHER/],
    [{ email: 'OPERATOR@example.com', groups: ['operator'] }, '/email', /is taken/],
    [{ email: ACME, ...at('DEMAND_PARTNER', 1001) }, '/email', /is taken/],
    [{ email: 'no address', groups: ['operator'] }, '/email', /e-mail address/],
    [{ email, groups: ['operator'], password: 'hunter22' }, '/password', /is not a key/],
    [[], '', /must be/],
  ] as const) {
    const refused = await api('POST', '/users/', body);
    assert.equal(refused.status, 400, JSON.stringify(body));
    const [problem] = refused.body.errors;
    assert.equal(problem.pointer, pointer, JSON.stringify(refused.body));
    assert.match(problem.message, message);
    assert.ok(!JSON.stringify(refused.body).includes('hunter22'));
  }
  assert.deepEqual(await auditOf(server), []);
  const gone = await api('PATCH', '/publishers/2001/', { status: 'ARCHIVED' });
  assert.equal(gone.status, 200, JSON.stringify(gone.body));
  const archived = await api('POST', '/users/', { email, ...at('PUBLISHER', 2001) });
  assert.match(archived.body.errors[0].message, /not archived/);
});

test('the last operator who can sign in stays; others are paused and let in again', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, OPERATOR);
  const self = `/users/${(await api('GET', '/self/')).body.id}/`;
  for (const status of ['PAUSED', 'ARCHIVED']) {
    const refused = await api('PATCH', self, { status });
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/status']);
  }
  const second = await api('POST', '/users/', { email: 'b@example.com', groups: ['operator'] });
  assert.equal((await api('PATCH', self, { status: 'PAUSED' })).status, 400, 'who may never come');
  assert.equal(await linkOf(server, second.body.invitation.url).choose(), 200);

  const path = `/users/${second.body.id}/`;
  const reset = linkOf(server, (await api('POST', `${path}password-link/`)).body.url);
  const got = await api('GET', path);
  const match = { 'if-match': String(got.headers['etag']) };
  const paused = await api('PATCH', path, { ...got.body, status: 'PAUSED' }, match);
  assert.deepEqual([paused.status, paused.body.status], [200, 'PAUSED']);
  assert.equal((await api('PATCH', path, { status: 'ACTIVE' }, match)).status, 412);
  assert.deepEqual([await reset.open(), await reset.choose()], [410, 410]);
  const refused = await api('POST', `${path}password-link/`);
  assert.match(refused.body.errors[0].message, /set status to ACTIVE/);
  assert.equal((await api('PATCH', path, { status: 'ACTIVE' })).status, 200);
  assert.equal(await reset.choose(), 200, 'the link waited');
  assert.equal((await api('PATCH', self, { status: 'ARCHIVED' })).status, 200);
  assert.equal((await api('GET', '/self/')).status, 401);
});

test('only the status of a user can be changed', async (t) => {
  const api = await apiOf(await openManagement(t), OPERATOR);
  const [user] = (await api('GET', `/users/?email=${ACME}`)).body;
  const path = `/users/${user.id}/`;
  for (const [body, pointer] of [
    [{ email: 'other@acme.example' }, '/email'],
    [{ association: null }, '/association'],
    [{ password: 'hunter22' }, '/password'],
    [{ status: 'GONE' }, '/status'],
    [{ status: null }, '/status'],
    ['[]', ''],
  ] as const) {
    const refused = await api(
      'PATCH',
      path,
      body,
      typeof body === 'string' ? { 'content-type': 'application/json' } : {},
    );
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, pointer]);
  }
  const same = await api('PATCH', path, user);
  assert.deepEqual([same.status, same.body], [200, user]);
});

test('operators find users by what they are; others see those of their own side', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, OPERATOR);
  const emails = async (query: string): Promise<string[]> => {
    const answer = await api('GET', `/users/${query}`);
    assert.equal(answer.status, 200, query);
    return answer.body.map(({ email }: { email: string }) => email);
  };
  const all = await api('GET', '/users/');
  assert.ok(Compile(ShownUserSchema).Check(all.body[0]));
  assert.deepEqual(await emails('?sort=email'), [
    'ads@planet.example',
    'engineer@acme.example',
    'engineer@bolt.example',
    'operator@example.com',
  ]);
  assert.deepEqual(await emails('?email=Engineer@Acme.example'), [ACME]);
  assert.deepEqual(await emails('?role=operator'), [OPERATOR]);
  assert.deepEqual(await emails('?role=demand-partner&demand_partner_id=1001'), [ACME]);
  assert.deepEqual(await emails('?publisher_id=2001&status=ACTIVE'), ['ads@planet.example']);
  assert.deepEqual(await emails('?status=PAUSED'), []);
  assert.equal((await api('GET', '/users/?role=OPERATOR')).status, 400);

  for (const [email, foreign] of [
    [ACME, 'engineer@bolt.example'],
    ['ads@planet.example', ACME],
  ] as const) {
    const own = await apiOf(server, email);
    const seen = (await own('GET', '/users/')).body;
    assert.deepEqual([seen.length, seen[0].email], [1, email]);
    assert.equal((await own('GET', `/users/?email=${foreign}`)).body.length, 0);
    const [{ id }] = (await api('GET', `/users/?email=${foreign}`)).body;
    const missing = await own('GET', '/users/99/');
    assert.deepEqual((await own('GET', `/users/${id}/`)).body, missing.body);
    assert.equal(missing.status, 404);
    for (const [method, path] of [
      ['POST', '/users/'],
      ['PATCH', `/users/${seen[0].id}/`],
      ['POST', `/users/${id}/password-link/`],
    ] as const) {
      const refused = await own(method, path, { email: 'a@b.example', status: 'PAUSED' });
      assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    }
  }
});
