import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';

const NEW = { name: 'Operations', address: 'adops@acme.example', events: ['bidder.unhealthy'] };
const PATH = '/email-recipients/';

test('a recipient is made, changed, tested and removed, apart from webhooks', async (t) => {
  const server = await openManagement(t);
  const buyer = await apiOf(server, 'engineer@acme.example');
  const made = await buyer('POST', PATH, NEW);
  assert.equal(made.status, 201);
  assert.deepEqual(Object.keys(made.body), [
    'id',
    'name',
    'address',
    'events',
    'status',
    'created_at',
    'updated_at',
  ]);
  const one = `${PATH}${made.body.id}/`;
  assert.equal(made.headers['location'], `/api${one}`);
  assert.deepEqual((await buyer('GET', '/webhooks/')).body, []);
  assert.equal((await buyer('GET', `/webhooks/${made.body.id}/`)).status, 404);
  const paused = await buyer('PATCH', one, { status: 'PAUSED' });
  assert.equal(paused.body.status, 'PAUSED');
  const tested = await buyer('POST', `${one}test/`);
  assert.deepEqual([tested.status, tested.body.type], [201, 'subscription.test']);
  assert.equal((await buyer('GET', `${one}deliveries/`)).body.length, 1);
  assert.equal((await buyer('DELETE', one)).status, 204);
  const audit = await server.db
    .selectFrom('audit_log')
    .select(['action', 'resource'])
    .where('resource', '=', 'e-mail recipient')
    .orderBy('id')
    .execute();
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['created', 'updated', 'deleted'],
  );
});

test('an address is one address, and no header fits into it', async (t) => {
  const operator = await apiOf(await openManagement(t), 'operator@example.com');
  for (const address of [
    'nobody',
    'a@b.example,c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    'Ana <a@b.example>',
    'a b@c.example',
    '"a"@b.example',
    'a@b..example',
    `${'a'.repeat(65)}@b.example`,
  ]) {
    const refused = await operator('POST', PATH, { ...NEW, address });
    assert.equal(refused.status, 400, address);
    assert.equal(refused.body.errors[0].pointer, '/address');
  }
});

test('accounts send to the domains of their users, operators to any', async (t) => {
  const server = await openManagement(t);
  const buyer = await apiOf(server, 'engineer@acme.example');
  const refused = await buyer('POST', PATH, { ...NEW, address: 'ana@stranger.example' });
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.errors, [
    { pointer: '/address', message: 'must be at a domain of your users: acme.example' },
  ]);
  const { body } = await buyer('POST', PATH, { ...NEW, address: 'Ana@ACME.example' });
  const moved = await buyer('PATCH', `${PATH}${body.id}/`, { address: 'ana@stranger.example' });
  assert.equal(moved.status, 400);
  const operator = await apiOf(server, 'operator@example.com');
  assert.equal((await operator('POST', PATH, { ...NEW, address: 'a@any.example' })).status, 201);
});

test('what no longer passes can be renamed and paused, and not made active again', async (t) => {
  const server = await openManagement(t);
  const buyer = await apiOf(server, 'engineer@acme.example');
  const { body } = await buyer('POST', PATH, NEW);
  const one = `${PATH}${body.id}/`;
  await server.db
    .updateTable('subscriptions')
    .set({ address: 'adops@left.example' })
    .where('id', '=', body.id)
    .execute();
  assert.equal((await buyer('PATCH', one, { name: 'Renamed' })).status, 200);
  const paused = await buyer('PATCH', one, { status: 'PAUSED' });
  assert.deepEqual([paused.status, paused.body.status], [200, 'PAUSED']);
  const resumed = await buyer('PATCH', one, { status: 'ACTIVE' });
  assert.equal(resumed.body.errors[0].pointer, '/address');
});

test('an account has an address once', async (t) => {
  const server = await openManagement(t);
  const buyer = await apiOf(server, 'engineer@acme.example');
  assert.equal((await buyer('POST', PATH, NEW)).status, 201);
  const other = await buyer('POST', PATH, { ...NEW, address: 'ana@acme.example' });
  const address = 'AdOps@acme.example';
  const again = await buyer('POST', PATH, { ...NEW, address });
  const moved = await buyer('PATCH', `${PATH}${other.body.id}/`, { address });
  const message = 'another e-mail recipient of your account has this address';
  for (const { status, body } of [again, moved]) {
    assert.deepEqual([status, body.errors], [400, [{ pointer: '/address', message }]]);
  }
  const operator = await apiOf(server, 'operator@example.com');
  assert.equal((await operator('POST', PATH, NEW)).status, 201, 'another account');
});

test('at a domain where anybody has a mailbox only the users themselves are written to', async (t) => {
  const server = await openManagement(t);
  const buyer = await apiOf(server, 'engineer@acme.example');
  await server.db
    .updateTable('users')
    .set({ email: 'ana@gmail.com' })
    .where('email', '=', 'engineer@acme.example')
    .execute();
  await server.db
    .updateTable('users')
    .set({ status: 'ARCHIVED' })
    .where('email', 'like', '%@acme.example')
    .execute();
  const refused = await buyer('POST', PATH, { ...NEW, address: 'bob@gmail.com' });
  assert.deepEqual(refused.body.errors, [
    { pointer: '/address', message: 'must be the address of one of your users: ana@gmail.com' },
  ]);
  assert.equal((await buyer('POST', PATH, { ...NEW, address: 'Ana@gmail.com' })).status, 201);
});

test('without a mail server nobody is promised an e-mail', async (t) => {
  const server = await openManagement(t, undefined, { sendsEmail: false });
  const operator = await apiOf(server, 'operator@example.com');
  const refused = await operator('POST', PATH, NEW);
  assert.equal(refused.status, 400);
  assert.match(refused.body.errors[0].message, /has set no mail server/);
});
