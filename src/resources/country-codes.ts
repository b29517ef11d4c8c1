import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };

/**
 * ISO 3166-1 country codes. Configuration and geolocation speak alpha-2, OpenRTB and the reports
 * alpha-3. Source: the table of `i18n-iso-countries`, read by itself, because the package's entry
 * would load the names of every country in eighty languages.
 */
const alpha3ByAlpha2 = new Map<string, string>();
const alpha2ByAlpha3 = new Map<string, string>();

for (const [alpha2, alpha3] of codes) {
  if (alpha2 === undefined || alpha3 === undefined) throw new Error('country table has a gap');
  alpha3ByAlpha2.set(alpha2, alpha3);
  alpha2ByAlpha3.set(alpha3, alpha2);
}

/** `DEU` for `DE`; null for what is no alpha-2 code in capitals. */
export function alpha3FromAlpha2(alpha2: string): string | null {
  return alpha3ByAlpha2.get(alpha2) ?? null;
}

/** `DE` for `DEU`; null for what is no alpha-3 code in capitals. */
export function alpha2FromAlpha3(alpha3: string): string | null {
  return alpha2ByAlpha3.get(alpha3) ?? null;
}
