import { PLACEMENT_RULES, REQUEST_RULES, type TargetingKey } from '../auction/targeting-rules.ts';
import { alpha3FromAlpha2 } from '../resources/country-codes.ts';
import type { Targeting } from '../resources/targeting.ts';

/** A condition on rows of `inventory_hourly`, and what is bound in it. */
export interface TargetingCondition {
  readonly sql: string;
  /** The columns that it reads. */
  readonly columns: readonly string[];
  readonly parameters: Readonly<Record<string, readonly string[]>>;
}

/**
 * How a row has a code, as `src/auction/targeting-rules.ts` gives codes to an impression. `value`, or
 * else the column, is the one that it has, compared with each listed `code` as that is converted.
 * `codes` are several, made of a column that has few different values: they are made once for each of
 * these, not for each row. A row holds the format that the impression was filled with, or the first
 * that it offered, and all of its sizes.
 */
type KeySql = { column: string; value?: string; code: string } | { column: string; codes: string };

const TEXT = 'code';
const NUMBER = 'toUInt64OrZero(code)';
const FLAG = `code = 'true'`;

const KEYS: Readonly<Record<TargetingKey, KeySql>> = {
  ad_spaces: { column: 'zone_id', code: NUMBER },
  publishers: { column: 'publisher_id', code: NUMBER },
  app_bundles: { column: 'app_bundle', code: TEXT },
  app_site_domains: {
    column: 'app_site_domain',
    codes: `arrayMap(
      place -> arrayStringConcat(arraySlice(splitByChar('.', ${domain()}), place), '.'),
      range(1, length(splitByChar('.', ${domain()})) + 1))`,
  },
  categories: {
    column: 'categories',
    codes: `arrayFlatten(arrayMap(
      category -> arrayMap(
        places -> arrayStringConcat(arraySlice(splitByChar('-', category), 1, places), '-'),
        range(1, length(splitByChar('-', category)) + 1)),
      splitByChar(' ', toString(categories))))`,
  },
  interstitial: { column: 'interstitial', code: FLAG },
  rewarded: { column: 'rewarded', code: FLAG },
  ad_formats: { column: 'ad_format', code: TEXT },
  sizes: { column: 'sizes', codes: `splitByChar(' ', toString(sizes))` },
  'geo.countries': { column: 'country_code', code: TEXT },
  'geo.is_geo_data_required': { column: 'has_location', code: FLAG },
  platforms: { column: 'platform', code: TEXT },
  os: { column: 'os', code: TEXT },
  languages: {
    column: 'language',
    value: `lower(extract(language, '^[^-_]*'))`,
    code: TEXT,
  },
  connection_types: { column: 'connectiontype', code: NUMBER },
  secure: { column: 'secure', code: FLAG },
};

/**
 * The rows of `inventory_hourly` that a targeting object allows. Its codes are bound, never part of
 * the text.
 *
 * @param within the condition on the time, for the look at a column's different values.
 */
export function targetingSql(targeting: Targeting, within: string): TargetingCondition {
  const conditions: string[] = [];
  const columns: string[] = [];
  const parameters: Record<string, readonly string[]> = {};
  for (const { key, list, normalize } of [...PLACEMENT_RULES, ...REQUEST_RULES]) {
    const listed = list(targeting);
    if (listed === undefined) continue;
    const name = `codes_${conditions.length}`;
    parameters[name] = listed.identifiers.map(({ code }) =>
      key === 'geo.countries' ? (alpha3FromAlpha2(code) ?? code) : normalize(code),
    );
    const passes = conditionOf(KEYS[key], `{${name}:Array(String)}`, within);
    columns.push(KEYS[key].column);
    conditions.push(listed.is_whitelist ? passes : `NOT ${passes}`);
  }
  const sql = conditions.length === 0 ? '1' : conditions.join(' AND ');
  return { sql, columns, parameters };
}

function conditionOf(key: KeySql, listed: string, within: string): string {
  if ('code' in key) {
    return `(${key.value ?? key.column} IN (SELECT ${key.code} FROM (SELECT arrayJoin(${listed}) AS code)))`;
  }
  const { column, codes } = key;
  // Grouped, since a projection has the groups; and through an array, or ClickHouse would push the
  // condition below the grouping, back to every row.
  const groups = `SELECT ${column} FROM inventory_hourly WHERE ${within} GROUP BY ${column}`;
  const different = `SELECT arrayJoin(groupArray(${column})) AS ${column} FROM (${groups})`;
  return `(${column} IN (SELECT ${column} FROM (${different}) WHERE hasAny(${codes}, ${listed})))`;
}

/** As targeting compares domains: in lower case, without a leading `www.`. */
function domain(): string {
  return `replaceRegexpOne(lower(toString(app_site_domain)), '^www[.]', '')`;
}
