import { CONTENT_CATEGORIES } from '../../../../src/openrtb/content-taxonomy.ts';
import { CONNECTION_TYPES } from '../../../../src/openrtb/device-lists.ts';
import { ALPHA_2_LANGUAGES } from '../../../../src/openrtb/iso-codes.ts';
import { OPERATING_SYSTEMS } from '../../../../src/openrtb/operating-systems.ts';
import { COUNTRY_CODES, countryName } from './countries.ts';
import type { FlagKey, ListKey } from './targeting.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** How a key that holds a list of codes is edited and told. */
export interface TargetKey {
  readonly key: ListKey;
  readonly label: string;
  /** In a sentence, before codes that do not say what they are: `publishers 301`. */
  readonly noun?: string;
  /** What is there to choose from. */
  readonly options?: readonly Option[];
  /** Whether anything else can be written as well. */
  readonly isFree?: boolean;
  /** What a code looks like, where it is written. */
  readonly placeholder?: string;
  /** A code has no spaces in it, so that pasted ones are told apart by them. */
  readonly splits?: readonly string[];
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
const EVERYWHERE = [',', ';', ' ', '\n', '\t'];
const COMMON_SIZES =
  '320x50 300x250 320x480 728x90 300x50 320x100 480x320 336x280 160x600 300x600 970x250 768x1024 1024x768'.split(
    ' ',
  );

/** The keys in the order of the form, by the heading that they stand under. */
export const TARGET_GROUPS: readonly {
  readonly title: string;
  readonly keys: readonly TargetKey[];
}[] = [
  {
    title: 'Where and who',
    keys: [
      { key: 'countries', label: 'Countries', options: named(COUNTRY_CODES, countryName) },
      { key: 'languages', label: 'Languages', options: named(ALPHA_2_LANGUAGES, languageName) },
    ],
  },
  {
    title: 'Device',
    keys: [
      { key: 'platforms', label: 'Platforms', options: same(['iOS', 'Android', 'Web', 'CTV']) },
      {
        key: 'os',
        label: 'Operating systems',
        noun: 'OS',
        options: same(OPERATING_SYSTEMS),
      },
      { key: 'connection_types', label: 'Connection types', options: connections() },
    ],
  },
  {
    title: 'Ad space',
    keys: [
      { key: 'ad_formats', label: 'Ad formats', options: same(['banner', 'video', 'native']) },
      {
        key: 'sizes',
        label: 'Sizes',
        options: same(COMMON_SIZES),
        isFree: true,
        placeholder: '320x50',
        splits: EVERYWHERE,
      },
      { key: 'ad_spaces', label: 'Ad spaces', noun: 'ad space', ...free('7001') },
    ],
  },
  {
    title: 'App or site',
    keys: [
      { key: 'categories', label: 'Categories', options: categories() },
      { key: 'publishers', label: 'Publishers', noun: 'publisher', ...free('301') },
      { key: 'app_bundles', label: 'App bundles', noun: 'app', ...free('com.example.game') },
      { key: 'app_site_domains', label: 'Domains', noun: 'domain', ...free('news.example') },
    ],
  },
];

/** The keys that are asked for, forbidden, or not minded. */
export const FLAGS: readonly {
  readonly key: FlagKey;
  readonly label: string;
  readonly noun: string;
}[] = [
  { key: 'interstitial', label: 'Interstitial', noun: 'interstitial' },
  { key: 'rewarded', label: 'Rewarded', noun: 'rewarded' },
  { key: 'secure', label: 'HTTPS markup required', noun: 'HTTPS' },
];

const labels = new Map(
  TARGET_GROUPS.flatMap(({ keys }) =>
    keys.map(({ key, options = [] }) => [
      key,
      new Map(options.map(({ value, label }) => [value, label])),
    ]),
  ),
);

/** What a code means; the code where nobody says. */
export function meaningOf(key: ListKey, code: string): string {
  return labels.get(key)?.get(code) ?? code;
}

function free(placeholder: string) {
  return { isFree: true, placeholder, splits: EVERYWHERE } as const;
}

function same(values: readonly string[]): Option[] {
  return values.map((value) => ({ value, label: value }));
}

function named(codes: Iterable<string>, nameOf: (code: string) => string): Option[] {
  return [...codes]
    .map((value) => ({ value, label: nameOf(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
}

function languageName(code: string): string {
  return LANGUAGE_NAMES.of(code) ?? code;
}

function connections(): Option[] {
  return Object.entries(CONNECTION_TYPES.meanings).map(([value, label]) => ({ value, label }));
}

function categories(): Option[] {
  return [...CONTENT_CATEGORIES].map(([value, name]) => ({ value, label: `${value} ${name}` }));
}
