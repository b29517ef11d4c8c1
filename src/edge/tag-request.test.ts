import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../auction/formats.ts';
import { aMarket, anAdSpace, aSite, aVideo } from '../exchange/fixtures.ts';
import type { Space } from '../exchange/market.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import { TAG_PARAMETERS } from './tag-parameters.ts';
import { asParameters, readTagQuery, tagRequest } from './tag-request.ts';
import { anyCharacter } from '../../test/support/any-character.ts';

async function space(type: 'app' | 'site'): Promise<Space> {
  const native = {
    title: 90,
    icon: null,
    image: null,
    description: null,
    cta: null,
    rating: false,
    context: null,
    contextsubtype: null,
  };
  const market = await aMarket(aSite({ type }), anAdSpace({ video: aVideo(), native }));
  return market.space('4001') ?? assert.fail();
}

async function requestFor(
  query: Record<string, string>,
  formats = FORMAT_BANNER,
  type: 'app' | 'site' = 'site',
): Promise<IncomingRequest> {
  const read = readTagQuery(new URLSearchParams(query).toString());
  assert.ok(read.ok, JSON.stringify(read));
  const asked = tagRequest(await space(type), formats, read.value);
  assert.ok(asked.ok, JSON.stringify(asked));
  return asked.value;
}

/** One right value of each parameter. */
const RIGHT: Readonly<Record<string, string>> = {
  format: 'json',
  w: '300',
  h: '250',
  ua: 'Agent/1.0',
  ip: '203.0.113.7',
  ifa: 'ab-cd',
  lmt: '1',
  dnt: '0',
  lat: '51.5',
  lon: '-0.12',
  country: 'gb',
  os: 'iOS',
  osv: '17.1',
  make: 'Apple',
  model: 'iPhone',
  devicetype: '4',
  language: 'en-GB',
  connectiontype: '2',
  yob: '1980',
  gender: 'f',
  keywords: 'cars,boats',
  page: 'https://planet.example/a?b=c&d=ü',
  ref: 'https://search.example/',
  coppa: '0',
  gdpr: '1',
  consent: 'CONSENT',
  us_privacy: '1YNN',
  gpp: 'DBAA',
  gpp_sid: '2,6',
  tmax: '300',
  test: '1',
  minduration: '5',
  maxduration: '30',
  minbitrate: '300',
  maxbitrate: '2000',
  linearity: '1',
  vastver: '3',
  mraidver: '2',
  sdkver: '',
};

test('every parameter has its place in the OpenRTB request', async () => {
  const query = { ...RIGHT, sdkver: '4.2' };
  assert.deepEqual(
    Object.keys(query),
    TAG_PARAMETERS.map(({ name }) => name),
  );
  const formats = FORMAT_BANNER | FORMAT_VIDEO | FORMAT_NATIVE;
  assert.deepEqual(await requestFor(query, formats), {
    id: 'tag',
    imp: [
      {
        id: '1',
        tagid: '4001',
        banner: { w: 300, h: 250, api: [3, 5] },
        video: {
          w: 300,
          h: 250,
          minduration: 5,
          maxduration: 30,
          minbitrate: 300,
          maxbitrate: 2000,
          linearity: 1,
          protocols: [2, 5, 3, 6],
        },
        native: { api: [3, 5] },
        displaymanagerver: '4.2',
      },
    ],
    site: { page: 'https://planet.example/a?b=c&d=ü', ref: 'https://search.example/' },
    device: {
      ua: 'Agent/1.0',
      ip: '203.0.113.7',
      ifa: 'ab-cd',
      lmt: 1,
      dnt: 0,
      geo: { lat: 51.5, lon: -0.12, country: 'GBR' },
      os: 'iOS',
      osv: '17.1',
      make: 'Apple',
      model: 'iPhone',
      devicetype: 4,
      language: 'en-GB',
      connectiontype: 2,
    },
    user: { yob: 1980, gender: 'F', keywords: 'cars,boats', ext: { consent: 'CONSENT' } },
    regs: { coppa: 0, ext: { gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [2, 6] } },
    tmax: 300,
    test: 1,
  });
});

