import Type, { type Static } from 'typebox';
import { OPERATING_SYSTEMS, operatingSystem } from '../openrtb/operating-systems.ts';
import { alpha3FromAlpha2 } from './country-codes.ts';

/**
 * Targeting: one object for line items, discovery and deals. Every key is optional; a missing key
 * allows everything. A list with `is_whitelist` true allows what it names and nothing else (an
 * empty one allows nothing); with false it forbids what it names (an empty one forbids nothing).
 * Source: management API, "Inventory discovery request"; keys beyond `geo` are Rialto's own.
 */

/** `meaning` completes the sentence "a code must be …", for messages and for the reference. */
function codeList(things: string, codePattern: string, meaning: string, exists = anyCode) {
  const code = Type.String({ pattern: codePattern, maxLength: 256, description: meaning });
  return Type.Object(
    {
      identifiers: Type.Array(
        Type.Object(
          { code: Type.Refine(code, exists) },
          {
            additionalProperties: false,
            title: `a code of ${things}`,
            description: 'a mapping: {code}',
          },
        ),
        { maxItems: 10_000, description: 'a list of at most 10000 mappings {code}' },
      ),
      is_whitelist: YES_OR_NO,
    },
    {
      additionalProperties: false,
      title: `a list of ${things}`,
      description: 'a mapping: {identifiers: [{code}], is_whitelist}',
    },
  );
}

function anyCode(code: unknown): boolean {
  return typeof code === 'string';
}

/** A country that does not exist would match nothing, and nobody would hear of it. */
export function isCountry(code: unknown): boolean {
  return typeof code === 'string' && alpha3FromAlpha2(code) !== null;
}

/** What a code of a country must be, to complete a sentence. */
export const COUNTRY =
  'an ISO 3166-1 alpha-2 country code such as US (the United Kingdom is GB, Greece is GR)';

const YES_OR_NO = Type.Boolean({ description: 'true or false' });
const ANY_CODE = '^\\S(.*\\S)?$';

/** The keys that hold a list of codes, in the order in which the documentation shows them. */
const codeLists = {
  ad_formats: codeList('ad formats', '^(banner|video|native)$', 'banner, video or native'),
  platforms: codeList(
    'platforms',
    '^(iOS|Android|Web|CTV)$',
    'iOS, Android, Web or CTV, as in the demand report',
  ),
  os: codeList(
    'os',
    ANY_CODE,
    `an operating system, in any case: ${OPERATING_SYSTEMS.join(', ')}`,
    (code) => typeof code === 'string' && operatingSystem(code) !== null,
  ),
  sizes: codeList('sizes', '^[1-9][0-9]{0,4}x[1-9][0-9]{0,4}$', 'a size such as 320x50'),
  app_bundles: codeList(
    'app bundles',
    ANY_CODE,
    'an Android package name or a numeric iOS id, in quotes',
  ),
  app_site_domains: codeList('app site domains', ANY_CODE, 'a domain of an app or site'),
  publishers: codeList('publishers', '^[0-9]+$', 'a publisher id, in quotes'),
  ad_spaces: codeList('ad spaces', '^[0-9]+$', 'an ad space id, in quotes'),
  categories: codeList(
    'categories',
    '^IAB[0-9]+(-[0-9]+)?$',
    'a content category; IAB1 includes IAB1-1',
  ),
  languages: codeList('languages', '^[a-z]{2}$', 'an ISO 639-1 language code such as en'),
  connection_types: codeList(
    'connection types',
    '^[0-6]$',
    'a value of OpenRTB list 5.22, in quotes',
  ),
} as const;

export const TargetingSchema = Type.Object(
  {
    geo: Type.Optional(
      Type.Object(
        {
          is_geo_data_required: Type.Optional(
            Type.Boolean({ description: 'true for traffic with latitude and longitude, or false' }),
          ),
          countries: Type.Optional(codeList('countries', '^[A-Z]{2}$', COUNTRY, isCountry)),
        },
        {
          additionalProperties: false,
          title: 'geo',
          description: 'a mapping of the keys of geo',
        },
      ),
    ),
    ad_formats: Type.Optional(codeLists.ad_formats),
    platforms: Type.Optional(codeLists.platforms),
    os: Type.Optional(codeLists.os),
    sizes: Type.Optional(codeLists.sizes),
    app_bundles: Type.Optional(codeLists.app_bundles),
    app_site_domains: Type.Optional(codeLists.app_site_domains),
    publishers: Type.Optional(codeLists.publishers),
    ad_spaces: Type.Optional(codeLists.ad_spaces),
    categories: Type.Optional(codeLists.categories),
    languages: Type.Optional(codeLists.languages),
    connection_types: Type.Optional(codeLists.connection_types),
    interstitial: Type.Optional(YES_OR_NO),
    rewarded: Type.Optional(YES_OR_NO),
    secure: Type.Optional(YES_OR_NO),
  },
  {
    additionalProperties: false,
    title: 'targeting',
    description: 'a mapping of the keys of targeting',
  },
);

export type Targeting = Static<typeof TargetingSchema>;

/** One list of codes of a targeting object. */
export interface CodeList {
  readonly identifiers: readonly { readonly code: string }[];
  readonly is_whitelist: boolean;
}
