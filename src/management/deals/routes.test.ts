import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { dumpStore } from '../../../test/support/store-dump.ts';

/** A second publisher with a site, and deals over several parties. */
const MORE = `
  - { id: both, name: Both, ad_spaces: [4001, 4901], seats: [acme-1, bolt-1], type: second_price, floor: 0.5 }
  - { id: other, name: Other, ad_spaces: [4901], seats: [bolt-1], type: first_price, floor: 0 }
`;
const OTHER_PUBLISHER = `
  - id: 2901
    name: Other
    revenue_share: 0.8
    sites: [{ id: 3901, name: other.example, domain: other.example, ad_spaces: [{ id: 4901, name: Box, banner: { sizes: [300x250] } }] }]

deals:`;

async function open(t: TestContext) {
  const server = await openManagement(
    t,
    (yaml) => yaml.replace('\ndeals:', OTHER_PUBLISHER) + MORE,
  );
  return {
    server,
    operator: await apiOf(server, 'operator@example.com'),
    acme: await apiOf(server, 'engineer@acme.example'),
    bolt: await apiOf(server, 'engineer@bolt.example'),
    planet: await apiOf(server, 'ads@planet.example'),
  };
}

type Api = Awaited<ReturnType<typeof apiOf>>;

async function dealsFor(api: Api, query = ''): Promise<unknown[][]> {
  const { body, headers } = await api('GET', `/deals/${query}`);
  assert.equal(headers['x-total-count'], String(body.length));
  return body.map((deal: { id: string; seats: string[]; ad_spaces: number[] }) => [
    deal.id,
    deal.seats,
    deal.ad_spaces,
  ]);
}

test('an operator sees all deals, the others their own and of those their own part', async (t) => {
  const { operator, acme, bolt, planet } = await open(t);
  assert.deepEqual(await dealsFor(operator), [
    ['both', ['acme-1', 'bolt-1'], [4001, 4901]],
    ['other', ['bolt-1'], [4901]],
    ['planet-acme-1', ['acme-1'], [4004]],
  ]);
  assert.deepEqual(await dealsFor(acme), [
    ['both', ['acme-1'], [4001, 4901]],
    ['planet-acme-1', ['acme-1'], [4004]],
  ]);
  assert.deepEqual(await dealsFor(bolt), [
    ['both', ['bolt-1'], [4001, 4901]],
    ['other', ['bolt-1'], [4901]],
  ]);
  assert.deepEqual(await dealsFor(planet), [
    ['both', ['acme-1', 'bolt-1'], [4001]],
    ['planet-acme-1', ['acme-1'], [4004]],
  ]);
  assert.deepEqual(await dealsFor(acme, '?type=second_price'), [
    ['both', ['acme-1'], [4001, 4901]],
  ]);
  const missing = await acme('GET', '/deals/none/');
  for (const id of ['other', 'a b', '%00', 'x'.repeat(129)]) {
    const { status, body } = await acme('GET', `/deals/${encodeURIComponent(id)}/`);
    assert.deepEqual([status, body], [404, missing.body], id);
  }
  assert.equal((await planet('GET', '/deals/other/')).status, 404);
  assert.deepEqual((await acme('GET', '/deals/both/')).body.seats, ['acme-1']);
});

test('a seat of an archived line item shows its former holder no deals', async (t) => {
  const { operator, acme } = await open(t);
  await acme('PATCH', '/demand-partners/1001/line-items/xch/501/', { status: 'ARCHIVED' });
  assert.deepEqual(await dealsFor(acme), []);
  await operator('PATCH', '/demand-partners/1002/line-items/xch/502/', { seat: 'acme-1' });
  assert.equal((await acme('GET', '/deals/planet-acme-1/')).status, 404);
});

test('an operator makes and changes deals; an amount goes with its type', async (t) => {
  const { operator } = await open(t);
  const deal = {
    name: 'New',
    ad_spaces: [4001],
    seats: ['acme-1'],
    type: 'second_price',
    floor: 0,
  };
  // As long as an id may be, of what addresses, SQL and JSON have their own use for.
  const marks = `a/b?c=#%2F"'\\..;--é`;
  const id = `${marks}${'😀'.repeat(128 - marks.length)}`;
  const made = await operator('POST', '/deals/', { id, ...deal });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const path = String(made.headers['location']).replace('/api', '');
  const { body } = await operator('GET', path);
  assert.deepEqual(body, made.body);
  assert.deepEqual([body.id, body.floor, body.price], [id, 0, null]);
  const whole = await operator('PATCH', path, { ...body, name: 'Renamed' });
  assert.equal(whole.body.name, 'Renamed');
  const fixed = await operator('PATCH', path, { type: 'fixed_price', price: 2.5, floor: null });
  assert.deepEqual(
    [fixed.body.type, fixed.body.price, fixed.body.floor],
    ['fixed_price', 2.5, null],
  );
  const taken = await operator('POST', '/deals/', { id, ...deal });
  assert.deepEqual([taken.status, taken.body.errors[0].pointer], [400, '/id']);
});

test('wrong deals are refused with their pointers, and nothing is changed', async (t) => {
  const { server, operator, acme, planet } = await open(t);
  const dump = await dumpStore(server.db);
  const deal = {
    id: 'new',
    name: 'New',
    ad_spaces: [4001],
    seats: ['acme-1'],
    type: 'first_price',
    floor: 1,
  };
  for (const [sent, pointer] of [
    [{ ...deal, id: undefined }, '/id'],
    [{ ...deal, id: 'a b' }, '/id'],
    [{ ...deal, id: '' }, '/id'],
    [{ ...deal, id: 7 }, '/id'],
    [{ ...deal, id: 'planet-acme-1' }, '/id'],
    [{ ...deal, ad_spaces: [4001, 77] }, '/ad_spaces/1'],
    [{ ...deal, ad_spaces: [] }, '/ad_spaces'],
    [{ ...deal, seats: ['acme-1', 'nobody'] }, '/seats/1'],
    [{ ...deal, type: 'auction' }, '/type'],
    [{ ...deal, price: 1 }, '/price'],
    [{ ...deal, floor: null }, ''],
    [{ ...deal, type: 'fixed_price' }, '/floor'],
    [{ ...deal, type: 'fixed_price', floor: undefined, price: 0 }, '/price'],
    [{ ...deal, advertisers: ['https://a.example'] }, '/advertisers/0'],
    [{ ...deal, created_at: 'now' }, '/created_at'],
  ] as const) {
    const { status, body } = await operator('POST', '/deals/', sent);
    assert.deepEqual([status, body.errors[0].pointer], [400, pointer], JSON.stringify(sent));
  }
  for (const [sent, pointer] of [
    [{ type: 'first_price' }, ''],
    [{ price: null }, ''],
    [{ floor: 1 }, '/floor'],
    [{ id: 'renamed' }, '/id'],
    [{ seats: ['nobody'] }, '/seats/0'],
  ] as const) {
    const { status, body } = await operator('PATCH', '/deals/planet-acme-1/', sent);
    assert.deepEqual([status, body.errors[0].pointer], [400, pointer], JSON.stringify(sent));
  }
  for (const api of [acme, planet]) {
    assert.equal((await api('POST', '/deals/', deal)).status, 403);
    assert.equal((await api('PATCH', '/deals/planet-acme-1/', { name: 'x' })).status, 403);
    assert.equal((await api('PATCH', '/deals/none/', { name: 'x' })).status, 403);
  }
  assert.equal(await dumpStore(server.db), dump);
});
