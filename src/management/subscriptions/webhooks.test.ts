import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { eventTypesFor } from '../../subscriptions/event-types.ts';

const NEW = {
  name: 'Pager',
  address: 'https://hooks.acme.example/rialto',
  events: ['bidder.unhealthy'],
};

async function callersOf(t: TestContext) {
  const server = await openManagement(t);
  return {
    server,
    operator: await apiOf(server, 'operator@example.com'),
    buyer: await apiOf(server, 'engineer@acme.example'),
    seller: await apiOf(server, 'ads@planet.example'),
  };
}

test('a webhook is made, shown without its secret, changed, and removed', async (t) => {
  const { server, buyer } = await callersOf(t);
  const made = await buyer('POST', '/webhooks/', NEW);
  assert.equal(made.status, 201);
  const { secret, ...shown } = made.body;
  assert.match(secret, /^rialto_whsec_[A-Za-z0-9_-]{43}$/);
  assert.deepEqual(
    [shown.name, shown.address, shown.events, shown.status, shown.previous_secret],
    [NEW.name, NEW.address, NEW.events, 'ACTIVE', null],
  );
  const path = `/webhooks/${shown.id}/`;
  assert.equal(made.headers['location'], `/api${path}`);
  const got = await buyer('GET', path);
  assert.deepEqual(got.body, shown);
  assert.equal(got.headers['etag'], made.headers['etag']);
  assert.deepEqual((await buyer('GET', '/webhooks/')).body, [shown]);

  const stale = { 'if-match': '"another"' };
  assert.equal((await buyer('PATCH', path, { status: 'PAUSED' }, stale)).status, 412);
  const changed = await buyer('PATCH', path, { status: 'PAUSED', events: ['budget.used_up'] });
  assert.deepEqual(
    [changed.body.status, changed.body.events, changed.body.address],
    ['PAUSED', ['budget.used_up'], NEW.address],
  );
  assert.equal((await buyer('DELETE', path)).status, 204);
  assert.equal((await buyer('GET', path)).status, 404);

  const audit = await server.db
    .selectFrom('audit_log')
    .select(['action', 'changes'])
    .where('resource', '=', 'webhook')
    .orderBy('id')
    .execute();
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['created', 'updated', 'deleted'],
  );
  assert.equal(JSON.stringify(audit).includes(secret), false);
  assert.equal(server.log().includes(secret), false);
});

test('each account has its own webhooks, and none sees another’s', async (t) => {
  const { operator, buyer, seller } = await callersOf(t);
  const events = ['creative.awaiting_review'];
  const ids: number[] = [];
  for (const caller of [operator, buyer, seller]) {
    ids.push((await caller('POST', '/webhooks/', { ...NEW, events })).body.id);
  }
  for (const [index, caller] of [operator, buyer, seller].entries()) {
    const list = (await caller('GET', '/webhooks/')).body;
    assert.deepEqual(
      list.map(({ id }: { id: number }) => id),
      [ids[index]],
    );
    const other = ids[(index + 1) % ids.length] ?? 0;
    for (const [method, path] of [
      ['GET', `/webhooks/${other}/`],
      ['DELETE', `/webhooks/${other}/`],
      ['GET', `/webhooks/${other}/deliveries/`],
      ['POST', `/webhooks/${other}/test/`],
    ] as const) {
      assert.equal((await caller(method, path)).status, 404);
    }
  }
});

test('events are those that concern the account, each once, and addresses of the web', async (t) => {
  const { operator, buyer, seller } = await callersOf(t);
  assert.deepEqual(eventTypesFor('publisher'), ['creative.awaiting_review']);
  const all = eventTypesFor('operator');
  assert.equal((await operator('POST', '/webhooks/', { ...NEW, events: all })).status, 201);
  const refused = await seller('POST', '/webhooks/', NEW);
  assert.deepEqual(
    [refused.status, refused.body.errors],
    [
      400,
      [
        {
          pointer: '/events/0',
          message: 'is for others: a publisher can be told of creative.awaiting_review',
        },
      ],
    ],
  );
  for (const wrong of [
    { events: [] },
    { events: ['nothing'] },
    { events: ['bidder.healthy', 'bidder.healthy'] },
    { events: ['subscription.test'] },
    { address: 'ftp://hooks.example/' },
    { address: 'https://user:password@hooks.example/' },
    { secret: 'mine' },
  ]) {
    const answer = await buyer('POST', '/webhooks/', { ...NEW, ...wrong });
    assert.equal(answer.status, 400, JSON.stringify(wrong));
  }
  const { id } = (await buyer('POST', '/webhooks/', NEW)).body;
  const patch = await buyer('PATCH', `/webhooks/${id}/`, { events: ['batch.quarantined'] });
  assert.equal(patch.status, 400);
});

