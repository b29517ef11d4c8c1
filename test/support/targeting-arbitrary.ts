import fc from 'fast-check';
import type { PlacementTraits, RequestTraits } from '../../src/auction/targeting-traits.ts';
import type { Size } from '../../src/resources/formats.ts';
import type { Status } from '../../src/snapshot/entities.ts';
import type { Targeting } from '../../src/resources/targeting.ts';

/** Targeting, and the impressions that it is asked about: few codes, so that they often meet. */

const COUNTRIES = ['US', 'CA', 'DE'];
const OSES = ['iOS', 'ANDROID', 'windows'];
const LANGUAGES = ['en', 'de'];
const BUNDLES = ['com.a', 'com.b'];
const DOMAINS = ['a.example', 'WWW.b.a.example', 'example', 'aa.example'];
const CATEGORIES = ['IAB1', 'IAB1-1', 'IAB12', 'IAB12-3'];
const SIZES = ['320x50', '300x250', '640x360'];
const PLATFORMS = ['iOS', 'Android', 'Web'] as const;
const IDS = ['1', '2', '03'];
export const FORMAT_BITS = { banner: 1, video: 2, native: 4 } as const;

function list(codes: readonly string[]) {
  return fc.record({
    identifiers: fc.array(fc.record({ code: fc.constantFrom(...codes) }), { maxLength: 3 }),
    is_whitelist: fc.boolean(),
  });
}

export const targeting: fc.Arbitrary<Targeting> = fc.record(
  {
    geo: fc.record(
      { is_geo_data_required: fc.boolean(), countries: list(COUNTRIES) },
      { requiredKeys: [] },
    ),
    ad_formats: list(Object.keys(FORMAT_BITS)),
    platforms: list(PLATFORMS),
    os: list(OSES),
    sizes: list(SIZES),
    app_bundles: list(BUNDLES),
    app_site_domains: list(DOMAINS),
    publishers: list(IDS),
    ad_spaces: list(IDS),
    categories: list(CATEGORIES),
    languages: list(LANGUAGES),
    connection_types: list(['0', '2', '6']),
    interstitial: fc.boolean(),
    rewarded: fc.boolean(),
    secure: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Most line items say little: with all keys set hardly anything would ever match. */
export const sparseTargeting = fc
  .tuple(targeting, fc.array(fc.nat(14), { maxLength: 3 }))
  .map(([full, kept]): Targeting => {
    const entries = Object.entries(full);
    return Object.fromEntries(kept.map((at) => entries[at % entries.length] ?? ['geo', {}]));
  });

const size: fc.Arbitrary<Size> = fc.constantFrom(...SIZES).map((code) => {
  const [w = 0, h = 0] = code.split('x').map(Number);
  return { w, h };
});

function orNull<T>(...values: readonly T[]): fc.Arbitrary<T | null> {
  return fc.constantFrom(null, ...values);
}

export const placement: fc.Arbitrary<PlacementTraits> = fc.record({
  adSpaceId: fc.integer({ min: 1, max: 3 }),
  publisherId: fc.integer({ min: 1, max: 3 }),
  bundle: orNull(...BUNDLES, 'COM.A'),
  domain: orNull(...DOMAINS, 'www.example', 'c.b.a.example'),
  categories: fc.array(fc.constantFrom(...CATEGORIES), { maxLength: 2 }),
  formats: fc.integer({ min: 1, max: 7 }),
  bannerSizes: fc.array(size, { maxLength: 2 }),
  videoSize: fc.option(size),
  interstitial: fc.boolean(),
  rewarded: fc.boolean(),
});

export const request: fc.Arbitrary<RequestTraits> = fc.record({
  country: orNull(...COUNTRIES, 'FR'),
  hasLocation: fc.boolean(),
  platform: fc.constantFrom('', ...PLATFORMS),
  os: orNull('iOS', 'Android', 'Windows', 'Tizen', 'Other'),
  language: orNull(...LANGUAGES, 'fr', 'EN_us'),
  connectiontype: orNull(0, 2, 3),
  secure: fc.boolean(),
});

export const status = fc.constantFrom<Status>('ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED', 'ARCHIVED');
