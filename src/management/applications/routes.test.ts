import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { apiOf, openManagement, type ManagementServer } from '../../../test/support/management.ts';
import {
  ApplicationSecretSchema,
  MadeTokenSchema,
  ShownApplicationSchema,
  ShownTokenSchema,
} from './schema.ts';

const ACME = 'engineer@acme.example';
const BOLT = 'engineer@bolt.example';
const OPERATOR = 'operator@example.com';

/** Asks for a token as a program does. */
async function signIn({ app }: ManagementServer, clientId: string, secret: string) {
  const answer = await app.inject({
    method: 'POST',
    url: '/v2/auth/token/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    }).toString(),
  });
  return { status: answer.statusCode, token: answer.json().access_token };
}

async function selfWith({ app }: ManagementServer, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await app.inject({ url: '/api/self/', headers })).statusCode;
}

async function auditOf({ db }: ManagementServer): Promise<string[]> {
  const rows = await db.selectFrom('audit_log').selectAll().orderBy('id').execute();
  return rows
    .filter(({ user_id: id }) => id !== null)
    .map(({ action, resource, actor }) => `${actor} ${action} ${resource}`);
}

test('a user makes an application, whose secret is shown once and signs in', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, ACME);
  const made = await api('POST', '/applications/', { name: 'Sync' });
  assert.equal(made.status, 201);
  assert.ok(Compile(ApplicationSecretSchema).Check(made.body));
  const { client_secret: secret, ...shown } = made.body;
  assert.match(secret, /^rialto_secret_[A-Za-z0-9_-]{43}$/);
  assert.match(shown.client_id, /^app-[0-9a-f]{24}$/);
  const path = `/applications/${shown.client_id}/`;
  assert.equal(made.headers['location'], `/api${path}`);
  const got = await api('GET', path);
  assert.ok(Compile(ShownApplicationSchema).Check(got.body));
  assert.deepEqual(got.body, shown);
  assert.equal(got.headers['etag'], made.headers['etag']);
  assert.equal((await signIn(server, shown.client_id, secret)).status, 200);

  const match = { 'if-match': String(got.headers['etag']) };
  const renamed = await api('PATCH', path, { name: 'sync 2' }, match);
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'sync 2']);
  assert.equal((await api('PATCH', path, { name: 'Sync 3' }, match)).status, 412);
  for (const [body, pointer] of [
    [{ name: '' }, '/name'],
    [{}, '/name'],
    [{ name: 'x', client_secret: 'hunter22' }, '/client_secret'],
  ] as const) {
    const refused = await api('PATCH', path, body);
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, pointer]);
    assert.ok(!JSON.stringify(refused.body).includes('hunter22'));
  }
  const names = (await api('GET', '/applications/?sort=-name')).body;
  assert.deepEqual(
    names.map(({ name }: { name: string }) => name),
    ['test', 'sync 2', 'acme-app'],
  );
  assert.equal((await api('DELETE', path)).status, 204);
  assert.equal((await api('GET', path)).status, 404);
  assert.equal((await signIn(server, shown.client_id, secret)).status, 401);
  assert.deepEqual(await auditOf(server), [
    `${ACME} created application`,
    `${ACME} updated application`,
    `${ACME} deleted application`,
  ]);
});

test('a secret that is rolled stays good for its grace, and ends at once without one', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, ACME);
  const path = '/applications/acme-client/';
  const statuses = async (...secrets: readonly string[]): Promise<number[]> => {
    const all: number[] = [];
    for (const secret of secrets) all.push((await signIn(server, 'acme-client', secret)).status);
    return all;
  };
  const first = await api('POST', `${path}secret/`, {});
  assert.equal(first.status, 201);
  assert.ok(Compile(ApplicationSecretSchema).Check(first.body));
  const until = Date.parse(String(first.body.previous_secret?.expires_at));
  assert.ok(Math.abs(until - Date.now() - 86_400_000) < 60_000);
  const one = first.body.client_secret;
  assert.deepEqual(await statuses('acme-secret', one, 'another'), [200, 200, 401]);

  const second = await api('POST', `${path}secret/`, { grace_seconds: 604_800 });
  const two = second.body.client_secret;
  assert.deepEqual(await statuses('acme-secret', one, two), [401, 200, 200]);
  await server.db
    .updateTable('applications')
    .set({ previous_secret_until: Date.now() })
    .where('client_id', '=', 'acme-client')
    .execute();
  assert.equal((await api('GET', path)).body.previous_secret, null);
  assert.deepEqual(await statuses(one, two), [401, 200]);

  const { token } = await signIn(server, 'acme-client', two);
  const third = await api('POST', `${path}secret/`, { grace_seconds: 0 });
  assert.equal(third.body.previous_secret, null);
  assert.deepEqual(await statuses(two, third.body.client_secret), [401, 200]);
  assert.equal(await selfWith(server, token), 200, 'tokens last for their hour');
  for (const grace of [-1, 604_801, 1.5, '60']) {
    const refused = await api('POST', `${path}secret/`, { grace_seconds: grace });
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/grace_seconds']);
  }
});

