import type { Bid } from '../openrtb/bid-response.ts';
import { ITEMS_MAX } from '../openrtb/limits.ts';
import { domainsIn, isHost } from './domains.ts';

/**
 * A bid with what it declares of its creative in the form in which that is compared: advertiser
 * domains, categories and language. Blanks are gone; a domain that is malformed stays as it came.
 * The same object where nothing changes.
 */
export function canonicalBid(bid: Bid): Bid {
  const { adomain, cat, language } = bid;
  const domains = adomain === undefined ? undefined : canonicalDomains(adomain, ITEMS_MAX);
  const categories = cat === undefined ? undefined : canonicalCategories(cat);
  const code = language?.trim();
  const isSame = domains === adomain && categories === cat && code === language && code !== '';
  if (isSame) return bid;
  // Most bids stay as they are, and are not copied.
  const { adomain: _, cat: __, language: ___, ...others } = bid;
  return {
    ...others,
    ...(domains === undefined ? {} : { adomain: [...domains] }),
    ...(categories === undefined ? {} : { cat: [...categories] }),
    ...(code === undefined || code === '' ? {} : { language: code }),
  };
}

/**
 * The domains that a request blocks, in canonical form. A malformed domain blocks nothing. All of them
 * are read: the size of the request's body bounds how many there are.
 */
export function blockedDomains(texts: readonly string[]): readonly string[] {
  const domains = canonicalDomains(texts, Infinity);
  return domains.every(isHost) ? domains : domains.filter(isHost);
}

/** Categories in the form in which they are compared. The same list where nothing changes. */
export function canonicalCategories(categories: readonly string[]): readonly string[] {
  const canonical = categories.map(canonicalCategory).filter((category) => category !== '');
  return isSameList(canonical, categories) ? categories : canonical;
}

export function canonicalCategory(category: string): string {
  return category.trim().toUpperCase();
}

/** Of texts that name more than so many domains the rest stays as it came, and so malformed. */
function canonicalDomains(texts: readonly string[], domainsMax: number): readonly string[] {
  const domains: string[] = [];
  for (const text of texts) {
    if (domains.length < domainsMax) domains.push(...domainsIn(text));
    else domains.push(text);
  }
  return isSameList(domains, texts) ? texts : domains;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
