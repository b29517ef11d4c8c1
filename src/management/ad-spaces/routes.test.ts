import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AD_SPACE } from '../../resources/ad-space.ts';
import { apiOf, openManagement } from '../../../test/support/management.ts';

const OPERATOR = 'operator@example.com';
const PUBLISHER = 'ads@planet.example';
const APPS = '/publishers/2001/apps/';
const SPACES = '/publishers/2001/ad-spaces/';

/** Every key that an ad space may have. */
const EVERYTHING = {
  app_id: null,
  site_id: 3002,
  name: 'Everything box',
  status: 'PAUSED',
  banner: { sizes: ['300x250', '320x50'], api: [3, 5] },
  video: {
    w: 640,
    h: 360,
    minduration: 6,
    maxduration: 30,
    minbitrate: 300,
    maxbitrate: 3000,
    linearity: 1,
    startdelay: 0,
    placement: 1,
    skip: 1,
    skipmin: 15,
    skipafter: 5,
    maxextended: 30,
    boxingallowed: 1,
    playbackmethod: [1],
    playbackend: 1,
    delivery: [2],
    api: [2],
    companionad: ['300x250'],
    companiontype: [1],
    vcm: 1,
    outstream: true,
  },
  native: {
    title: 90,
    icon_min: '50x50',
    image: '1200x627',
    image_mimes: ['image/png'],
    description: 140,
    cta: 15,
    rating: true,
    context: 1,
    contextsubtype: 11,
  },
  floor: 0.25,
  floors: [{ countries: ['DE'], floor: 0.8 }],
  auction: 'first_price',
  interstitial: true,
  rewarded: true,
  pos: 1,
  viewability: 0.5,
  exp: 60,
  iframebusters: ['buster'],
  refresh: { min_seconds: 30, max_per_page: 5 },
  backfill: { banner: '<b>Subscribe</b>', video: 'https://planet.example/house.xml' },
  blocked_categories: ['IAB26'],
  blocked_advertisers: ['rival.example'],
  blocked_apps: ['com.rival.app'],
  blocked_attributes: [1],
};

const pointersOf = ({ body }: { body: { errors: { pointer: string }[] } }): string[] =>
  body.errors.map(({ pointer }) => pointer).toSorted();

test('a publisher makes an ad space with everything set, and reads it back', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const made = await api('POST', SPACES, EVERYTHING);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id, created_at, updated_at, ...rest } = made.body;
  assert.deepEqual(rest, { ...AD_SPACE.document(AD_SPACE.initial), ...EVERYTHING });
  assert.equal(created_at, updated_at);
  assert.equal(made.headers['location'], `/api${SPACES}${id}/`);
  assert.deepEqual((await api('GET', `${SPACES}${id}/`)).body, made.body);
  const again = await api('PATCH', `${SPACES}${id}/`, made.body);
  assert.deepEqual([again.status, again.body], [200, made.body], 'the whole of it is a patch');
});

test('ad spaces show their app or their site, and are found by it', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const placesOf = async (query: string): Promise<unknown[]> => {
    const { body } = await api('GET', `${SPACES}${query}`);
    return body.map((each: { id: number; app_id: unknown; site_id: unknown }) => [
      each.id,
      each.app_id,
      each.site_id,
    ]);
  };
  const inApp = [4001, 4002, 4003].map((id) => [id, 3001, null]);
  const onSite = [4004, 4005].map((id) => [id, null, 3002]);
  assert.deepEqual(await placesOf(''), [...inApp, ...onSite]);
  assert.deepEqual(await placesOf('?app_id=3001'), inApp);
  assert.deepEqual(await placesOf('?site_id=3002&sort=-id'), onSite.toReversed());
  assert.deepEqual(await placesOf('?site_id=3001'), []);
  assert.deepEqual(await placesOf('?app_id=3001&site_id=3002'), []);
  assert.deepEqual(await placesOf('?status=PAUSED'), []);
  assert.deepEqual(pointersOf(await api('GET', `${SPACES}?app_id=x`)), ['/app_id']);
});

