import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TOTP } from 'otpauth';
import { offerFirstOperator } from '../../src/configuration/one-time-link-store.ts';
import { apiOf, openManagement, type ManagementServer } from '../support/management.ts';
import { filesOf } from '../support/store-internals.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** The last characters of a secret: what is kept to tell secrets apart are the first. */
const TELLING = 20;

/** Everything that was said in a test: the secrets, and every answer that was an error. */
class Ledger {
  readonly secrets = new Set<string>();
  readonly errors: string[] = [];
  /** Those of second factors, from which codes are computed: the store has them. */
  readonly stored = new Set<string>();

  /** A secret that was shown or sent. */
  keep(secret: unknown): string {
    assert.ok(typeof secret === 'string' && secret.length >= 8, 'a secret');
    this.secrets.add(secret);
    return secret;
  }

  hear(status: number, body: string): void {
    if (status >= 400) this.errors.push(body);
  }

  /** The secrets of which a text has what tells them. */
  foundIn(text: Buffer | string): string[] {
    return [...this.secrets].filter((secret) => text.includes(secret.slice(-TELLING)));
  }
}

/** Sends a form, by default to the page of links. */
async function post(
  { app }: ManagementServer,
  ledger: Ledger,
  fields: Readonly<Record<string, string>>,
  url = '/v2/auth/link/',
) {
  const body = new URLSearchParams(fields).toString();
  const answer = await app.inject({ method: 'POST', url, headers: FORM, body });
  ledger.hear(answer.statusCode, answer.body);
  return answer;
}

/** Opens a link, sends what is wrong to it, and uses it up; all three are pages that say nothing. */
async function useLink(
  server: ManagementServer,
  ledger: Ledger,
  { url, password, email = '' }: { url: string; password: string; email?: string },
): Promise<void> {
  const token = ledger.keep(new URL(url).searchParams.get('token'));
  assert.equal((await server.app.inject({ url })).statusCode, 200);
  const wrong = ledger.keep(`${password}-mistyped`);
  assert.equal(
    (await post(server, ledger, { token, password, again: wrong, email })).statusCode,
    400,
  );
  const fields = { token, password: ledger.keep(password), again: password, email };
  assert.equal((await post(server, ledger, fields)).statusCode, 200);
  const used = await server.app.inject({ url });
  ledger.hear(used.statusCode, used.body.replaceAll(/<input[^>]*>/g, ''));
  assert.equal((await post(server, ledger, fields)).statusCode, 410);
}

/** Asks for a token as a program does. */
async function signIn(
  server: ManagementServer,
  ledger: Ledger,
  { client, secret }: { readonly client: string; readonly secret: string },
): Promise<string | null> {
  const fields = { grant_type: 'client_credentials', client_id: client, client_secret: secret };
  const answer = await post(server, ledger, fields, '/v2/auth/token/');
  return answer.statusCode === 200 ? ledger.keep(answer.json().access_token) : null;
}

/** What a browser does in the console, and what goes wrong there. */
async function useConsole(server: ManagementServer, ledger: Ledger): Promise<void> {
  const email = 'b@example.com';
  const guess = ledger.keep('a guess at the password');
  const next = ledger.keep('chosen in the console');
  const session: { cookie: string; token: string } = { cookie: '', token: '' };
  const ask = async (
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: `/v2/auth/session/${path}`,
      headers: { cookie: session.cookie, 'x-csrf-token': session.token, ...headers },
      body,
    });
    ledger.hear(answer.statusCode, answer.body);
    return answer;
  };
  await ask('', { email, password: guess });
  await ask('', { email: guess, password: { guess } });
  await ask(`?password=${encodeURIComponent(guess)}`, { email });
  const signedIn = await ask('', { email, password: 'chosen after a reset' });
  session.cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  session.token = signedIn.json().session.csrf_token;
  ledger.keep(session.cookie);
  ledger.keep(session.token);
  const { secret, uri } = (
    await ask('second-factor/', { password: 'chosen after a reset' })
  ).json();
  ledger.stored.add(ledger.keep(secret));
  ledger.keep(uri);
  const code = new TOTP({ secret }).generate();
  await ask('second-factor/', { password: guess });
  await ask('second-factor/confirm/', { code: [code] });
  assert.equal((await ask('second-factor/confirm/', { code })).statusCode, 204);
  await ask('', { email, password: guess, code });
  await ask('second-factor/remove/', { code });
  await ask('password/', { password: guess, new_password: next });
  await ask('password/', { password: 'chosen after a reset', new_password: [next] });
  await ask('password/', {}, { 'x-csrf-token': ledger.keep('a guess at the token') });
  const change = { password: 'chosen after a reset', new_password: next };
  assert.equal((await ask('password/', change)).statusCode, 204);
}

