import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Targeting } from '../resources/targeting.ts';
import { allowing, forbidding, someTraits } from './eligibility-fixtures.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';
import { compileTargeting } from './targeting.ts';
import type { ImpTraits } from './targeting-traits.ts';

function takes(targeting: Targeting, traits: Partial<ImpTraits> = {}, format = FORMAT_BANNER) {
  return compileTargeting(targeting).matches(someTraits(traits), format);
}

test('targeting without keys takes everything', () => {
  assert.ok(takes({}));
  assert.ok(takes({ geo: {} }));
});

test('a whitelist takes what it names, a blacklist everything else', () => {
  const countries = (list: ReturnType<typeof allowing>, country: string | null) =>
    takes({ geo: { countries: list } }, { country });
  assert.ok(countries(allowing('US', 'CA'), 'CA'));
  assert.ok(!countries(allowing('US', 'CA'), 'MX'));
  assert.ok(!countries(forbidding('US', 'CA'), 'CA'));
  assert.ok(countries(forbidding('US', 'CA'), 'MX'));
});

test('an empty whitelist takes nothing, an empty blacklist everything', () => {
  assert.ok(!takes({ os: allowing() }));
  assert.ok(takes({ os: forbidding() }));
});

test('what is unknown passes blacklists and no whitelist', () => {
  const unknown: Partial<ImpTraits> = {
    bundle: null,
    domain: null,
    categories: [],
    bannerSizes: [],
    country: null,
    platform: '',
    os: null,
    language: null,
  };
  const codes = {
    app_bundles: 'com.planet.reader',
    app_site_domains: 'planet.example',
    categories: 'IAB12',
    sizes: '320x50',
    platforms: 'iOS',
    os: 'iOS',
    languages: 'en',
  };
  for (const [key, code] of Object.entries(codes)) {
    assert.ok(!takes({ [key]: allowing(code) }, unknown), `white ${key}`);
    assert.ok(takes({ [key]: forbidding(code) }, unknown), `black ${key}`);
  }
  assert.ok(!takes({ geo: { countries: allowing('US') } }, unknown));
  assert.ok(takes({ geo: { countries: forbidding('US') } }, unknown));
});

test('an unknown connection type is code 0, whether it is said or left out', () => {
  for (const connectiontype of [null, 0]) {
    assert.ok(takes({ connection_types: allowing('0') }, { connectiontype }));
    assert.ok(!takes({ connection_types: allowing('2') }, { connectiontype }));
    assert.ok(!takes({ connection_types: forbidding('0') }, { connectiontype }));
  }
});

test('a category includes what is below it and not what is above or beside it', () => {
  const categories = (code: string, ...actual: string[]) =>
    takes({ categories: allowing(code) }, { categories: actual });
  assert.ok(categories('IAB1', 'IAB1'));
  assert.ok(categories('IAB1', 'IAB9', 'IAB1-1'));
  assert.ok(!categories('IAB1-1', 'IAB1'));
  assert.ok(!categories('IAB1', 'IAB12'));
  assert.ok(!takes({ categories: forbidding('IAB1') }, { categories: ['IAB9', 'IAB1-1'] }));
});

test('a domain includes its subdomains, whatever their case and with or without www', () => {
  const domains = (code: string, domain: string) =>
    takes({ app_site_domains: allowing(code) }, { domain });
  assert.ok(domains('planet.example', 'planet.example'));
  assert.ok(domains('Planet.Example', 'news.PLANET.example'));
  assert.ok(domains('www.planet.example', 'planet.example'));
  assert.ok(!domains('planet.example', 'otherplanet.example'));
  assert.ok(!domains('news.planet.example', 'planet.example'));
  assert.ok(domains('example', 'planet.example'));
});

test('operating systems and languages ignore case, bundles do not', () => {
  assert.ok(takes({ os: allowing('ios') }, { os: 'iOS' }));
  assert.ok(takes({ languages: allowing('en') }, { language: 'EN' }));
  assert.ok(takes({ languages: allowing('en') }, { language: 'en-US' }));
  assert.ok(takes({ app_bundles: allowing('com.Planet') }, { bundle: 'com.Planet' }));
  assert.ok(!takes({ app_bundles: allowing('com.Planet') }, { bundle: 'com.planet' }));
});

test('publishers and ad spaces are named by their number', () => {
  assert.ok(takes({ publishers: allowing('02001'), ad_spaces: allowing('4001') }));
  assert.ok(!takes({ publishers: allowing('2') }));
  assert.ok(!takes({ ad_spaces: forbidding('4001') }));
});

test('formats and sizes are asked of one format at a time', () => {
  const traits = { bannerSizes: [{ w: 320, h: 50 }], videoSize: { w: 640, h: 360 } };
  assert.ok(takes({ ad_formats: allowing('video') }, traits, FORMAT_VIDEO));
  assert.ok(!takes({ ad_formats: allowing('video') }, traits, FORMAT_BANNER));
  assert.ok(takes({ sizes: allowing('320x50') }, traits, FORMAT_BANNER));
  assert.ok(!takes({ sizes: allowing('320x50') }, traits, FORMAT_VIDEO));
  assert.ok(takes({ sizes: allowing('640x360') }, traits, FORMAT_VIDEO));
  assert.ok(!takes({ sizes: allowing('320x50') }, traits, FORMAT_NATIVE));
  assert.ok(takes({ sizes: forbidding('320x50') }, traits, FORMAT_NATIVE));
});

test('yes-or-no keys want what they say', () => {
  for (const key of ['interstitial', 'rewarded', 'secure']) {
    for (const value of [true, false]) {
      assert.ok(takes({ [key]: value }, { [key]: value }), `${key} ${value}`);
      assert.ok(!takes({ [key]: value }, { [key]: !value }), `${key} not ${value}`);
    }
  }
});

test('required geo data refuses traffic without, not required takes both', () => {
  assert.ok(takes({ geo: { is_geo_data_required: true } }, { hasLocation: true }));
  assert.ok(!takes({ geo: { is_geo_data_required: true } }, { hasLocation: false }));
  assert.ok(takes({ geo: { is_geo_data_required: false } }, { hasLocation: true }));
  assert.ok(takes({ geo: { is_geo_data_required: false } }, { hasLocation: false }));
});

test('the failed key is the first one, those of the place before those of the request', () => {
  const matcher = compileTargeting({
    geo: { countries: allowing('CA') },
    sizes: allowing('300x250'),
    os: allowing('iOS'),
  });
  assert.equal(matcher.failedKey(someTraits(), FORMAT_BANNER), 'sizes');
  const fitting = { bannerSizes: [{ w: 300, h: 250 }] };
  assert.equal(matcher.failedKey(someTraits(fitting), FORMAT_BANNER), 'geo.countries');
  const suited = { ...fitting, country: 'CA', os: 'iOS' };
  assert.equal(matcher.failedKey(someTraits(suited), FORMAT_BANNER), null);
});
