import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';

const OPERATOR = 'operator@example.com';
const PUBLISHER = 'ads@planet.example';
const PARTNER = 'engineer@acme.example';

/** Every key of a publisher, none with the value that it has by itself. */
const EVERYTHING = {
  name: 'Gotham Gazette',
  status: 'PAUSED',
  revenue_share: 0.75,
  price_basis: 'gross',
  confirms_wins: true,
  seat_non_bids: 'pseudonyms',
  creative_review: 'required',
  seller_id: 'gotham-1',
  aliases: ['gotham', 'gg'],
  seller_type: 'BOTH',
  invalid_traffic: 'refuse',
  domain: 'gotham.example',
  categories: ['IAB1', 'IAB12'],
  hide_names: true,
  floors: [{ floor: 0.1 }, { countries: ['US'], formats: ['video'], floor: 6 }],
  blocked_categories: ['IAB26'],
  blocked_advertisers: ['rival.example'],
  blocked_apps: ['com.rival.app'],
  blocked_attributes: [1, 2],
};

const RIGHTS = {
  floors: [{ floor: 1 }],
  blocked_categories: ['IAB26'],
  blocked_advertisers: ['rival.example'],
  blocked_apps: ['com.rival.app'],
  blocked_attributes: [3],
};

const pointersOf = ({ body }: { body: { errors: { pointer: string }[] } }): string[] =>
  body.errors.map(({ pointer }) => pointer).toSorted();

test('an operator makes a publisher with everything set, and reads it back', async (t) => {
  const api = await apiOf(await openManagement(t), OPERATOR);
  const made = await api('POST', '/publishers/', EVERYTHING);
  assert.equal(made.status, 201);
  const { id, created_at, updated_at, ...rest } = made.body;
  assert.deepEqual(rest, EVERYTHING);
  assert.equal(created_at, updated_at);
  const path = `/publishers/${id}/`;
  assert.equal(made.headers['location'], `/api${path}`);
  const got = await api('GET', path);
  assert.deepEqual([got.body, got.headers['etag']], [made.body, made.headers['etag']]);
  const listed = await api('GET', '/publishers/?status=PAUSED&name=Gotham%20Gazette');
  assert.deepEqual([listed.body, listed.headers['x-total-count']], [[made.body], '1']);
  assert.deepEqual((await api('GET', '/publishers/?status=ARCHIVED')).body, []);
});

test('a patch changes what it names, null takes back, and the whole document is a patch', async (t) => {
  const server = await openManagement(t);
  const api = await apiOf(server, OPERATOR);
  const { body: made } = await api('POST', '/publishers/', EVERYTHING);
  const path = `/publishers/${made.id}/`;
  const patch = { seller_id: null, domain: null, invalid_traffic: null, floors: [] };
  const changed = await api('PATCH', path, patch);
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.body, { ...made, ...patch, updated_at: changed.body.updated_at });
  const version = await server.db.selectFrom('configuration_version').selectAll().execute();
  const same = await api('PATCH', path, changed.body);
  assert.deepEqual([same.status, same.body], [200, changed.body]);
  assert.deepEqual(
    await server.db.selectFrom('configuration_version').selectAll().execute(),
    version,
  );
  const log = await server.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').execute();
  assert.deepEqual(
    [log[0]?.actor, log[0]?.action, log[0]?.resource, log[0]?.resource_id],
    [OPERATOR, 'updated', 'publisher', String(made.id)],
  );
});

test('every wrong key is told with its pointer, and nothing changes', async (t) => {
  const api = await apiOf(await openManagement(t), OPERATOR);
  const wrong = {
    name: '',
    status: 'active',
    revenue_share: 1.5,
    price_basis: 'nett',
    confirms_wins: 1,
    seat_non_bids: true,
    creative_review: true,
    seller_id: 'a b',
    aliases: ['!'],
    seller_type: 'publisher',
    invalid_traffic: 'drop',
    domain: 'https://x.example',
    categories: ['IAB99'],
    hide_names: 'no',
    floors: [{ floor: -1 }, { countries: ['USA'], floor: 1 }],
    blocked_categories: ['sports'],
    blocked_advertisers: [''],
    blocked_apps: ['a b'],
    blocked_attributes: [18],
    nam: 'x',
    created_at: '2026-11-02T09:30:00.000Z',
  };
  const before = await api('GET', '/publishers/2001/');
  const refused = await api('PATCH', '/publishers/2001/', wrong);
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
  const lists = ['aliases', 'categories', 'blocked_categories', 'blocked_advertisers'];
  const inside = [...lists, 'blocked_apps', 'blocked_attributes'];
  const plain = Object.keys(wrong).filter((key) => ![...inside, 'floors'].includes(key));
  assert.deepEqual(
    pointersOf(refused),
    [
      ...plain.map((key) => `/${key}`),
      ...inside.map((key) => `/${key}/0`),
      '/floors/0/floor',
      '/floors/1/countries/0',
    ].toSorted(),
  );
  assert.deepEqual((await api('GET', '/publishers/2001/')).body, before.body);
  const twice = { floors: [{ floor: 1 }, { floor: 2 }] };
  assert.deepEqual(pointersOf(await api('PATCH', '/publishers/2001/', twice)), ['/floors/1']);
  const nameless = await api('POST', '/publishers/', { status: 'ACTIVE' });
  assert.match(nameless.body.errors[0].message, /a new publisher needs it/);
  const shareless = await api('POST', '/publishers/', { name: 'Seven' });
  assert.equal(shareless.status, 400);
  assert.deepEqual(shareless.body.errors, [
    { pointer: '/revenue_share', message: 'is missing; a new publisher needs it' },
  ]);
  const chosen = await api('POST', '/publishers/', { id: 7, name: 'Seven', revenue_share: 0.8 });
  assert.deepEqual(pointersOf(chosen), ['/id']);
});

