import { aPartner, aSnapshot } from '../../src/auction/eligibility-fixtures.ts';
import { aLineItem } from '../../src/auction/fixtures.ts';
import type { Entity, LineItem } from '../../src/snapshot/entities.ts';
import type { CodeList, Targeting } from '../../src/resources/targeting.ts';

const COUNTRIES = ['US', 'CA', 'DE', 'FR', 'GB', 'ES', 'IT', 'NL', 'PL', 'SE', 'BR', 'MX', 'JP'];

/** A configuration of one size: line items as big exchanges have them, some 500 bytes each. */
export function manyLineItems(count: number, partners: number): Entity[] {
  const buyers = Array.from({ length: partners }, (_, index) => aPartner(1 + index));
  const lineItems = Array.from({ length: count }, (_, index) => someLineItem(index, partners));
  return [aSnapshot().exchange, ...buyers, ...lineItems];
}

function someLineItem(index: number, partners: number): LineItem {
  return aLineItem({
    id: 1 + index,
    demandPartnerId: 1 + (index % partners),
    name: `Line item ${index}`,
    seat: `seat-${index % partners}`,
    floorMicros: 50_000,
    capping: { maxQps: null, maxDailyImpressions: 100_000, maxDailySpendMicros: null },
    targeting: someTargeting(index),
  });
}

/** What a line item asks for; every other number asks for something else. */
export function someTargeting(index: number): Targeting {
  return {
    ...(index % 2 === 0 ? {} : { geo: { countries: codes(index, 1 + (index % 5), nthCountry) } }),
    ...(index % 3 === 0 ? { ad_formats: codes(0, 1, () => 'banner') } : {}),
    ...(index % 4 === 0 ? { os: codes(index, 1, (at) => (at % 8 === 0 ? 'iOS' : 'Android')) } : {}),
    ...(index % 5 === 0
      ? { app_bundles: codes(index * 13, 20, (at) => `com.example.app${at % 5_000}`, false) }
      : {}),
    ...(index % 6 === 0
      ? { app_site_domains: codes(index * 17, 10, (at) => `site${at % 3_000}.example`, false) }
      : {}),
  };
}

function nthCountry(index: number): string {
  return COUNTRIES[index % COUNTRIES.length] ?? '';
}

function codes(
  from: number,
  count: number,
  code: (index: number) => string,
  isWhitelist = true,
): CodeList & { identifiers: { code: string }[] } {
  const identifiers = Array.from({ length: count }, (_, index) => ({ code: code(from + index) }));
  return { identifiers, is_whitelist: isWhitelist };
}
