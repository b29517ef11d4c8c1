import { microsFromDollars } from '../base/money.ts';
import type { Flag, Json } from './schema.ts';

/**
 * From a key of a resource to its column. A key that is not given leaves the column as it was; that
 * is what makes files partial, and what a PATCH means.
 */

/** For what is kept as 1 or 0. */
export function flagColumn(input: boolean | undefined, before: Flag): Flag {
  if (input === undefined) return before;
  return input ? 1 : 0;
}

/** For a price that is kept in micros. */
export function microsColumn(dollars: number | undefined, before: number): number {
  return dollars === undefined ? before : microsFromDollars(dollars);
}

/** For what is kept as JSON text: null stays null, and takes back what was set. */
export function jsonColumn(input: object | undefined, before: Json): Json;
export function jsonColumn(input: object | null | undefined, before: Json | null): Json | null;
export function jsonColumn(input: object | null | undefined, before: Json | null): Json | null {
  if (input === undefined) return before;
  return input === null ? null : sortedJson(input);
}

/** Domains are compared in small letters, so that they are kept in them. */
export function domainsColumn(input: readonly string[] | undefined, before: Json): Json {
  return jsonColumn(
    input?.map((domain) => domain.toLowerCase()),
    before,
  );
}

/** One domain, or none. */
export function domainColumn(
  input: string | null | undefined,
  before: string | null,
): string | null {
  return input === undefined ? before : (input?.toLowerCase() ?? null);
}

/** JSON text in which the order of keys says nothing: a file that moves a key changes no row. */
function sortedJson(value: object): Json {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
