import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openCli, SELF, startFakeControl, type FakeRequest } from '../../test/support/cli.ts';

const SECRET = { RIALTO_CLIENT_SECRET: 'good-secret' };

async function signedIn(
  t: TestContext,
  refuses: (request: FakeRequest) => boolean = () => false,
  more: readonly string[] = [],
) {
  const control = await startFakeControl(t, (request) => {
    if (refuses(request)) return { status: 401, body: { code: 'invalid_token', title: 'Ended.' } };
    return request.url === '/api/self/' ? { body: SELF } : null;
  });
  const { cli, configHome } = openCli(t);
  const login = ['login', '--url', control.url, '--client-id', 'acme', ...more];
  const result = await cli(login, SECRET);
  const path = join(configHome, 'rialto/credentials.json');
  const stored = () => JSON.parse(readFileSync(path, 'utf8')).profiles;
  return { control, cli, result, path, stored };
}

test('a sign-in is stored for its owner alone, with its token, and says who it is', async (t) => {
  const { control, result, path, stored, cli } = await signedIn(t);
  assert.equal(result.code, 0, result.stderr);
  assert.match(result.stdout, /^Signed in at \S+ as engineer@acme\.example, demand-partner 1001/);
  assert.doesNotMatch(result.stdout, /good-secret|token-1/);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
  const { default: profile } = stored();
  assert.deepEqual(
    [profile.url, profile.token, profile.scope],
    [control.url, 'token-1', 'read write'],
  );
  const [token] = control.requests;
  assert.equal(token?.url, '/v2/auth/token/', 'no secret in an address');

  const self = await cli(['get', 'self', '--json']);
  assert.deepEqual(JSON.parse(self.stdout), SELF);
  assert.equal(control.requests.at(-1)?.headers.authorization, 'Bearer token-1');
});

test('a token that has ended, or is refused, is renewed without a word', async (t) => {
  let refused = '';
  const { control, cli, path, stored } = await signedIn(
    t,
    ({ headers }) => refused !== '' && headers.authorization === `Bearer ${refused}`,
  );
  refused = 'token-1';
  const again = await cli(['get', 'self']);
  assert.deepEqual([again.code, again.stderr], [0, '']);
  assert.equal(stored().default.token, 'token-2');

  const old = readFileSync(path, 'utf8').replace(
    /"expires_at": "[^"]+"/,
    '"expires_at": "2020-01-01T00:00:00.000Z"',
  );
  writeFileSync(path, old);
  const before = control.requests.length;
  assert.equal((await cli(['get', 'self'])).code, 0);
  assert.deepEqual(
    control.requests.slice(before).map(({ url }) => url),
    ['/v2/auth/token/', '/api/self/'],
  );
  assert.equal(stored().default.token, 'token-3');
});

test('without the secret a sign-in ends with its token, and the next command is named', async (t) => {
  let ended = false;
  const { control, cli, stored } = await signedIn(t, () => ended, ['--forget-secret']);
  assert.equal(stored().default.client_secret, null);
  ended = true;
  const { code, stderr } = await cli(['get', 'self']);
  assert.equal(code, 3);
  assert.match(stderr, new RegExp(`has ended: run rialto login --url ${control.url}\\.`));
});

test('a wrong secret, no secret and no server are told apart by their codes', async (t) => {
  const { cli, control } = await signedIn(t);
  const args = ['login', '--url', control.url, '--client-id', 'acme', '--profile', 'other'];
  const wrong = await cli(args, { RIALTO_CLIENT_SECRET: 'bad' });
  assert.equal(wrong.code, 3);
  assert.match(
    wrong.stderr,
    /secret of client acme, or its user is paused or archived: run rialto login/,
  );
  assert.match(wrong.stderr, /one-time link .*, by POST \/api\/applications\/ with a token/);
  const nobody = await cli(['login', '--url', 'http://127.0.0.1:9', '--client-id', 'x'], SECRET);
  assert.equal(nobody.code, 5);
  assert.match(nobody.stderr, /cannot be reached .*rialto doctor/);
  const clear = await cli(['login', '--url', 'http://192.0.2.1', '--client-id', 'x'], SECRET);
  assert.equal(clear.code, 2);
  assert.match(clear.stderr, /plain http to another machine.*--allow-http/);
  const missing = await cli(['get', 'self', '--profile', 'other']);
  assert.equal(missing.code, 3);
  assert.match(
    missing.stderr,
    /^There is no profile other: run rialto login .* --profile other\.\n$/,
  );
});

