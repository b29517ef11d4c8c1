import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExample } from '../../../test/support/configuration-store.ts';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { applyFile } from '../../configuration/apply.ts';
import { findAccount } from '../../configuration/find-account.ts';

const ACME = 'engineer@acme.example';
const PLANET = 'ads@planet.example';
const OPERATOR = 'operator@example.com';
const PATH = '/demand-partners/1001/reporting-token/';

test('a token is rolled with a grace, in which both open the account', async (t) => {
  const server = await openManagement(t);
  const { db } = server;
  const api = await apiOf(server, ACME);
  const got = await api('GET', PATH);
  assert.deepEqual([got.status, got.body.prefix, got.body.previous], [200, 'acme', null]);
  const opens = async (token: string, nowMs = Date.now()): Promise<number | null> =>
    (await findAccount(db, token, nowMs))?.demandPartnerId ?? null;

  const rolled = await api('POST', PATH, { grace_seconds: 60 });
  assert.equal(rolled.status, 201);
  const { token, ...shown } = rolled.body;
  assert.match(token, /^rialto_report_[A-Za-z0-9_-]{43}$/);
  assert.equal(shown.prefix, token.slice(0, 20));
  assert.deepEqual((await api('GET', PATH)).body, shown);
  const untilMs = Date.parse(shown.previous.expires_at);
  assert.equal(untilMs - Date.parse(shown.created_at), 60_000);
  assert.equal(await opens(token), 1001);
  assert.equal(await opens('acme-report-token', untilMs - 1), 1001);
  assert.equal(await opens('acme-report-token', untilMs), null);

  const second = (await api('POST', PATH, { grace_seconds: 0 })).body;
  assert.equal(second.previous, null);
  assert.deepEqual([await opens(token), await opens(second.token)], [null, 1001]);
  const bolt = await apiOf(server, 'engineer@bolt.example');
  assert.equal((await bolt('GET', PATH)).status, 404);
});

test('a token that was revoked opens nothing, and no file brings it back', async (t) => {
  const server = await openManagement(t);
  const { db } = server;
  const api = await apiOf(server, PLANET);
  const path = '/publishers/2001/reporting-token/';
  const { token } = (await api('POST', path, {})).body;
  assert.equal((await findAccount(db, 'planet-report-token', Date.now()))?.publisherId, 2001);
  assert.equal((await api('DELETE', path)).status, 204);
  assert.equal((await api('GET', path)).status, 404);
  assert.equal((await api('DELETE', path)).status, 404);
  const applied = await applyFile(db, await readExample());
  assert.ok(applied.ok);
  for (const dead of [token, 'planet-report-token', '', 'revoked: publisher 2001']) {
    assert.equal(await findAccount(db, dead, Date.now()), null);
  }
  const issued = await api('POST', path, {});
  assert.deepEqual([issued.status, issued.body.previous], [201, null]);
  assert.equal((await findAccount(db, issued.body.token, Date.now()))?.publisherId, 2001);
  const rows = db.selectFrom('audit_log').selectAll().where('user_id', 'is not', null);
  assert.deepEqual(
    (await rows.orderBy('id').execute()).map(
      ({ action, resource, resource_id: id }) => `${action} ${resource} ${id}`,
    ),
    ['rolled', 'revoked', 'created'].map((action) => `${action} account of publisher 2001`),
  );
});

test('an operator gives a partner its first token; the other side may not ask', async (t) => {
  const without = (yaml: string): string => yaml.replace(/ +account_auth_token: acme.*\n/, '');
  const server = await openManagement(t, without);
  const api = await apiOf(server, OPERATOR);
  assert.equal((await api('GET', PATH)).status, 404);
  const issued = await api('POST', PATH, {});
  assert.equal(issued.status, 201);
  const account = await findAccount(server.db, issued.body.token, Date.now());
  assert.deepEqual(account, { demandPartnerId: 1001, publisherId: null });
  assert.equal((await api('POST', '/demand-partners/7/reporting-token/', {})).status, 404);
  const publisher = await apiOf(server, PLANET);
  for (const method of ['GET', 'DELETE'] as const) {
    assert.equal((await publisher(method, PATH)).status, 403);
  }
  const refused = await api('POST', PATH, { grace_seconds: 604_801 });
  assert.match(refused.body.errors[0].message, /from 0 to 604800/);
});