/** An API of the ledger's: it hears all errors. */
async function heardApi(server: ManagementServer, ledger: Ledger, email: string) {
  const api = await apiOf(server, email);
  return async (...call: Parameters<typeof api>) => {
    const answer = await api(...call);
    ledger.hear(answer.status, JSON.stringify(answer.body));
    return answer;
  };
}

async function everyFlow(server: ManagementServer, ledger: Ledger): Promise<void> {
  const operator = await heardApi(server, ledger, 'operator@example.com');
  const acme = await heardApi(server, ledger, 'engineer@acme.example');
  for (const secret of ['operator-password', 'acme-secret', 'acme-report-token']) {
    ledger.keep(secret);
  }
  const made = await operator('POST', '/users/', { email: 'b@example.com', groups: ['operator'] });
  await useLink(server, ledger, {
    url: made.body.invitation.url,
    password: 'chosen by invitation',
  });
  const reset = await operator('POST', `/users/${made.body.id}/password-link/`);
  await useLink(server, ledger, { url: reset.body.url, password: 'chosen after a reset' });
  await useConsole(server, ledger);
  const unused = await operator('POST', `/users/${made.body.id}/password-link/`);
  ledger.keep(new URL(unused.body.url).searchParams.get('token'));

  const application = (await acme('POST', '/applications/', { name: 'Sync' })).body;
  const { client_id: client } = application;
  const path = `/applications/${client}/`;
  const secret = ledger.keep(application.client_secret);
  const rolled = ledger.keep((await acme('POST', `${path}secret/`, {})).body.client_secret);
  for (const each of [secret, rolled]) await signIn(server, ledger, { client, secret: each });
  const generated = (await acme('POST', `${path}tokens/`, { scope: 'write' })).body;
  const token = ledger.keep(generated.access_token);
  const self = { url: '/api/self/', headers: { authorization: `Bearer ${token}` } };
  assert.equal((await server.app.inject(self)).statusCode, 200);
  await acme('DELETE', `${path}tokens/${generated.id}/`);
  const revoked = await server.app.inject(self);
  ledger.hear(revoked.statusCode, revoked.body);

  const reporting = '/demand-partners/1001/reporting-token/';
  for (const grace of [60, 0]) {
    const issued = await acme('POST', reporting, { grace_seconds: grace });
    ledger.keep(issued.body.token);
  }
  await acme('DELETE', reporting);
  await wrongPlaces(server, ledger, { client, path, acme });
  await acme('DELETE', path);
}

type Api = Awaited<ReturnType<typeof heardApi>>;

