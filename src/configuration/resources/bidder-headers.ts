import Type, { type Static } from 'typebox';
import type { Element, Plan } from '../plan.ts';

const HEADERS_MAX = 20;
const NAME_LENGTH_MAX = 64;
const VALUE_LENGTH_MAX = 1_024;

/**
 * Headers that a partner wants on its bid requests, an API key or an account, say. Names are tokens
 * and values visible ASCII with spaces inside (RFC 9110 sections 5.1 and 5.5), so that nothing ends
 * the header early. A `password` is shown to nobody but those whose settings they are.
 */
export const BIDDER_HEADERS = Type.Record(
  Type.String({ pattern: `^[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,${NAME_LENGTH_MAX}}$` }),
  Type.String({
    minLength: 1,
    maxLength: VALUE_LENGTH_MAX,
    pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
    format: 'password',
    description: `a text of 1 to ${VALUE_LENGTH_MAX} printable ASCII characters without a space at its ends, in quotes if it is a number`,
  }),
  {
    additionalProperties: false,
    maxProperties: HEADERS_MAX,
    description: `a mapping of at most ${HEADERS_MAX} names of headers, each of 1 to ${NAME_LENGTH_MAX} letters, digits and -_.!#$%&'*+^\`|~, to their values`,
  },
);

export type BidderHeaders = Static<typeof BIDDER_HEADERS>;

/** Those that the exchange sets itself, and those that steer the connection or are a browser's. */
const TAKEN =
  /^(?:content-(?:type|length|encoding)|accept-encoding|host|connection|transfer-encoding|keep-alive|upgrade|te|trailer|expect|proxy-.*|x-openrtb-version|cookie)$/;

/** Finds names that are not the partner's to set, and those that differ in case alone. */
export function checkHeaders(
  plan: Plan,
  { input: { headers }, path }: Element<{ headers?: BidderHeaders | null }>,
): void {
  const seen = new Map<string, string>();
  for (const name of Object.keys(headers ?? {})) {
    const key = name.toLowerCase();
    const first = seen.get(key);
    if (TAKEN.test(key)) {
      plan.find(
        [...path, 'headers', name],
        'must be a header that neither the exchange sets itself nor steers the connection',
      );
    } else if (first !== undefined) {
      plan.find([...path, 'headers', name], `is the header "${first}" again: case makes no other`);
    }
    seen.set(key, name);
  }
}

/**
 * Headers as the audit log shows them: the names, and of the values only which are new.
 *
 * @param before those that there were; the same for the form before a change.
 */
export function hiddenHeaders(headers: BidderHeaders, before: BidderHeaders): BidderHeaders {
  const known = new Map(Object.entries(before));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      known.get(name) === value ? '(hidden)' : '(hidden, new)',
    ]),
  );
}
