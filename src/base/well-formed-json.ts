/** How JSON writes half a surrogate pair, which no UTF-8 can hold. */
const HALF_PAIR = '\\ud';

/**
 * The value as JSON with well-formed Unicode in its texts. Half a surrogate pair, which `JSON.parse`
 * takes from any writer's `"\ud800"`, becomes U+FFFD: strict readers refuse a whole document for it.
 */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  // No other surrogates are escaped.
  if (!json.includes(HALF_PAIR)) return json;
  return JSON.stringify(
    JSON.parse(json, (_, each: unknown) => (typeof each === 'string' ? each.toWellFormed() : each)),
  );
}
