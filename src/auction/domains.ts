/**
 * Whether a domain is the listed one or below it: `shop.acme.example` matches `acme.example`.
 * Case and a leading `www.` of what bidders write make no difference.
 */
export function matchesDomain(domain: string, listed: string): boolean {
  const name = normalizeDomain(domain);
  const pattern = normalizeDomain(listed);
  return name === pattern || name.endsWith(`.${pattern}`);
}

/** The form in which domains are compared. */
export function normalizeDomain(domain: string): string {
  const lower = domain.trim().toLowerCase();
  return lower.startsWith('www.') ? lower.slice(4) : lower;
}
