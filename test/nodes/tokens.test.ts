import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import { request } from 'undici';
import { SelfSchema } from '../../src/management/self/schema.ts';
import { IntrospectionSchema, TokenAnswerSchema } from '../../src/sign-in/tokens/schema.ts';
import { openManagement } from '../support/management.ts';
import { startNode } from '../support/node.ts';
import { until } from '../support/wait.ts';
import { runs } from '../support/effort.ts';
import { anyCharacter } from '../support/any-character.ts';

const TOKEN_PATH = '/v2/auth/token';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const ACME = { client_id: 'acme-client', client_secret: 'acme-secret' };
const BOLT = { client_id: 'bolt-client', client_secret: 'bolt-secret' };
const OPS = { client_id: 'ops', client_secret: 'ops-secret' };
const GRANT = { grant_type: 'client_credentials' };

/** The example's publisher has a user without an application. */
const PLANET = { client_id: 'planet-client', client_secret: 'planet-secret' };
function withPlanet(yaml: string): string {
  const user = '{ email: ads@planet.example, password: planet-password }';
  const application = `applications: [{ name: planet, ${Object.entries(PLANET)
    .map((pair) => pair.join(': '))
    .join(', ')} }]`;
  return yaml.replace(user, user.replace(' }', `, ${application} }`));
}

type Fields = Readonly<Record<string, string>>;

interface Post {
  readonly path?: string;
  readonly fields?: Fields;
  /** Instead of fields. */
  readonly body?: string | Buffer;
  readonly headers?: Fields;
  readonly address?: string;
}

async function post(app: FastifyInstance, options: Post) {
  const { path = `${TOKEN_PATH}/`, fields = {}, headers = {}, address = '192.0.2.1' } = options;
  const answer = await app.inject({
    method: 'POST',
    url: path,
    payload: options.body ?? new URLSearchParams(fields).toString(),
    headers: { 'content-type': FORM_TYPE, ...headers },
    remoteAddress: address,
  });
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers['pragma'], 'no-cache');
  return answer;
}

async function tokenOf(app: FastifyInstance, client: Fields, scope?: string): Promise<string> {
  const fields = { ...client, ...GRANT, ...(scope === undefined ? {} : { scope }) };
  const answer = await post(app, { fields });
  assert.equal(answer.statusCode, 200, answer.body);
  const { access_token: token }: { access_token: string } = answer.json();
  return token;
}

async function self(app: FastifyInstance, token: string, url = '/api/self/') {
  return app.inject({
    url,
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
  });
}

/** Asserts an error as RFC 6749 section 5.2 has it. */
function assertRefused(
  answer: Awaited<ReturnType<typeof post>>,
  status: number,
  code: string,
): void {
  assert.equal(answer.statusCode, status, answer.body);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  const { error, error_description: description, ...rest } = answer.json();
  assert.equal(error, code);
  assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  assert.deepEqual(rest, {});
}

test('the token answer has the documented fields, with and without the slash', async (t) => {
  const { app } = await openManagement(t);
  for (const path of [TOKEN_PATH, `${TOKEN_PATH}/`]) {
    for (const [scope, given] of [
      [undefined, 'read'],
      ['', 'read'],
      ['read', 'read'],
      ['write', 'read write'],
      ['read write', 'read write'],
    ] as const) {
      const fields = { ...ACME, ...GRANT, ...(scope === undefined ? {} : { scope }) };
      const answer = await post(app, { path, fields });
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      const body = answer.json();
      assert.ok(Compile(TokenAnswerSchema).Check(body));
      assert.deepEqual(Object.keys(body), ['access_token', 'expires_in', 'token_type', 'scope']);
      assert.equal(body.expires_in, 3_600);
      assert.equal(body.token_type, 'Bearer');
      assert.equal(body.scope, given);
    }
  }
});

test('HTTP Basic does as well as the form', async (t) => {
  const { app } = await openManagement(t);
  const authorization = `Basic ${btoa('acme-client:acme-secret')}`;
  const answer = await post(app, { fields: GRANT, headers: { authorization } });
  assert.equal(answer.statusCode, 200);
  assert.equal((await self(app, answer.json().access_token)).statusCode, 200);
});

