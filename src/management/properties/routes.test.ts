import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';

const OPERATOR = 'operator@example.com';
const PUBLISHER = 'ads@planet.example';
const APPS = '/publishers/2001/apps/';
const SITES = '/publishers/2001/sites/';

const SHARED = {
  name: 'Planet Sports',
  status: 'PAUSED',
  categories: ['IAB17'],
  languages: ['en', 'de'],
  floors: [{ formats: ['video'], floor: 2.5 }],
  blocked_categories: ['IAB26'],
  blocked_advertisers: ['rival.example'],
  blocked_apps: ['com.rival.app'],
  blocked_attributes: [1],
};
const APP = {
  ...SHARED,
  bundle: 'com.planet.sports',
  platform: 'Android',
  storeurl: 'https://play.google.com/store/apps/details?id=com.planet.sports',
  domain: 'planet.example',
};
const SITE = { ...SHARED, domain: 'sports.planet.example' };

const pointersOf = ({ body }: { body: { errors: { pointer: string }[] } }): string[] =>
  body.errors.map(({ pointer }) => pointer).toSorted();

for (const [noun, list, document] of [
  ['app', APPS, APP],
  ['site', SITES, SITE],
] as const) {
  test(`a publisher makes its ${noun} with everything set, and reads it back`, async (t) => {
    const api = await apiOf(await openManagement(t), PUBLISHER);
    const made = await api('POST', list, document);
    assert.equal(made.status, 201);
    const { id, created_at, updated_at, ...rest } = made.body;
    assert.deepEqual(rest, document);
    assert.equal(created_at, updated_at);
    assert.equal(made.headers['location'], `/api${list}${id}/`);
    assert.deepEqual((await api('GET', `${list}${id}/`)).body, made.body);
    assert.deepEqual((await api('GET', `${list}?status=PAUSED`)).body, [made.body]);
    assert.equal((await api('GET', list)).body.length, 2, 'those of the other kind are not listed');
    const other = list === APPS ? SITES : APPS;
    assert.equal((await api('GET', `${other}${id}/`)).status, 404, 'nor found');
  });

  test(`the ${noun} of another publisher is like none`, async (t) => {
    const server = await openManagement(t);
    const operator = await apiOf(server, OPERATOR);
    const { body: owner } = await operator('POST', '/publishers/', {
      name: 'Gotham Gazette',
      revenue_share: 0.8,
    });
    const foreign = list.replace('2001', String(owner.id));
    const { body: made } = await operator('POST', foreign, document);
    const api = await apiOf(server, PUBLISHER);
    for (const path of [`${foreign}${made.id}/`, `${list}${made.id}/`]) {
      for (const method of ['GET', 'PATCH'] as const) {
        const body = method === 'PATCH' ? { name: 'Mine' } : undefined;
        // oxlint-disable-next-line no-await-in-loop
        const refused = await api(method, path, body);
        // oxlint-disable-next-line no-await-in-loop
        const missing = await api(method, `${list}987654/`, body);
        assert.deepEqual([refused.status, refused.body], [404, missing.body], `${method} ${path}`);
      }
    }
    assert.equal((await api('POST', foreign, document)).status, 404);
    assert.deepEqual((await operator('GET', `${foreign}${made.id}/`)).body, made);
    assert.equal((await operator('GET', `${list}${made.id}/`)).status, 404, 'not at this owner');
  });
}

test('a patch changes what it names, and an app keeps to the form of its platform', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const before = await api('GET', `${APPS}3001/`);
  const patch = { storeurl: null, languages: ['fr'], status: 'PAUSED' };
  const changed = await api('PATCH', `${APPS}3001/`, patch);
  assert.deepEqual(changed.body, {
    ...before.body,
    ...patch,
    updated_at: changed.body.updated_at,
  });
  const moved = await api('PATCH', `${APPS}3001/`, { platform: 'iOS' });
  assert.deepEqual([moved.status, pointersOf(moved)], [400, ['/bundle']]);
  const both = await api('PATCH', `${APPS}3001/`, { platform: 'iOS', bundle: '123456789' });
  assert.deepEqual([both.status, both.body.bundle], [200, '123456789']);
  assert.equal((await api('GET', `${APPS}?bundle=123456789`)).body.length, 1);
});

test('every wrong key of an app is told with its pointer', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const plain = {
    name: 'two\nlines',
    status: 'DELETED',
    bundle: 'a b',
    platform: 'Windows',
    storeurl: 'ftp://x.example',
    domain: 'a b',
    publisher_id: 2002,
    ad_spaces: [],
  };
  const lists = {
    categories: ['IAB99'],
    languages: ['english'],
    blocked_categories: [1],
    blocked_advertisers: ['a b'],
    blocked_apps: [''],
    blocked_attributes: [0],
  };
  const refused = await api('POST', APPS, { ...plain, ...lists, floors: 0.5 });
  assert.equal(refused.status, 400);
  const inside = Object.keys(lists).map((key) => `/${key}/0`);
  const keys = [...Object.keys(plain), 'floors'].map((key) => `/${key}`);
  assert.deepEqual(pointersOf(refused), [...keys, ...inside].toSorted());
  assert.match((await api('POST', APPS, {})).body.errors[0].message, /a new app needs it/);
  assert.match((await api('POST', SITES, {})).body.errors[0].message, /a new site needs it/);
  assert.deepEqual(pointersOf(await api('PATCH', `${SITES}3002/`, { domain: null })), ['/domain']);
  assert.equal((await api('GET', APPS)).body.length, 1);
});

test('names come back as they were sent, whatever they say', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  for (const name of [
    '<script>alert(1)</script>',
    "'; drop table apps; --",
    '🏴‍☠️ أهلا',
    '${PRICE}',
  ]) {
    // oxlint-disable-next-line no-await-in-loop
    const made = await api('POST', SITES, { name, domain: 'x.example' });
    assert.deepEqual([made.status, made.body.name], [201, name]);
    // oxlint-disable-next-line no-await-in-loop
    const found = await api('GET', `${SITES}?name=${encodeURIComponent(name)}`);
    assert.deepEqual(found.body, [made.body]);
  }
  for (const name of ['\0', '\ud800', ' x', 'x'.repeat(201), '\u0007']) {
    // oxlint-disable-next-line no-await-in-loop
    const refused = await api('POST', SITES, { name, domain: 'x.example' });
    assert.deepEqual([refused.status, pointersOf(refused)], [400, ['/name']], JSON.stringify(name));
  }
  assert.deepEqual(pointersOf(await api('GET', `${SITES}?name=%00`)), ['/name']);
});