test('a publisher changes its floors and what it blocks, and nothing else of itself', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const before = await api('GET', '/publishers/2001/');
  assert.deepEqual((await api('GET', '/publishers/')).body, [before.body]);
  const changed = await api('PATCH', '/publishers/2001/', RIGHTS);
  assert.equal(changed.status, 200);
  const { updated_at } = changed.body;
  assert.deepEqual(changed.body, { ...before.body, ...RIGHTS, updated_at });
  const others = Object.entries(EVERYTHING).filter(([key]) => !(key in RIGHTS));
  assert.equal(others.length, 14);
  for (const [key, value] of others) {
    // One change after the other, of which each has its own answer.
    // oxlint-disable-next-line no-await-in-loop
    const refused = await api('PATCH', '/publishers/2001/', { ...RIGHTS, [key]: value });
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'], key);
    assert.deepEqual(pointersOf(refused), [`/${key}`]);
  }
  // What is there already may come along.
  assert.equal((await api('PATCH', '/publishers/2001/', changed.body)).status, 200);
  assert.deepEqual((await api('GET', '/publishers/2001/')).body, changed.body);
  assert.equal((await api('POST', '/publishers/', { name: 'Mine' })).status, 403);
});

test('another publisher is like none, and demand partners have nothing to do here', async (t) => {
  const server = await openManagement(t);
  const { body: other } = await (await apiOf(server, OPERATOR))('POST', '/publishers/', EVERYTHING);
  const api = await apiOf(server, PUBLISHER);
  for (const path of ['', 'apps/', 'sites/', 'ad-spaces/', 'ads-txt/', 'ad-spaces/4004/tags/']) {
    // oxlint-disable-next-line no-await-in-loop
    const [foreign, missing] = await Promise.all([
      api('GET', `/publishers/${other.id}/${path}`),
      api('GET', `/publishers/999/${path}`),
    ]);
    assert.equal(foreign.status, 404, path);
    assert.deepEqual([foreign.status, foreign.body], [missing.status, missing.body]);
  }
  const patched = await api('PATCH', `/publishers/${other.id}/`, RIGHTS);
  assert.deepEqual(patched.body, (await api('PATCH', '/publishers/999/', RIGHTS)).body);
  assert.deepEqual((await api('GET', `/publishers/?name=Gotham%20Gazette`)).body, []);
  const partner = await apiOf(server, PARTNER);
  assert.equal((await partner('GET', '/publishers/')).status, 403);
  assert.equal((await partner('GET', '/publishers/2001/')).status, 403);
});

test('the lines of ads.txt are those of the command, once the exchange has a domain', async (t) => {
  const server = await openManagement(t, (yaml) =>
    yaml
      .replace('  name: Rialto\n', '  name: Rialto\n  domain: exchange.example\n  tag_id: tag-9\n')
      .replace('  - id: 2001\n', '  - id: 2001\n    domain: planet.example\n'),
  );
  const api = await apiOf(server, PUBLISHER);
  const lines = ['OWNERDOMAIN=planet.example', 'exchange.example, 2001, DIRECT, tag-9'];
  const got = await api('GET', '/publishers/2001/ads-txt/');
  assert.deepEqual([got.status, got.body], [200, { ads_txt: lines, app_ads_txt: lines }]);
  const bare = await apiOf(await openManagement(t), OPERATOR);
  const missing = await bare('GET', '/publishers/2001/ads-txt/');
  assert.deepEqual([missing.status, missing.body.code], [404, 'no_sellers']);
  assert.match(missing.body.errors[0].message, /exchange\.domain/);
});