test('the identity has the documented fields in every role', async (t) => {
  const { app } = await openManagement(t, withPlanet);
  for (const [client, email, group, association] of [
    [ACME, 'engineer@acme.example', 'demand-partner', { type: 'DEMAND_PARTNER', entity_id: 1001 }],
    [BOLT, 'engineer@bolt.example', 'demand-partner', { type: 'DEMAND_PARTNER', entity_id: 1002 }],
    [PLANET, 'ads@planet.example', 'publisher', { type: 'PUBLISHER', entity_id: 2001 }],
    [OPS, 'operator@example.com', 'operator', null],
  ] as const) {
    const token = await tokenOf(app, client);
    for (const url of ['/api/self', '/api/self/']) {
      const answer = await self(app, token, url);
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(answer.headers['cache-control'], 'no-store');
      const body = answer.json();
      assert.ok(Compile(SelfSchema).Check(body));
      const { id, ...rest } = body;
      assert.ok(Number.isInteger(id));
      assert.deepEqual(rest, { email, groups: [group], status: 'ACTIVE', association });
    }
  }
});

test('nothing below /api says whether it exists without a token', async (t) => {
  const { app } = await openManagement(t);
  for (const url of ['/api', '/api/', '/api/self/', '/api/nothing/', '/api/self/x?y=1']) {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url });
      assert.equal(answer.statusCode, 401, `${method} ${url}`);
      assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
      assert.equal(answer.headers['www-authenticate'], 'Bearer realm="rialto"');
      assert.equal(answer.json().code, 'missing_token');
    }
  }
  const token = await tokenOf(app, ACME);
  for (const url of ['/api', '/api/', '/api/nothing/', '/api/self/x']) {
    const answer = await self(app, token, url);
    assert.equal(answer.statusCode, 404, url);
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(answer.json().code, 'not_found');
  }
  for (const url of ['/api/%zz', `/api/auctions/${'a'.repeat(2_000)}/`]) {
    const answer = await app.inject({ url });
    assert.equal(answer.statusCode, 400, url);
    assert.equal(answer.json().code, 'invalid_request');
    assert.doesNotMatch(answer.body, /zz|aaaa/);
  }
  const headers = { authorization: `Bearer ${token}` };
  const answer = await app.inject({ method: 'POST', url: '/api/self/', headers });
  assert.deepEqual([answer.statusCode, answer.headers['allow']], [405, 'GET, HEAD, OPTIONS']);
});

test('bad credentials are 401 whatever is bad about them, with a challenge where Basic was used', async (t) => {
  const { app } = await openManagement(t, (yaml) =>
    yaml.replace('email: engineer@bolt.example', 'status: PAUSED\n        $&'),
  );
  const bad: Fields[] = [
    { ...ACME, client_secret: 'wrong-secret' },
    { ...ACME, client_secret: 'bolt-secret' },
    { ...ACME, client_id: 'nobody' },
    { ...ACME, client_id: 'ACME-CLIENT' },
    { ...ACME, client_id: '\u0000' },
    { ...ACME, client_secret: '\u{1f511} \u202e' },
    BOLT,
    {},
    { client_id: ACME.client_id },
    { client_secret: ACME.client_secret },
    { ...ACME, client_secret: '' },
  ];
  for (const [index, fields] of bad.entries()) {
    const answer = await post(app, {
      fields: { ...fields, ...GRANT },
      address: `198.51.100.${index}`,
    });
    assertRefused(answer, 401, 'invalid_client');
    assert.equal(answer.headers['www-authenticate'], undefined);
  }
  const unknown = await post(app, { fields: { ...GRANT, ...ACME, client_id: 'nobody' } });
  const wrong = await post(app, { fields: { ...GRANT, ...ACME, client_secret: 'wrong-secret' } });
  assert.equal(unknown.body, wrong.body);
  for (const pair of ['acme-client:wrong', 'nobody:acme-secret', 'acme-client', '', '::']) {
    const headers = { authorization: `Basic ${btoa(pair)}` };
    const answer = await post(app, { fields: GRANT, headers });
    assertRefused(answer, 401, 'invalid_client');
    assert.match(String(answer.headers['www-authenticate']), /^Basic realm="rialto"/);
  }
});