test('of two rolls at the same time one is told that it came too late', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, ACME);
  const rolls = await Promise.all(
    Array.from({ length: 3 }, () => api('POST', '/applications/acme-client/secret/', {})),
  );
  assert.deepEqual(
    rolls.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 412, 412],
  );
  assert.equal((await signIn(server, 'acme-client', 'acme-secret')).status, 200);
});

test('tokens are listed without themselves, generated once, and revoked by their id', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, ACME);
  const path = '/applications/acme-client/tokens/';
  assert.deepEqual((await api('GET', path)).body, []);
  const made = await api('POST', path, { scope: 'write' });
  assert.equal(made.status, 201);
  assert.ok(Compile(MadeTokenSchema).Check(made.body));
  assert.equal(made.body.scope, 'read write');
  assert.equal(made.body.expires_in, 3_600);
  const { access_token: token, ...shown } = made.body;
  assert.equal(shown.prefix, token.slice(0, 13));
  const other = (await signIn(server, 'acme-client', 'acme-secret')).token;
  assert.equal(await selfWith(server, token), 200);

  const listed = (await api('GET', path)).body;
  assert.equal(listed.length, 2);
  for (const each of listed) assert.ok(Compile(ShownTokenSchema).Check(each));
  const own = listed.find(({ id }: { id: string }) => id === shown.id);
  assert.ok(Date.now() - Date.parse(own.last_used_at) < 60_000);
  assert.equal((await api('DELETE', `${path}${shown.id}/`)).status, 204);
  assert.equal((await api('DELETE', `${path}${shown.id}/`)).status, 404);
  assert.deepEqual([await selfWith(server, token), await selfWith(server, other)], [401, 200]);
  assert.equal((await api('POST', path, {})).body.scope, 'read');
  const refused = await api('POST', path, { scope: 'admin' });
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/scope']);
  assert.deepEqual(await auditOf(server), [
    `${ACME} created access token of`,
    `${ACME} revoked access token of`,
    `${ACME} created access token of`,
  ]);
  const reader = await apiOf(server, ACME, ['read']);
  const insufficient = await reader('POST', path, { scope: 'read' });
  assert.deepEqual([insufficient.status, insufficient.body.code], [403, 'insufficient_scope']);
});

test('what is another user’s is not there; operators see it and take it away, and act for nobody', async (t) => {
  const server = await openManagement(t);
  const [acme, bolt] = [await apiOf(server, ACME), await apiOf(server, BOLT)];
  const operator = await apiOf(server, OPERATOR);
  const path = '/applications/acme-client/';
  const token = (await acme('POST', `${path}tokens/`, {})).body;
  const missing = await bolt('GET', '/applications/nobody/');
  for (const [method, address, body] of [
    ['GET', path],
    ['PATCH', path, { name: 'mine' }],
    ['DELETE', path],
    ['POST', `${path}secret/`, {}],
    ['GET', `${path}tokens/`],
    ['POST', `${path}tokens/`, {}],
    ['DELETE', `${path}tokens/${token.id}/`],
  ] as const) {
    const answer = await bolt(method, address, body);
    assert.deepEqual([answer.status, answer.body], [404, missing.body], `${method} ${address}`);
  }
  const { user_id: acmeId } = (await acme('GET', path)).body;
  assert.deepEqual((await bolt('GET', `/applications/?user_id=${acmeId}`)).body, []);

  const mine = (await operator('GET', '/applications/')).body;
  assert.ok(mine.every(({ user_id: id }: { user_id: number }) => id === mine[0].user_id));
  const theirs = (await operator('GET', `/applications/?user_id=${acmeId}`)).body;
  assert.ok(theirs.some(({ client_id: id }: { client_id: string }) => id === 'acme-client'));
  for (const address of [`${path}secret/`, `${path}tokens/`]) {
    const refused = await operator('POST', address, {});
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
  }
  assert.equal((await operator('DELETE', `${path}tokens/${token.id}/`)).status, 204);
  assert.equal((await operator('DELETE', path)).status, 204);
  assert.equal(await selfWith(server, token.access_token), 401);
});

test('a user has a hundred applications at most', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, ACME);
  const { id } = (await api('GET', '/self/')).body;
  const nowMs = Date.now();
  for (let index = 0; index < 98; index += 1) {
    await server.db
      .insertInto('applications')
      .values({
        id: 1_000_100 + index,
        user_id: id,
        name: 'many',
        client_id: `many-${index}`,
        secret_hash: 'none',
        previous_secret_hash: null,
        previous_secret_until: null,
        created_at: nowMs,
        updated_at: nowMs,
      })
      .execute();
  }
  const refused = await api('POST', '/applications/', { name: 'One more' });
  assert.equal(refused.status, 400);
  assert.match(refused.body.errors[0].message, /at most 100 applications; remove one first/);
  assert.equal((await api('DELETE', '/applications/many-0/')).status, 204);
  assert.equal((await api('POST', '/applications/', { name: 'One more' })).status, 201);
});