test('what belongs to a site or a format does not apply where there is none', async () => {
  const { app, site, imp } = await requestFor(RIGHT, FORMAT_BANNER, 'app');
  assert.deepEqual([app, site], [{}, undefined]);
  assert.deepEqual(Object.keys(imp[0] ?? {}), ['id', 'tagid', 'banner']);
});

test('an empty value, or a macro that nobody filled, counts as absent', async () => {
  const unfilled = [
    '',
    ' ',
    '[ua]',
    '[%UA%]',
    '${UA}',
    '{ua}',
    '{{ua}}',
    '%%UA%%',
    '__UA__',
    '$$UA$$',
    'undefined',
    'null',
  ];
  for (const text of unfilled) {
    const { device, regs } = await requestFor({
      ua: text,
      lat: text,
      gdpr: text,
      us_privacy: text,
    });
    assert.deepEqual([device, regs], [undefined, undefined], text);
  }
});

test('of several values the first that says something counts, and unknown names nothing', () => {
  const read = readTagQuery('os=[os]&os=iOS&os=Android&cb=123&__proto__=1');
  assert.ok(read.ok);
  assert.deepEqual([...read.value], [['os', 'iOS']]);
});

test('tags say as well that no section of GPP applies', () => {
  const read = readTagQuery('gpp_sid=-1');
  assert.ok(read.ok);
  assert.deepEqual([...read.value], [['gpp_sid', [-1]]]);
  assert.ok(!readTagQuery('gpp_sid=-2').ok);
});

test('everything that is wrong is told at once, with what would be right', () => {
  const read = readTagQuery(
    'ip=1.2.3&lat=north&devicetype=9&gdpr=yes&w=0&tmax=1e3&gpp_sid=a&us_privacy=1YY',
  );
  assert.ok(!read.ok);
  assert.deepEqual(
    read.problems.map(({ pointer, message }) => `${pointer} ${message}`),
    [
      'w is "0"; give a whole number from 1 to 2147483647, or leave it out',
      'ip is "1.2.3"; give an IPv4 or IPv6 address, or leave it out',
      'lat is "north"; give a number from -90 to 90, such as 51.5, or leave it out',
      'devicetype is "9"; give one of 1, 2, 3, 4, 5, 6, 7, or leave it out',
      'gdpr is "yes"; give 0 or 1, or leave it out',
      'us_privacy is "1YY"; give a US privacy string of version 1, such as 1YNN, or leave it out',
      'gpp_sid is "a"; give whole numbers with commas between them, or leave it out',
      'tmax is "1e3"; give a whole number from 1 to 2147483647, or leave it out',
    ],
  );
});

test('problems of the OpenRTB request are told by parameter, and what has none by the ad space', () => {
  const problems = ['/device/geo/lat', '/imp/0/video/w', '/imp/0/tagid', '/imp/0'].map(
    (pointer) => ({ pointer, message: '' }),
  );
  assert.deepEqual(
    asParameters(problems).map(({ pointer }) => pointer),
    ['lat', 'w', 'ad_space', 'ad_space'],
  );
});

test('whatever the query, it is refused by name or makes a valid request', async () => {
  const standing = await space('site');
  const name = fc.constantFrom(...TAG_PARAMETERS.map((parameter) => parameter.name));
  const value = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.integer().map(String),
    fc.constantFrom(...Object.values(RIGHT)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
      const read = readTagQuery(new URLSearchParams(pairs).toString());
      if (read.ok) assert.ok(tagRequest(standing, FORMAT_BANNER | FORMAT_VIDEO, read.value).ok);
      else assert.ok(read.problems.every(({ pointer }) => pointer in RIGHT));
    }),
  );
});
