import { operatingSystem } from '../openrtb/operating-systems.ts';
import type { CodeList, Targeting } from '../resources/targeting.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';
import type { PlacementTraits, RequestTraits } from './targeting-traits.ts';

/**
 * The keys of targeting: what each one lists, and which codes name an impression under it. This
 * table is all that the matcher and the index know of the single keys. A whitelist lets an
 * impression pass when it lists at least one of its codes, a blacklist when it lists none: what is
 * unknown of an impression has no code, so whitelists refuse it and blacklists let it pass.
 */
export interface TargetingRule {
  readonly key: TargetingKey;
  /** What a targeting object says under this key; undefined where it allows everything. */
  readonly list: (targeting: Targeting) => CodeList | undefined;
  /** The form in which codes are compared. */
  readonly normalize: (code: string) => string;
}

/** A key that depends on the place alone, and on which of its formats is meant. */
export interface PlacementRule extends TargetingRule {
  readonly codes: (traits: PlacementTraits, format: number) => readonly string[];
}

/** A key that changes from request to request: at most one code. */
export interface RequestRule extends TargetingRule {
  readonly code: (traits: RequestTraits) => string | null;
}

export const PLACEMENT_RULES = [
  {
    key: 'ad_spaces',
    list: (targeting) => targeting.ad_spaces,
    normalize: normalizeId,
    codes: (traits) => [String(traits.adSpaceId)],
  },
  {
    key: 'publishers',
    list: (targeting) => targeting.publishers,
    normalize: normalizeId,
    codes: (traits) => [String(traits.publisherId)],
  },
  {
    // Package names are case-sensitive.
    key: 'app_bundles',
    list: (targeting) => targeting.app_bundles,
    normalize: asWritten,
    codes: (traits) => (traits.bundle === null ? [] : [traits.bundle]),
  },
  {
    key: 'app_site_domains',
    list: (targeting) => targeting.app_site_domains,
    normalize: normalizeDomain,
    codes: (traits) => (traits.domain === null ? [] : domainAndParents(traits.domain)),
  },
  {
    key: 'categories',
    list: (targeting) => targeting.categories,
    normalize: asWritten,
    codes: (traits) => traits.categories.flatMap(categoryAndParents),
  },
  {
    key: 'interstitial',
    list: (targeting) => flagList(targeting.interstitial),
    normalize: asWritten,
    codes: (traits) => [String(traits.interstitial)],
  },
  {
    key: 'rewarded',
    list: (targeting) => flagList(targeting.rewarded),
    normalize: asWritten,
    codes: (traits) => [String(traits.rewarded)],
  },
  {
    key: 'ad_formats',
    list: (targeting) => targeting.ad_formats,
    normalize: asWritten,
    codes: (_, format) => formatCode(format),
  },
  {
    key: 'sizes',
    list: (targeting) => targeting.sizes,
    normalize: asWritten,
    codes: sizeCodes,
  },
] as const satisfies readonly (Omit<PlacementRule, 'key'> & { key: string })[];

export const REQUEST_RULES = [
  {
    key: 'geo.countries',
    list: (targeting) => targeting.geo?.countries,
    normalize: asWritten,
    code: (traits) => traits.country,
  },
  {
    // False asks for nothing: such a line item takes traffic with and without coordinates.
    key: 'geo.is_geo_data_required',
    list: (targeting) => flagList(targeting.geo?.is_geo_data_required === true ? true : undefined),
    normalize: asWritten,
    code: (traits) => String(traits.hasLocation),
  },
  {
    key: 'platforms',
    list: (targeting) => targeting.platforms,
    normalize: asWritten,
    code: (traits) => (traits.platform === '' ? null : traits.platform),
  },
  {
    key: 'os',
    list: (targeting) => targeting.os,
    normalize: (code) => operatingSystem(code) ?? code,
    code: (traits) => traits.os,
  },
  {
    key: 'languages',
    list: (targeting) => targeting.languages,
    normalize: asWritten,
    code: (traits) => (traits.language === null ? null : primaryLanguage(traits.language)),
  },
  {
    // List 5.22 gives the unknown a code of its own, so here it can be named.
    key: 'connection_types',
    list: (targeting) => targeting.connection_types,
    normalize: asWritten,
    code: (traits) => String(traits.connectiontype ?? 0),
  },
  {
    key: 'secure',
    list: (targeting) => flagList(targeting.secure),
    normalize: asWritten,
    code: (traits) => String(traits.secure),
  },
] as const satisfies readonly (Omit<RequestRule, 'key'> & { key: string })[];

/** A key of a targeting object, written with dots. */
export type TargetingKey =
  | (typeof PLACEMENT_RULES)[number]['key']
  | (typeof REQUEST_RULES)[number]['key'];

const FORMAT_CODES: ReadonlyMap<number, readonly string[]> = new Map([
  [FORMAT_BANNER, ['banner']],
  [FORMAT_VIDEO, ['video']],
  [FORMAT_NATIVE, ['native']],
]);

/** The formats one by one, in the order of their bits. */
export const FORMATS: readonly number[] = [...FORMAT_CODES.keys()];

const TRUE_LIST: CodeList = { identifiers: [{ code: 'true' }], is_whitelist: true };
const FALSE_LIST: CodeList = { identifiers: [{ code: 'false' }], is_whitelist: true };

/** A yes-or-no key as the list that it is short for. */
function flagList(flag: boolean | undefined): CodeList | undefined {
  if (flag === undefined) return undefined;
  return flag ? TRUE_LIST : FALSE_LIST;
}

function asWritten(code: string): string {
  return code;
}

function normalizeId(code: string): string {
  return code.replace(/^0+(?=\d)/, '');
}

/** Domains are compared without case and without a leading `www.`, as they are in blocking. */
function normalizeDomain(domain: string): string {
  const lower = domain.trim().toLowerCase();
  return lower.startsWith('www.') ? lower.slice('www.'.length) : lower;
}

/** `a.b.example` is named by `a.b.example`, `b.example` and `example`. */
function domainAndParents(domain: string): readonly string[] {
  let name = normalizeDomain(domain);
  const codes = [name];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.')) {
    name = name.slice(dot + 1);
    codes.push(name);
  }
  return codes;
}

/** `IAB1-1` is named by `IAB1-1` and `IAB1`. */
function categoryAndParents(category: string): readonly string[] {
  const codes = [category];
  for (let dash = category.lastIndexOf('-'); dash > 0; dash = category.lastIndexOf('-', dash - 1)) {
    codes.push(category.slice(0, dash));
  }
  return codes;
}

function formatCode(format: number): readonly string[] {
  const code = FORMAT_CODES.get(format);
  if (code === undefined) throw new Error(`${format} is not exactly one format`);
  return code;
}

/** Native ads have no size: whitelists of sizes refuse them. */
function sizeCodes(traits: PlacementTraits, format: number): readonly string[] {
  const { bannerSizes, videoSize } = traits;
  if (format === FORMAT_BANNER) return bannerSizes.map(({ w, h }) => `${w}x${h}`);
  if (format === FORMAT_VIDEO && videoSize !== null) return [`${videoSize.w}x${videoSize.h}`];
  return [];
}

/** Devices write `en`, `EN` and `en-US`; targeting has ISO 639-1 alpha-2. */
function primaryLanguage(language: string): string {
  const end = language.search(/[-_]/);
  return (end < 0 ? language : language.slice(0, end)).toLowerCase();
}