test('requests that break the rules are told which', async (t) => {
  const { app } = await openManagement(t);
  const authorization = `Basic ${btoa('acme-client:acme-secret')}`;
  const form = new URLSearchParams({ ...ACME, ...GRANT }).toString();
  const cases: readonly [Post, number, string][] = [
    [{ fields: ACME }, 400, 'invalid_request'],
    [{ fields: { ...ACME, grant_type: '' } }, 400, 'invalid_request'],
    [{ fields: { ...ACME, grant_type: 'password' } }, 400, 'unsupported_grant_type'],
    [{ fields: { ...ACME, grant_type: 'Client_Credentials' } }, 400, 'unsupported_grant_type'],
    [{ fields: { ...ACME, ...GRANT, scope: 'admin' } }, 400, 'invalid_scope'],
    [{ fields: { ...ACME, ...GRANT, scope: 'read  write' } }, 400, 'invalid_scope'],
    [{ body: `${form}&scope=read&scope=read` }, 400, 'invalid_request'],
    [{ body: `${form}&client_secret=acme-secret` }, 400, 'invalid_request'],
    [{ fields: { ...ACME, ...GRANT, scope: 'r'.repeat(257) } }, 400, 'invalid_request'],
    [{ fields: { ...GRANT, ...ACME, client_id: 'a'.repeat(129) } }, 400, 'invalid_request'],
    [{ fields: { ...GRANT, ...ACME }, headers: { authorization } }, 400, 'invalid_request'],
    [{ body: form, path: `${TOKEN_PATH}/?client_secret=acme-secret` }, 400, 'invalid_request'],
    [{ body: form, headers: { 'content-type': 'text/plain' } }, 400, 'invalid_request'],
    [{ body: '{}', headers: { 'content-type': 'application/json' } }, 400, 'invalid_request'],
    [{ body: form, headers: { 'content-type': 'multipart/form-data' } }, 400, 'invalid_request'],
    [{ body: form, headers: { 'content-type': 'nonsense;;' } }, 400, 'invalid_request'],
    [{ body: 'x'.repeat(8_193) }, 413, 'invalid_request'],
    [{ body: `${form}&padding=${'x'.repeat(1_000_000)}` }, 413, 'invalid_request'],
    [{ path: '/v2/auth/revoke', fields: ACME }, 400, 'invalid_request'],
    [{ path: '/v2/auth/introspect/', fields: { ...ACME, token: '' } }, 400, 'invalid_request'],
    [{ path: '/v2/auth/revoke/', fields: { token: 'x' } }, 401, 'invalid_client'],
  ];
  for (const [options, status, code] of cases) {
    assertRefused(await post(app, options), status, code);
  }
  assert.equal((await post(app, { body: `${form}&padding=x&padding=y` })).statusCode, 200);
  const utf8 = { 'content-type': `${FORM_TYPE}; charset=UTF-8` };
  assert.equal((await post(app, { body: form, headers: utf8 })).statusCode, 200);
  for (const url of [`${TOKEN_PATH}/`, '/v2/auth/revoke', '/v2/auth/introspect/']) {
    const answer = await app.inject({ url });
    assert.deepEqual([answer.statusCode, answer.headers['allow']], [405, 'POST, OPTIONS']);
    assert.equal(answer.json().error, 'invalid_request');
  }
});

test('whatever is sent to the token endpoints is answered as RFC 6749 says, and opens nothing', async (t) => {
  const { app, db } = await openManagement(t);
  const naughty = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string(),
    fc.constant('__proto__'),
  );
  const name = fc.oneof(fc.constantFrom(...Object.keys({ ...ACME, ...GRANT, scope: '' })), naughty);
  const body = fc.oneof(
    fc.array(fc.tuple(name, naughty)).map((pairs) => new URLSearchParams(pairs).toString()),
    fc.uint8Array({ maxLength: 9_000 }).map((bytes) => Buffer.from(bytes)),
    naughty,
  );
  const header = fc.string({ minLength: 1 }).filter((text) => !/[^\x20-\x7e]/.test(text));
  let address = 0;
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.constantFrom('token', 'revoke', 'introspect'),
      fc.option(header, { nil: undefined }),
      async (sent, endpoint, credentials) => {
        address += 1;
        const answer = await post(app, {
          path: `/v2/auth/${endpoint}/`,
          body: sent,
          headers:
            credentials === undefined
              ? {}
              : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
          address: `10.0.${address >> 8}.${address & 255}`,
        });
        assert.ok([400, 401, 413].includes(answer.statusCode), answer.body);
        assertRefused(answer, answer.statusCode, answer.json().error);
      },
    ),
    { numRuns: runs(15) },
  );
  assert.deepEqual(await db.selectFrom('access_tokens').selectAll().execute(), []);
});

test('no text but a token opens the management API', async (t) => {
  const { app } = await openManagement(t);
  const token = await tokenOf(app, ACME);
  const text = fc.oneof(
    fc.string().filter((each) => !/[^\x20-\x7e]/.test(each)),
    fc.nat(token.length - 1).map((at) => {
      const other = token[at] === 'a' ? 'b' : 'a';
      return token.slice(0, at) + other + token.slice(at + 1);
    }),
  );
  await fc.assert(
    fc.asyncProperty(text, async (other) => {
      fc.pre(other !== token);
      const answer = await self(app, other);
      assert.equal(answer.statusCode, 401);
      assert.equal(answer.json().code, 'invalid_token');
    }),
  );
});

