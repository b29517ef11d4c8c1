import type { Element, Plan } from '../plan.ts';
import type { BidderHeaders } from '../../resources/bidder-headers.ts';

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
