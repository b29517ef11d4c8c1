import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';

const LOG = '/audit-log/';
const ITEMS = '/demand-partners/1001/line-items/xch/';

test('operators read who changed what, the newest first, in parts and by filters', async (t) => {
  const server = await openManagement(t);
  const partner = await apiOf(server, 'engineer@acme.example');
  const operator = await apiOf(server, 'operator@example.com', ['read']);
  const made = await partner('POST', ITEMS, { name: 'Autumn' });
  const id = String(made.body.id);
  await partner('PATCH', `${ITEMS}${id}/`, { status: 'PAUSED' });

  const all = await operator('GET', LOG);
  assert.equal(all.status, 200);
  assert.equal(all.headers['x-total-count'], String(all.body.length));
  const ids: number[] = all.body.map((entry: { id: number }) => entry.id);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => b - a),
  );
  const [newest] = all.body;
  assert.deepEqual(
    { ...newest, id: 0, at: '', user_id: 0 },
    {
      id: 0,
      at: '',
      actor: 'engineer@acme.example',
      user_id: 0,
      client_id: 'test-of-engineer-acme-example',
      action: 'updated',
      resource: 'line item',
      resource_id: id,
      name: 'Autumn',
      demand_partner_id: 1001,
      publisher_id: null,
      changes: [{ field: 'status', before: 'ACTIVE', after: 'PAUSED' }],
    },
  );
  const of = async (query: string): Promise<string[]> => {
    const { status, body } = await operator('GET', `${LOG}?${query}`);
    assert.equal(status, 200, query);
    return body.map((entry: { action: string }) => entry.action);
  };
  assert.deepEqual(await of(`resource=line%20item&resource_id=${id}`), ['updated', 'created']);
  assert.deepEqual(await of(`resource_id=${id}&action=created`), ['created']);
  assert.deepEqual(await of(`actor=engineer@acme.example&sort=id`), ['created', 'updated']);
  assert.deepEqual(await of(`resource_id=${id}&limit=1&offset=1`), ['created']);
  assert.deepEqual(await of('resource=nothing'), []);
  assert.deepEqual(await of(`resource_id=${id}&from=${newest.at}&limit=1`), ['updated']);
  assert.deepEqual(await of('to=2020-01-01'), []);
  assert.deepEqual(await of(`resource_id=${id}&from=2020-01-01&to=2999-01-01`), [
    'updated',
    'created',
  ]);
});

test('every entry says what it is about by its name of today, and whose it is', async (t) => {
  const server = await openManagement(t);
  const operator = await apiOf(server, 'operator@example.com');
  await operator('PATCH', '/publishers/2001/', { name: 'Nightly Planet' });
  const { body } = await operator('GET', LOG);
  const told = new Map(
    body.map((entry: Record<string, unknown>) => [
      `${String(entry['resource'])} ${String(entry['resource_id'])}`,
      [entry['name'], entry['demand_partner_id'], entry['publisher_id']],
    ]),
  );
  for (const [what, ...expected] of [
    ['demand partner 1001', 'Acme DSP', 1001, null],
    ['bidder of demand partner 1002', 'Bolt DSP', 1002, null],
    ['account of demand partner 1001', 'Acme DSP', 1001, null],
    ['line item 502', 'Bolt US banners', 1002, null],
    ['publisher 2001', 'Nightly Planet', null, 2001],
    ['app 3001', 'Planet Reader', null, 2001],
    ['site 3002', 'planet.example', null, 2001],
    ['ad space 4004', 'Front page box', null, 2001],
    ['deal planet-acme-1', 'Planet first look', null, null],
    ['application acme-client', 'acme-app', 1001, null],
    ['user engineer@acme.example', null, null, null],
    ['exchange Rialto', null, null, null],
  ] as const) {
    assert.deepEqual(told.get(what), expected, what);
  }
});

test('a wrong filter is told, and who is no operator reads nothing', async (t) => {
  const server = await openManagement(t);
  const operator = await apiOf(server, 'operator@example.com');
  for (const [query, pointer] of [
    ['from=2026-02-30', '/from'],
    ['to=yesterday', '/to'],
    ['to=2026-11-20T08:00:00', '/to'],
    ['from=2026-11-20&to=2026-11-19', '/from'],
    ['action=burnt', '/action'],
    ['actors=me', '/actors'],
    ['limit=0', '/limit'],
  ] as const) {
    const { status, body } = await operator('GET', `${LOG}?${query}`);
    assert.deepEqual([status, body.errors[0]?.pointer], [400, pointer], query);
  }
  for (const email of ['engineer@acme.example', 'ads@planet.example']) {
    assert.equal((await (await apiOf(server, email))('GET', LOG)).status, 403);
  }
});