test('a client asks about and revokes its own tokens, and learns nothing of those of others', async (t) => {
  const { app } = await openManagement(t);
  const token = await tokenOf(app, ACME, 'write');
  const introspect = async (client: Fields, text = token): Promise<Record<string, unknown>> => {
    const fields = { ...client, token: text, token_type_hint: 'refresh_token' };
    const answer = await post(app, { path: '/v2/auth/introspect/', fields });
    assert.equal(answer.statusCode, 200);
    assert.ok(Compile(IntrospectionSchema).Check(answer.json()));
    return answer.json();
  };
  const revoke = async (client: Fields, text = token): Promise<void> => {
    const fields = { ...client, token: text, token_type_hint: 'what' };
    const answer = await post(app, { path: '/v2/auth/revoke', fields });
    assert.deepEqual([answer.statusCode, answer.body], [200, '']);
  };
  const nowSeconds = Date.now() / 1_000;
  const { exp, iat, sub, ...rest } = await introspect(ACME);
  assert.deepEqual(rest, {
    active: true,
    scope: 'read write',
    client_id: 'acme-client',
    username: 'engineer@acme.example',
    token_type: 'Bearer',
  });
  assert.ok(Math.abs(Number(iat) - nowSeconds) < 5 && Number(exp) - Number(iat) === 3_600);
  assert.equal(sub, String((await self(app, token)).json().id));
  for (const other of [BOLT, OPS]) {
    assert.deepEqual(await introspect(other), { active: false });
    await revoke(other);
  }
  for (const text of ['x', token.slice(0, -1), token.toLowerCase()]) {
    assert.deepEqual(await introspect(ACME, text), { active: false });
    await revoke(ACME, text);
  }
  assert.equal((await self(app, token)).statusCode, 200);
  await revoke(ACME);
  await revoke(ACME);
  assert.equal((await self(app, token)).statusCode, 401);
  assert.deepEqual(await introspect(ACME), { active: false });
});

/** A hundred at once are an application's share; who wants more is told how long to wait. */
async function tokenOfPatient(app: FastifyInstance, client: Fields): Promise<string> {
  for (;;) {
    const answer = await post(app, { fields: { ...client, ...GRANT } });
    if (answer.statusCode === 200) return answer.json().access_token;
    assertRefused(answer, 429, 'temporarily_unavailable');
    await delay(Number(answer.headers['retry-after']) * 1_000);
  }
}

test('the hundred-and-first token ends the oldest, and a user who is paused loses all at once', async (t) => {
  const { app, db } = await openManagement(t);
  const oldest = await tokenOf(app, ACME);
  await db.updateTable('access_tokens').set({ created_at: 1 }).execute();
  const bolts = await tokenOf(app, BOLT);
  let token = '';
  for (let index = 1; index < 101; index += 1) {
    if (index === 100) assert.equal((await self(app, oldest)).statusCode, 200);
    token = await tokenOfPatient(app, ACME);
  }
  assert.equal((await self(app, oldest)).statusCode, 401);
  assert.equal((await self(app, token)).statusCode, 200);

  const mail = 'engineer@acme.example';
  await db.updateTable('users').set({ status: 'PAUSED' }).where('email', '=', mail).execute();
  assert.equal((await self(app, token)).statusCode, 401);
  assert.equal((await self(app, bolts)).statusCode, 200);
});

test('guessing is slowed down, and keeps out nobody else', async (t) => {
  const { app, registry, log } = await openManagement(t);
  const guess = (address: string, index: number) =>
    post(app, { fields: { ...GRANT, ...ACME, client_secret: `guess-${index}` }, address });
  for (let index = 0; index < 10; index += 1) {
    assertRefused(await guess('203.0.113.9', index), 401, 'invalid_client');
  }
  const throttled = await guess('203.0.113.9', 10);
  assertRefused(throttled, 429, 'temporarily_unavailable');
  const waitSeconds = Number(throttled.headers['retry-after']);
  assert.ok(waitSeconds >= 1 && waitSeconds <= 10, String(waitSeconds));
  const right = { fields: { ...GRANT, ...ACME }, address: '203.0.113.9' };
  assert.equal((await post(app, right)).statusCode, 429);
  assert.equal((await post(app, { ...right, address: '203.0.113.10' })).statusCode, 200);
  const behindProxy = { ...right, address: '127.0.0.1' };
  const forwarded = (client: string) => ({ headers: { 'x-forwarded-for': client } });
  assert.equal((await post(app, { ...behindProxy, ...forwarded('203.0.113.9') })).statusCode, 429);
  assert.equal((await post(app, { ...behindProxy, ...forwarded('203.0.113.11') })).statusCode, 200);
  assert.match(await registry.metrics(), /authentications_total\{outcome="throttled"\} 3/);
  assert.equal(log().split('wrong client secrets are kept waiting').length, 2, 'told once');
});