test('a secret is rolled with a grace, and shown to nobody twice', async (t) => {
  const { server, buyer } = await callersOf(t);
  const key = { 'idempotency-key': 'once' };
  const { body: made } = await buyer('POST', '/webhooks/', NEW, key);
  const again = await buyer('POST', '/webhooks/', NEW, key);
  assert.deepEqual(
    [again.status, again.body.code, again.body.resource_id],
    [409, 'secret_already_shown', String(made.id)],
  );
  const path = `/webhooks/${made.id}/secret/`;
  const rolled = await buyer('POST', path, { grace_seconds: 60 });
  assert.equal(rolled.status, 201);
  assert.notEqual(rolled.body.secret, made.secret);
  assert.match(rolled.body.previous_secret.expires_at, /Z$/);
  const stored = () => server.db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow();
  const row = await stored();
  assert.deepEqual([row.secret, row.previous_secret], [rolled.body.secret, made.secret]);
  const { body: last } = await buyer('POST', path, { grace_seconds: 0 });
  assert.equal(last.previous_secret, null);
  assert.equal((await stored()).previous_secret, null);
});

test('a test waits to be sent, and stands in the log of deliveries', async (t) => {
  const { buyer } = await callersOf(t);
  const { id } = (await buyer('POST', '/webhooks/', NEW)).body;
  const sent = await buyer('POST', `/webhooks/${id}/test/`);
  assert.deepEqual([sent.status, sent.body.state, sent.body.tries], [201, 'pending', 0]);
  const { id: event, type, data } = JSON.parse(sent.body.body);
  assert.deepEqual(
    [event, type, data],
    [sent.body.event_id, 'subscription.test', { name: NEW.name }],
  );
  const log = await buyer('GET', `/webhooks/${id}/deliveries/`);
  assert.deepEqual(log.body, [sent.body]);
  assert.equal(log.headers['x-total-count'], '1');
});

test('an account has no more than twenty webhooks', async (t) => {
  const { buyer, seller } = await callersOf(t);
  for (let each = 0; each < 20; each += 1) {
    assert.equal((await buyer('POST', '/webhooks/', NEW)).status, 201);
  }
  assert.equal((await buyer('POST', '/webhooks/', NEW)).status, 400);
  const events = ['creative.awaiting_review'];
  assert.equal((await seller('POST', '/webhooks/', { ...NEW, events })).status, 201);
});

test('the audit log has the origin of an address alone, since receivers put tokens behind it', async (t) => {
  const { server, buyer } = await callersOf(t);
  const address = 'https://hooks.acme.example/services/T0/hush?token=hush';
  const { body } = await buyer('POST', '/webhooks/', { ...NEW, address });
  const path = `/webhooks/${body.id}/`;
  await buyer('PATCH', path, { address: 'https://hooks.acme.example/services/T0/hush2' });
  await buyer('PATCH', path, { address: 'https://acme.example/' });
  await buyer('DELETE', path);
  const rows = await server.db
    .selectFrom('audit_log')
    .select('changes')
    .where('resource', '=', 'webhook')
    .orderBy('id')
    .execute();
  const told = rows
    .flatMap(({ changes }) => JSON.parse(changes))
    .filter(({ field }: { field: string }) => field === 'address');
  const masked = 'https://hooks.acme.example/…';
  assert.deepEqual(told, [
    { field: 'address', after: masked },
    { field: 'address', before: masked, after: masked },
    { field: 'address', before: masked, after: 'https://acme.example/' },
    { field: 'address', before: 'https://acme.example/', after: null },
  ]);
});
