import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  openTestStore,
  problemsOf,
  readExample,
  applyQuickly,
} from '../../test/support/configuration-store.ts';
import { compileSnapshot } from './compile.ts';

/** The problems of a change of the example's publisher, without their lines. JSON is YAML. */
async function faultsOf(context: TestContext, publisher: object): Promise<readonly string[]> {
  const { db } = await openTestStore(context);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const found = await problemsOf(db, JSON.stringify({ publishers: [{ id: 2001, ...publisher }] }));
  return found.map((line) => line.replace(/^line \d+: publishers\[0\]\./, ''));
}

function spaceOf(id: number, settings: object): object {
  return { apps: [{ id: 3001, ad_spaces: [{ id, ...settings }] }] };
}

const SPACE = 'apps[0].ad_spaces[0]';

test('a floor names countries and formats that exist, or none', async (t) => {
  const floors = [
    { countries: ['UK'], floor: 1 },
    { countries: [], floor: 1 },
    { formats: ['audio'], floor: 1 },
    { formats: ['video'] },
    { floor: -1 },
    { country: 'US', floor: 1 },
  ];
  assert.deepEqual(await faultsOf(t, { floors }), [
    'floors[0].countries[0] must be an ISO 3166-1 alpha-2 country code such as US (the United Kingdom is GB, Greece is GR), found "UK"',
    'floors[1].countries must be a list of 1 to 300 country codes such as US, found a list of 0',
    'floors[2].formats[0] must be banner, video or native, found "audio"',
    'floors[3].floor is missing; it must be a price in USD CPM from 0 to 10000, with six decimals at most',
    'floors[4].floor must be a price in USD CPM from 0 to 10000, with six decimals at most, found -1',
    'floors[5].country is not a key of a floor; the keys are countries, formats, floor',
  ]);
});

test('two floors for the same are refused at each level, where none is more specific', async (t) => {
  const floors = [
    { floor: 1 },
    { countries: ['US', 'DE'], floor: 2 },
    { formats: ['video'], floor: 3 },
    { countries: ['US'], formats: ['video'], floor: 4 },
    { countries: ['FR', 'DE'], floor: 5 },
    { formats: ['native', 'video'], floor: 6 },
    { countries: ['US', 'US'], formats: ['native', 'video'], floor: 7 },
    { floor: 8 },
  ];
  const faults = [
    'floors[4] sets a floor in DE, which floors[1] has set already',
    'floors[5] sets a floor of video everywhere, which floors[2] has set already',
    'floors[6] sets a floor of video in US, which floors[3] has set already',
    'floors[7] sets a floor everywhere, which floors[0] has set already',
  ];
  assert.deepEqual(await faultsOf(t, { floors }), faults);
  assert.deepEqual(
    await faultsOf(t, { apps: [{ id: 3001, floors }] }),
    faults.map((fault) => `apps[0].${fault}`),
  );
  assert.deepEqual(
    await faultsOf(t, { sites: [{ id: 3002, floors }] }),
    faults.map((fault) => `sites[0].${fault}`),
  );
  assert.deepEqual(
    await faultsOf(t, spaceOf(4001, { floors })),
    faults.map((fault) => `${SPACE}.${fault}`),
  );
});

test('refresh needs its seconds, and has bounds', async (t) => {
  const refused = async (refresh: object): Promise<readonly string[]> =>
    faultsOf(t, spaceOf(4001, { refresh }));
  const seconds = 'a whole number from 1 to 86400 (seconds from one ad to the next)';
  assert.deepEqual(await refused({ max_per_page: 1 }), [
    `${SPACE}.refresh.min_seconds is missing; it must be ${seconds}`,
  ]);
  assert.deepEqual(await refused({ min_seconds: 0, max_per_page: -1 }), [
    `${SPACE}.refresh.min_seconds must be ${seconds}, found 0`,
    `${SPACE}.refresh.max_per_page must be a whole number from 0 to 1000, ads after the first of a page, found -1`,
  ]);
  assert.deepEqual(await refused({ min_seconds: 30, max_per_page: 0 }), []);
});

