import assert from 'node:assert/strict';
import { test } from 'node:test';
import countries from 'i18n-iso-countries';
import { COUNTRY_CODES, countryName } from './countries.ts';
import { describeTargeting } from './describe-targeting.ts';
import { patchOf } from '../forms/changes.ts';
import { withFlag, withGeoRequired, withList, type Targeting } from './targeting.ts';

function list(is_whitelist: boolean, ...codes: string[]) {
  return { identifiers: codes.map((code) => ({ code })), is_whitelist };
}

const CASES: readonly (readonly [string, Targeting])[] = [
  ['All traffic', {}],
  ['All traffic', { geo: {}, ad_formats: list(false) }],
  ['Germany, Austria', { geo: { countries: list(true, 'DE', 'AT') } }],
  ['not United States', { geo: { countries: list(false, 'US') } }],
  ['no ad formats: nothing', { ad_formats: list(true) }],
  [
    'iOS · OS iPadOS · Cellular, 4G · video · 320x50, 300x250, 728x90 and 1 more',
    {
      sizes: list(true, '320x50', '300x250', '728x90', '970x250'),
      ad_formats: list(true, 'video'),
      platforms: list(true, 'iOS'),
      os: list(true, 'iPadOS'),
      connection_types: list(true, '6'),
    },
  ],
  [
    'IAB17 Sports · not publisher 301',
    { categories: list(true, 'IAB17'), publishers: list(false, '301') },
  ],
  [
    'with latitude and longitude · not interstitial · only rewarded · only HTTPS',
    { geo: { is_geo_data_required: true }, interstitial: false, rewarded: true, secure: true },
  ],
];

for (const [words, targeting] of CASES) {
  test(`${JSON.stringify(targeting)} is described as: ${words}`, () => {
    assert.equal(describeTargeting(targeting), words);
  });
}

test('the countries to choose from are those that the exchange takes, each with a name', () => {
  assert.deepEqual([...COUNTRY_CODES].sort(), Object.keys(countries.getAlpha2Codes()).sort());
  assert.deepEqual(
    COUNTRY_CODES.filter((code) => countryName(code) === code),
    [],
  );
});

test('a key without codes is left out, and geo with it', () => {
  const before: Targeting = { geo: { countries: list(true, 'DE') }, sizes: list(true, '320x50') };
  assert.deepEqual(withList(before, 'countries', list(true)), { sizes: list(true, '320x50') });
  assert.deepEqual(withList(before, 'sizes', undefined), { geo: before.geo });
  const located = withGeoRequired({}, true);
  assert.deepEqual(located, { geo: { is_geo_data_required: true } });
  assert.deepEqual(withGeoRequired(located, false), {});
  assert.deepEqual(withFlag(withFlag({}, 'secure', false), 'secure', undefined), {});
});

test('a patch takes away what is gone, at every depth', () => {
  const before: Targeting = {
    geo: { is_geo_data_required: true, countries: list(true, 'DE') },
    sizes: list(true, '320x50'),
  };
  const after: Targeting = { geo: { countries: list(false, 'DE', 'AT') } };
  assert.deepEqual(patchOf(before, after), {
    sizes: null,
    geo: {
      is_geo_data_required: null,
      countries: { identifiers: [{ code: 'DE' }, { code: 'AT' }], is_whitelist: false },
    },
  });
});
