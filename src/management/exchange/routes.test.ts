import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { dumpStore } from '../../../test/support/store-dump.ts';

test('an operator sees and changes the settings of the exchange, also before anybody has', async (t) => {
  const server = await openManagement(t);
  const operator = await apiOf(server, 'operator@example.com');
  await server.db.deleteFrom('exchange_settings').execute();
  const { body: defaults, headers } = await operator('GET', '/exchange/');
  assert.deepEqual(
    [defaults.name, defaults.tmax_default_ms, defaults.created_at, defaults.updated_at],
    ['Rialto', 300, null, null],
  );
  const match = { 'if-match': String(headers['etag']) };
  const patch = { tmax_default_ms: 250, domain: 'exchange.example', blocked_categories: ['IAB25'] };
  const changed = await operator('PATCH', '/exchange/', patch, match);
  assert.equal(changed.status, 200);
  const { created_at, updated_at } = changed.body;
  assert.deepEqual(changed.body, { ...defaults, ...patch, created_at, updated_at });
  assert.equal(typeof created_at, 'string');
  assert.equal((await operator('PATCH', '/exchange/', patch, match)).status, 412);
  const back = await operator('PATCH', '/exchange/', { domain: null });
  assert.equal(back.body.domain, null);
  const known = { 'if-none-match': String(back.headers['etag']) };
  assert.equal((await operator('GET', '/exchange/', undefined, known)).status, 304);
});

test('wrong settings are refused with their pointers, and so is everybody else', async (t) => {
  const server = await openManagement(t);
  const operator = await apiOf(server, 'operator@example.com');
  const dump = await dumpStore(server.db);
  for (const [sent, pointer] of [
    [{ name: '' }, '/name'],
    [{ name: null }, '/name'],
    [{ tmax_default_ms: 2_000 }, '/tmax_default_ms'],
    [{ tmax_max_ms: 10 }, '/tmax_max_ms'],
    [{ tmax_max_ms: 0 }, '/tmax_max_ms'],
    [{ trace_share: 1.1 }, '/trace_share'],
    [{ trace_share: 0.00001 }, '/trace_share'],
    [{ allow_private_addresses: ['10.0.0.1'] }, '/allow_private_addresses/0'],
    [{ blocked_categories: ['IAB99'] }, '/blocked_categories/0'],
    [{ required_bid_fields: ['price'] }, '/required_bid_fields/0'],
    [{ contact_email: 'nobody' }, '/contact_email'],
    [{ invalid_traffic: null }, '/invalid_traffic'],
    [{ id: 2 }, '/id'],
    [{ created_at: null }, '/created_at'],
  ] as const) {
    const { status, body } = await operator('PATCH', '/exchange/', sent);
    assert.deepEqual([status, body.errors[0]?.pointer], [400, pointer], JSON.stringify(sent));
  }
  assert.equal((await operator('POST', '/exchange/', {})).status, 405);
  assert.equal(await dumpStore(server.db), dump);
  for (const email of ['engineer@acme.example', 'ads@planet.example']) {
    const api = await apiOf(server, email);
    const before = await dumpStore(server.db);
    assert.equal((await api('GET', '/exchange/')).status, 403);
    assert.equal((await api('PATCH', '/exchange/', { name: 'x' })).status, 403);
    assert.equal(await dumpStore(server.db), before);
  }
});