test('a token goes to no other server than the one that it is for', async (t) => {
  const { cli } = await signedIn(t);
  const other = await startFakeControl(t, () => null);
  const byUrl = await cli(['get', 'self', '--url', other.url]);
  assert.equal(byUrl.code, 3);
  assert.match(byUrl.stderr, /Not signed in at .*: run rialto login --url /);
  const byVariable = await cli(['api', 'GET', '/self/'], { RIALTO_URL: other.url });
  assert.equal(byVariable.code, 3);
  const both = await cli(['api', 'GET', '/self/', '--url', other.url, '--profile', 'default']);
  assert.equal(both.code, 2);
  assert.equal(other.requests.length, 0);
});

test('a redirect is an error, and nothing is sent after it', async (t) => {
  const { cli } = openCli(t);
  const thief = await startFakeControl(t, () => null);
  const control = await startFakeControl(t, () => ({
    status: 302,
    headers: { location: `${thief.url}/api/self/` },
    body: {},
  }));
  const given = { RIALTO_TOKEN: 'abc', RIALTO_URL: control.url };
  const { code, stderr } = await cli(['get', 'self'], given);
  assert.equal(code, 1);
  assert.match(stderr, /it leads elsewhere/);
  assert.equal(thief.requests.length, 0);
});

test('machines sign in by variables, and nothing of it is stored', async (t) => {
  const control = await startFakeControl(t, ({ url }) =>
    url === '/api/self/' ? { body: SELF } : null,
  );
  const { cli } = openCli(t);
  const byToken = { RIALTO_URL: control.url, RIALTO_TOKEN: 'given' };
  assert.equal((await cli(['get', 'self'], byToken)).code, 0);
  assert.equal(control.requests.at(-1)?.headers.authorization, 'Bearer given');
  const byClient = { RIALTO_URL: control.url, RIALTO_CLIENT_ID: 'acme', ...SECRET };
  assert.equal((await cli(['get', 'self'], byClient)).code, 0);
  assert.equal(control.requests.at(-1)?.headers.authorization, 'Bearer token-1');
  const none = await cli(['get', 'self']);
  assert.deepEqual(
    [none.code, none.stderr],
    [3, 'Not signed in: run rialto login --url http://localhost:8080.\n'],
  );
});

test('a file of sign-ins that others can read is refused, and so is one that is damaged', async (t) => {
  const { cli, path } = await signedIn(t);
  chmodSync(path, 0o644);
  const open = await cli(['get', 'self']);
  assert.equal(open.code, 1);
  assert.match(open.stderr, /can be read by others: run chmod 600 /);
  chmodSync(path, 0o600);
  writeFileSync(path, '{"version": 1');
  assert.match((await cli(['get', 'self'])).stderr, /move it away and run rialto login/);
});

test('signing out revokes the token and forgets, also when the server cannot be told', async (t) => {
  const { control, cli, stored } = await signedIn(t);
  assert.equal(
    (await cli(['login', '--profile', 'two', '--url', control.url, '--client-id', 'b'], SECRET))
      .code,
    0,
  );
  const out = await cli(['logout', '--json']);
  assert.deepEqual([out.code, JSON.parse(out.stdout).revoked], [0, true]);
  const last = control.requests.at(-1);
  assert.equal(last?.url, '/v2/auth/revoke/');
  assert.equal(new URLSearchParams(last?.body).get('token'), 'token-1');
  assert.deepEqual(Object.keys(stored()), ['two']);
  assert.equal((await cli(['logout'])).code, 4);

  const gone = await signedIn(t, ({ url }) => url === '/v2/auth/revoke/');
  const failed = await gone.cli(['logout']);
  assert.equal(failed.code, 5);
  assert.match(failed.stderr, /forgotten here, but its token was not revoked/);
  assert.deepEqual(gone.stored(), {});
});
