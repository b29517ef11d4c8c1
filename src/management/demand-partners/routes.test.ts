import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSnapshot } from '../../configuration/compile.ts';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { dumpStore } from '../../../test/support/store-dump.ts';

const PARTNERS = '/demand-partners/';

test('an operator sees all demand partners, one of them itself alone', async (t) => {
  const server = await openManagement(t);
  const operator = await apiOf(server, 'operator@example.com');
  const acme = await apiOf(server, 'engineer@acme.example');
  const idsFor = async (api: typeof acme, query = '') =>
    (await api('GET', `${PARTNERS}${query}`)).body.map(({ id }: { id: number }) => id);
  assert.deepEqual(await idsFor(operator), [1001, 1002]);
  assert.deepEqual(await idsFor(operator, '?sort=-name&limit=1'), [1002]);
  assert.deepEqual(await idsFor(operator, '?status=PAUSED'), []);
  const own = await acme('GET', PARTNERS);
  assert.equal(own.headers['x-total-count'], '1');
  const { created_at: _made, updated_at: _changed, ...fields } = own.body[0];
  assert.deepEqual(fields, { id: 1001, name: 'Acme DSP', status: 'ACTIVE', stopped: null });
  const missing = await acme('GET', `${PARTNERS}77/`);
  assert.equal(missing.status, 404);
  assert.deepEqual((await acme('GET', `${PARTNERS}1002/`)).body, missing.body);
});

test('a demand partner that is made gets a line item in the same change, and is in the snapshot', async (t) => {
  const server = await openManagement(t);
  const operator = await apiOf(server, 'operator@example.com');
  const { seq } = (await compileSnapshot(server.db)).version;
  const made = await operator('POST', PARTNERS, { name: 'New DSP', status: 'PAUSED' });
  assert.equal(made.status, 201);
  assert.equal(made.headers['location'], `/api${PARTNERS}${made.body.id}/`);
  const items = await operator('GET', `${PARTNERS}${made.body.id}/line-items/xch/`);
  assert.deepEqual(
    items.body.map((item: object) => [Reflect.get(item, 'name'), Reflect.get(item, 'targeting')]),
    [['Default', {}]],
  );
  const { version, entities } = await compileSnapshot(server.db);
  assert.equal(version.seq, seq + 1);
  const partner = entities.find((entity) => 'id' in entity && entity.id === made.body.id);
  assert.ok(partner?.kind === 'demandPartner' && partner.bidder === null);
  const second = await operator('POST', PARTNERS, { name: 'Newer DSP' });
  assert.notEqual(second.body.id, made.body.id);
  const changed = await operator('PATCH', `${PARTNERS}${made.body.id}/`, { status: 'ACTIVE' });
  assert.equal(changed.body.status, 'ACTIVE');
  const { body } = await operator('GET', `${PARTNERS}${made.body.id}/line-items/xch/`);
  assert.equal(body.length, 1);
});

test('who may not make or change partners changes nothing', async (t) => {
  const server = await openManagement(t);
  const acme = await apiOf(server, 'engineer@acme.example');
  const publisher = await apiOf(server, 'ads@planet.example');
  const reader = await apiOf(server, 'operator@example.com', ['read']);
  const operator = await apiOf(server, 'operator@example.com');
  const dump = await dumpStore(server.db);
  for (const [api, method, path, status] of [
    [acme, 'POST', PARTNERS, 403],
    [acme, 'PATCH', `${PARTNERS}1001/`, 403],
    [acme, 'PATCH', `${PARTNERS}77/`, 403],
    [publisher, 'GET', PARTNERS, 403],
    [publisher, 'GET', `${PARTNERS}1001/`, 403],
    [reader, 'POST', PARTNERS, 403],
    [operator, 'PATCH', `${PARTNERS}77/`, 404],
    [operator, 'PUT', `${PARTNERS}1001/`, 405],
    [operator, 'DELETE', `${PARTNERS}1001/`, 405],
  ] as const) {
    const body = method === 'GET' ? undefined : { name: 'x' };
    const answer = await api(method, path, body);
    assert.equal(answer.status, status, `${method} ${path}`);
  }
  for (const body of [{}, { name: '' }, { name: 'x', id: 5 }, { name: 'x', stopped: true }]) {
    assert.equal((await operator('POST', PARTNERS, body)).status, 400, JSON.stringify(body));
  }
  assert.equal(await dumpStore(server.db), dump);
});