/** Secrets that are sent where none belong, or are wrong. */
async function wrongPlaces(
  server: ManagementServer,
  ledger: Ledger,
  { client, path, acme }: { readonly client: string; readonly path: string; readonly acme: Api },
): Promise<void> {
  const guess = ledger.keep('a guess at somebody’s secret');
  await signIn(server, ledger, { client, secret: guess });
  await acme('PATCH', path, { name: 'x', client_secret: guess });
  await acme('PATCH', path, { client_secret: [guess] });
  await acme('POST', '/users/', { email: 'x@example.com', password: guess });
  await acme('POST', `${path}tokens/`, { scope: { access_token: guess } });
  await acme('GET', `/applications/?token=${encodeURIComponent(guess)}`);
  await acme('POST', '/applications/', `{"name": "${guess}`, {
    'content-type': 'application/json',
  });
  const token = ledger.keep('rialto_link_0123456789-no-link-of-anybody-0123456789');
  for (const url of [
    `/v2/auth/link/?token=${token}`,
    `/v2/auth/token/?client_secret=${token}`,
    `/v2/auth/link/%ff?token=${token}`,
    `/api/self/?access_token=${token}`,
  ]) {
    const answer = await server.app.inject({ url });
    ledger.hear(answer.statusCode, answer.body);
  }
}

/** What the store is in, as it stands on the disk. */
async function rawStore(server: ManagementServer): Promise<Buffer> {
  return Buffer.concat(await filesOf(server));
}

test('no secret is in the store, the log, the audit log, the metrics or an error', async (t) => {
  const server = await openManagement(t);
  const ledger = new Ledger();
  await everyFlow(server, ledger);
  assert.ok(ledger.secrets.size > 22, `${ledger.secrets.size} secrets`);
  const audit = await server.db.selectFrom('audit_log').selectAll().execute();
  for (const action of ['created', 'updated', 'deleted', 'rolled', 'revoked', 'invited']) {
    assert.ok(
      audit.some((entry) => entry.action === action),
      action,
    );
  }
  const raw = await rawStore(server);
  // The search would find what is there.
  assert.ok(raw.includes('engineer@acme.example') && raw.includes('$argon2id$'));
  assert.deepEqual(ledger.foundIn(raw), [...ledger.stored]);
  await server.db.schema.dropTable('one_time_links').execute();
  await server.db.schema.dropTable('access_tokens').execute();
  await server.db.schema.dropTable('sessions').execute();
  for (const secret of ledger.secrets) {
    const query = new URLSearchParams({ token: secret }).toString();
    const failed = await server.app.inject({ url: `/v2/auth/link/?${query}` });
    ledger.hear(failed.statusCode, failed.body);
    const headers = { authorization: `Bearer ${secret.replaceAll(/[^\w-]/g, '-')}` };
    const asked = await server.app.inject({ url: `/api/self/?${query}`, headers });
    ledger.hear(asked.statusCode, asked.body);
    const cookie = `rialto_session=${secret.split('=').at(-1) ?? ''}`;
    const opened = await server.app.inject({ url: '/api/self/', headers: { cookie } });
    ledger.hear(opened.statusCode, opened.body);
  }
  assert.match(server.log(), /no such table|relation .* does not exist/);
  assert.ok(ledger.errors.length > 30);
  for (const text of [server.log(), JSON.stringify(audit), await server.registry.metrics()]) {
    assert.deepEqual(ledger.foundIn(text), []);
  }
  // A form that is shown again has its link in it; the pages that refuse one do not.
  const errors = ledger.errors.map((text) => text.replace(/<input type="hidden"[^>]*>/, ''));
  for (const text of errors) assert.deepEqual(ledger.foundIn(text), [], text);
});

test('the first operator’s link and password are nowhere either', async (t) => {
  const server = await openManagement(t, () => 'exchange: {}\n');
  const ledger = new Ledger();
  const link = await offerFirstOperator(server.db, Date.now());
  const url = `/v2/auth/link/?token=${link?.token ?? ''}`;
  await useLink(server, ledger, {
    url: `http://localhost${url}`,
    password: 'chosen by the first',
    email: 'first@example.com',
  });
  const raw = await rawStore(server);
  assert.ok(raw.includes('first@example.com'));
  for (const text of [raw, server.log()]) assert.deepEqual(ledger.foundIn(text), []);
});