test('backfill is markup of its format that loads everything over HTTPS', async (t) => {
  const faults = async (id: number, backfill: object): Promise<readonly string[]> => {
    const found = await faultsOf(t, spaceOf(id, { backfill }));
    return found.map((fault) => fault.replace(`${SPACE}.backfill.`, ''));
  };
  assert.deepEqual(await faults(4001, { banner: '<a href="http://a.example">\n\tAd</a>' }), []);
  assert.deepEqual(await faults(4001, { banner: '<img src="http://a.example/i.png">' }), [
    'banner must load everything over HTTPS, found http://a.example/i.png',
  ]);
  assert.deepEqual(await faults(4001, { banner: '<VAST version="3.0"></VAST>' }), [
    'banner must be HTML, found VAST',
  ]);
  assert.deepEqual(await faults(4001, { banner: '{"assets":[]}' }), [
    'banner must be HTML, found JSON',
  ]);
  for (const text of ['', ' \n', 'a\u0007b', 'x'.repeat(8_193)]) {
    // One after the other: each applies a file to a store of its own.
    // oxlint-disable-next-line no-await-in-loop
    const [fault = ''] = await faults(4001, { banner: text });
    assert.match(fault, /^banner must be HTML of 1 to 8192 characters, as a text, found/);
  }
  assert.deepEqual(await faults(4001, { banner: 'x'.repeat(8_192) }), []);
  assert.deepEqual(await faults(4001, { video: 'https://a.example/vast' }), [
    'video is for ad spaces with video',
  ]);
  assert.deepEqual(await faults(4002, { video: 'https://a.example/vast?x=1' }), []);
  assert.deepEqual(await faults(4002, { video: 'http://a.example/vast' }), [
    'video must be an https address, without user, password or #fragment, found "http://a.example/vast"',
  ]);
  assert.match(
    (await faults(4002, { video: 'vast.xml' }))[0] ?? '',
    /^video must be an https address/,
  );
});

test('native backfill brings every asset that the ad space asks for', async (t) => {
  const [fault, ...others] = await faultsOf(
    t,
    spaceOf(4003, {
      backfill: {
        native: JSON.stringify({
          link: { url: 'https://a.example' },
          assets: [{ id: 1, title: { text: 'House' } }],
        }),
      },
    }),
  );
  assert.deepEqual(others, []);
  assert.match(fault ?? '', /native must be a native ad that has what the ad space asks for: /);
  const [garbled] = await faultsOf(t, spaceOf(4003, { backfill: { native: 'nothing' } }));
  assert.match(garbled ?? '', /backfill\.native must be a native ad that/);
});

test('backfill of a format that is taken away is refused, until it goes as well', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const change = (settings: object): string =>
    JSON.stringify({ publishers: [{ id: 2001, ...spaceOf(4001, settings) }] });
  const backfill = { banner: '<p>House ad</p>' };
  assert.deepEqual(await problemsOf(db, change({ backfill })), []);
  const video = { banner: null, video: { w: 640, h: 360 } };
  const [fault, ...others] = await problemsOf(db, change(video));
  assert.match(fault ?? '', /ad_spaces\[0\]\.backfill\.banner is for ad spaces with banner/);
  assert.deepEqual(others, []);
  // A banner that is not sound is told once.
  const unsound = await problemsOf(db, change({ banner: { sizes: [] }, backfill }));
  assert.equal(unsound.length, 1);
  assert.deepEqual(await problemsOf(db, change({ ...video, backfill: null })), []);
});

test('floors, refresh and backfill are taken back by an empty list and by null', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const before = await compileSnapshot(db);
  const set = (value: object): string =>
    JSON.stringify({ publishers: [{ id: 2001, ...spaceOf(4001, value) }] });
  const refresh = { min_seconds: 5 };
  const backfill = { banner: '<p>House ad</p>' };
  const changed = await applyQuickly(db, set({ floors: [{ floor: 1 }], refresh, backfill }));
  assert.ok(changed.ok && changed.updated === 1);
  const { entities } = await compileSnapshot(db);
  const space = entities.find((each) => each.kind === 'adSpace' && each.id === 4001);
  assert.ok(space?.kind === 'adSpace');
  assert.deepEqual(space.floors, [{ countries: [], formats: [], floorMicros: 1_000_000 }]);
  assert.deepEqual(space.refresh, { minSeconds: 5, maxPerPage: null });
  assert.deepEqual(space.backfill, { banner: '<p>House ad</p>', video: null, native: null });
  assert.deepEqual(await problemsOf(db, set({ floors: [], refresh: null, backfill: null })), []);
  assert.deepEqual((await compileSnapshot(db)).entities, before.entities);
});