test('an ad space is made in one app or site of the publisher, and stays there', async (t) => {
  const server = await openManagement(t);
  const operator = await apiOf(server, OPERATOR);
  const { body: owner } = await operator('POST', '/publishers/', {
    name: 'Gotham Gazette',
    revenue_share: 0.8,
  });
  const foreignApps = `/publishers/${owner.id}/apps/`;
  const app = { name: 'Gotham', bundle: 'com.gotham.app' };
  const { body: foreign } = await operator('POST', foreignApps, app);
  const api = await apiOf(server, PUBLISHER);
  const box = { name: 'Box', banner: { sizes: ['300x250'] } };
  for (const [place, pointers] of [
    [{}, ['/app_id']],
    [{ app_id: null, site_id: null }, ['/app_id']],
    [{ app_id: 3001, site_id: 3002 }, ['/app_id', '/site_id']],
    [{ app_id: 3002 }, ['/app_id']],
    [{ site_id: 3001 }, ['/site_id']],
    [{ app_id: foreign.id }, ['/app_id']],
    [{ app_id: 987 }, ['/app_id']],
    [{ app_id: '3001' }, ['/app_id']],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    const refused = await api('POST', SPACES, { ...box, ...place });
    assert.deepEqual([refused.status, pointersOf(refused)], [400, pointers], JSON.stringify(place));
  }
  const foreignMessage = (await api('POST', SPACES, { ...box, app_id: foreign.id })).body.errors[0];
  const missing = (await api('POST', SPACES, { ...box, app_id: 987 })).body.errors[0];
  assert.equal(foreignMessage.message.replace(String(foreign.id), '987'), missing.message);
  for (const [patch, pointers] of [
    [{ site_id: 3001 }, ['/site_id']],
    [{ app_id: 3001 }, ['/app_id']],
    [{ app_id: 3001, site_id: null }, ['/app_id', '/site_id']],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    const refused = await api('PATCH', `${SPACES}4004/`, patch);
    assert.deepEqual([refused.status, pointersOf(refused)], [400, pointers], JSON.stringify(patch));
  }
  const kept = await api('PATCH', `${SPACES}4004/`, { app_id: null, site_id: 3002, floor: 0.9 });
  assert.deepEqual([kept.status, kept.body.floor], [200, 0.9]);
});

test('an ad space of another publisher is like none, at any address', async (t) => {
  const server = await openManagement(t);
  const operator = await apiOf(server, OPERATOR);
  const { body: owner } = await operator('POST', '/publishers/', {
    name: 'Gotham Gazette',
    revenue_share: 0.8,
  });
  const theirs = `/publishers/${owner.id}`;
  const site = { name: 'gotham.example', domain: 'gotham.example' };
  const { body: place } = await operator('POST', `${theirs}/sites/`, site);
  const box = { name: 'Box', banner: { sizes: ['300x250'] }, site_id: place.id };
  const { body: made } = await operator('POST', `${theirs}/ad-spaces/`, box);
  assert.equal(made.site_id, place.id);
  const api = await apiOf(server, PUBLISHER);
  const missing = await api('GET', `${SPACES}987654/`);
  for (const path of [`${theirs}/ad-spaces/${made.id}/`, `${SPACES}${made.id}/`]) {
    for (const [method, url, body] of [
      ['GET', path, undefined],
      ['GET', `${path}tags/`, undefined],
      ['PATCH', path, { floor: 0 }],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop
      const refused = await api(method, url, body);
      assert.deepEqual([refused.status, refused.body], [404, missing.body], `${method} ${url}`);
    }
  }
  assert.deepEqual((await api('GET', `${SPACES}?site_id=${place.id}`)).body, []);
  assert.deepEqual((await operator('GET', `${theirs}/ad-spaces/`)).body, [made]);
});

test('formats are merged, replaced and taken away key by key', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const path = `${SPACES}4002/`;
  const merged = await api('PATCH', path, { video: { skip: 1, maxduration: 20 } });
  assert.deepEqual(merged.body.video, { w: 640, h: 360, skip: 1, maxduration: 20 });
  const less = await api('PATCH', path, { video: { skip: null }, banner: { sizes: ['320x480'] } });
  assert.deepEqual(less.body.video, { w: 640, h: 360, maxduration: 20 });
  assert.deepEqual(less.body.banner, { sizes: ['320x480'] });
  const lists = await api('PATCH', path, { banner: { sizes: ['320x50', '728x90'] } });
  assert.deepEqual(lists.body.banner, { sizes: ['320x50', '728x90'] }, 'lists are replaced');
  const gone = await api('PATCH', path, { video: null });
  assert.deepEqual([gone.body.video, gone.body.banner], [null, { sizes: ['320x50', '728x90'] }]);
  const none = await api('PATCH', path, { banner: null });
  assert.deepEqual([none.status, pointersOf(none)], [400, ['']]);
  assert.match(none.body.errors[0].message, /needs a format/);
  const broken = await api('PATCH', path, { banner: { sizes: null } });
  assert.deepEqual([broken.status, pointersOf(broken)], [400, ['/banner/sizes']]);
  const native = await api('PATCH', `${SPACES}4003/`, { native: { icon_min: '50x50' } });
  assert.deepEqual(pointersOf(native), ['/native'], 'the icon that was there is exact');
  const swapped = { native: { icon: null, icon_min: '50x50' } };
  assert.equal((await api('PATCH', `${SPACES}4003/`, swapped)).status, 200);
  const house = { backfill: { native: '{}' } };
  assert.deepEqual(pointersOf(await api('PATCH', `${SPACES}4003/`, house)), ['/backfill/native']);
});

test('every wrong key is told with its pointer, and nothing changes', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const before = await api('GET', SPACES);
  const wrong: Record<string, readonly [value: unknown, pointer?: string]> = {
    name: [''],
    status: ['RUNNING'],
    banner: [{ sizes: [] }, '/banner/sizes'],
    video: [{ w: 640, h: 0 }, '/video/h'],
    native: [{ tilte: 90 }, '/native/tilte'],
    floor: [-0.01],
    floors: [[{ floor: 1, country: 'US' }], '/floors/0/country'],
    auction: ['third_price'],
    interstitial: ['yes'],
    rewarded: [1],
    pos: [9],
    viewability: [0.33333],
    exp: [0],
    iframebusters: [[''], '/iframebusters/0'],
    refresh: [{ min_seconds: 0 }, '/refresh/min_seconds'],
    backfill: [{ video: 'http://planet.example/x' }, '/backfill/video'],
    blocked_categories: [['x'], '/blocked_categories/0'],
    blocked_advertisers: [['x y'], '/blocked_advertisers/0'],
    blocked_apps: [['x y'], '/blocked_apps/0'],
    blocked_attributes: [[99], '/blocked_attributes/0'],
    property_id: [3001],
  };
  const bodies = Object.entries(wrong).map(([key, [value]]) => [key, value]);
  const pointers = Object.entries(wrong).map(([key, [, pointer = `/${key}`]]) => pointer);
  const refused = await api('PATCH', `${SPACES}4004/`, Object.fromEntries(bodies));
  assert.equal(refused.status, 400);
  assert.deepEqual(pointersOf(refused), pointers.toSorted());
  for (const { message } of refused.body.errors) assert.doesNotMatch(message, /undefined|\[object/);
  assert.deepEqual((await api('GET', SPACES)).body, before.body);
});

test('ad spaces of an archived app stay there to be read and changed', async (t) => {
  const api = await apiOf(await openManagement(t), PUBLISHER);
  const archived = await api('PATCH', `${APPS}3001/`, { status: 'ARCHIVED' });
  assert.equal(archived.body.status, 'ARCHIVED');
  const listed = await api('GET', `${SPACES}?app_id=3001`);
  assert.deepEqual(
    listed.body.map(({ status }: { status: string }) => status),
    ['ACTIVE', 'ACTIVE', 'ACTIVE'],
  );
  const changed = await api('PATCH', `${SPACES}4001/`, { status: 'ARCHIVED' });
  assert.deepEqual([changed.status, changed.body.app_id], [200, 3001]);
  assert.equal((await api('PATCH', `${APPS}3001/`, { status: 'ACTIVE' })).body.status, 'ACTIVE');
  assert.equal((await api('GET', `${SPACES}4001/`)).body.status, 'ARCHIVED');
});
