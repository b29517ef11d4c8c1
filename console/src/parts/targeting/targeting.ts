import type { ShownLineItem } from '../../../../src/management/line-items/schema.ts';

/** Which traffic: of line items, deals and inventory discovery. Without keys it is all traffic. */
export type Targeting = ShownLineItem['targeting'];

/** What a list allows and nothing else, or what it forbids. */
export interface CodeList {
  readonly identifiers: readonly { readonly code: string }[];
  readonly is_whitelist: boolean;
}

/** A key that holds a list of codes; `countries` stands below `geo`. */
export type ListKey = 'countries' | Exclude<Extract<keyof Targeting, string>, 'geo' | FlagKey>;

/** A key that is true, false, or not there. */
export type FlagKey = 'interstitial' | 'rewarded' | 'secure';

/** The list of a key; undefined where everything is allowed. */
export function listOf(targeting: Targeting, key: ListKey): CodeList | undefined {
  return key === 'countries' ? targeting.geo?.countries : targeting[key];
}

/** The targeting with another list of a key; undefined takes the key away. */
export function withList(
  targeting: Targeting,
  key: ListKey,
  list: CodeList | undefined,
): Targeting {
  const made =
    list === undefined || list.identifiers.length === 0
      ? undefined
      : { identifiers: [...list.identifiers], is_whitelist: list.is_whitelist };
  if (key !== 'countries') return without({ ...targeting, [key]: made });
  return withGeo(targeting, { ...targeting.geo, countries: made });
}

/** The targeting with another flag; undefined takes the key away. */
export function withFlag(
  targeting: Targeting,
  key: FlagKey,
  value: boolean | undefined,
): Targeting {
  return without({ ...targeting, [key]: value });
}

/** The targeting with or without the need for latitude and longitude. */
export function withGeoRequired(targeting: Targeting, isRequired: boolean): Targeting {
  return withGeo(targeting, {
    ...targeting.geo,
    is_geo_data_required: isRequired ? true : undefined,
  });
}

function withGeo(targeting: Targeting, geo: Partials<Targeting['geo']>): Targeting {
  const given = without(geo);
  return without({ ...targeting, geo: Object.keys(given).length === 0 ? undefined : given });
}

type Partials<Part> = { [Key in keyof NonNullable<Part>]?: NonNullable<Part>[Key] | undefined };

/** Without the keys that are undefined: JSON has no such value. */
function without<Part extends object>(part: Part): { [Key in keyof Part]: Defined<Part[Key]> } {
  const kept: { [Key in keyof Part]: Defined<Part[Key]> } = JSON.parse(JSON.stringify(part));
  return kept;
}

type Defined<Value> = Exclude<Value, undefined>;