test('many wrong secrets at a time leave the process free for everybody else', async (t) => {
  const { app } = await openManagement(t);
  const token = await tokenOf(app, ACME);
  const guesses = Array.from({ length: 200 }, (_, index) =>
    post(app, {
      fields: { ...GRANT, client_id: `client-${index}`, client_secret: 'guess' },
      address: `203.0.113.${index}`,
    }),
  );
  const start = performance.now();
  assert.equal((await self(app, token)).statusCode, 200);
  await tokenOf(app, ACME);
  const tookMs = performance.now() - start;
  const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
  const allMs = performance.now() - start;
  assert.deepEqual(new Set(statuses), new Set([401, 503]));
  assert.ok(statuses.filter((status) => status === 401).length <= 18);
  assert.ok(tookMs < allMs / 2, `answered after ${tookMs} of ${allMs} ms`);
});

test('neither secrets nor tokens are in the log, the metrics, or the files of the store', async (t) => {
  const { app, db, path, registry, log } = await openManagement(t);
  const token = await tokenOf(app, ACME);
  await self(app, token);
  await post(app, { path: '/v2/auth/introspect', fields: { ...ACME, token } });
  await post(app, { fields: { ...GRANT, ...ACME, client_secret: 'wrong-secret-1' } });
  await post(app, { fields: { ...GRANT, ...ACME, client_id: 'wrong-secret-2' } });
  // A store that fails makes every request fail, and each failure is logged.
  await db.schema.alterTable('access_tokens').renameTo('moved').execute();
  const failures = [
    await app.inject({
      method: 'POST',
      url: TOKEN_PATH,
      payload: new URLSearchParams({ ...ACME, ...GRANT }).toString(),
      headers: { 'content-type': FORM_TYPE },
    }),
    await self(app, token, '/api/self/?access_token=wrong-secret-3'),
  ];
  for (const failure of failures) {
    assert.equal(failure.statusCode, 500);
    assert.equal(failure.json().code, 'internal');
  }
  assert.equal(log().split('a request failed').length, 3);

  const directory = join(path, '..');
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
  assert.ok(files.join('').includes(token.slice(0, 13)), 'the prefix is there to be looked at');
  const secrets = [token, token.slice(13), 'acme-secret', 'wrong-secret'];
  for (const secret of secrets) {
    for (const place of [log(), await registry.metrics(), ...files, ...failures.map(bodyOf)]) {
      assert.ok(!place.includes(secret), secret);
    }
  }
});

function bodyOf({ body }: { readonly body: string }): string {
  return body;
}

test('a node gives out tokens, and what they open survives the death of control', async (t) => {
  const node = await startTokenNode(t);
  const fields = new URLSearchParams({ ...ACME, ...GRANT }).toString();
  const headers = { 'content-type': FORM_TYPE };
  const url = `${node.urls.control}${TOKEN_PATH}/`;
  const answer = await request(url, { method: 'POST', headers, body: fields });
  assert.equal(answer.statusCode, 200);
  const body = await answer.body.json();
  assert.ok(Compile(TokenAnswerSchema).Check(body));
  const ask = async () => {
    const { statusCode, body: text } = await request(`${node.urls.control}/api/self/`, {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    await text.dump();
    return statusCode;
  };
  assert.equal(await ask(), 200);
  const [before] = node.kill('control');
  await until('another process of control knows the token', 20_000, async () => {
    if (node.pids('control').includes(before ?? 0)) return false;
    // A connection to the process that was killed, or none yet, is no answer.
    return ask().then(
      (status) => status === 200,
      () => false,
    );
  });
  assert.ok(!node.output().includes(body.access_token));
});

async function startTokenNode(t: TestContext) {
  const file = join(import.meta.dirname, '../../examples/exchange.yaml');
  return startNode({ t, file, args: ['--roles=control'] });
}
