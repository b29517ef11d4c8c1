/**
 * Whether a domain is the listed one or below it: `shop.acme.example` matches `acme.example`.
 * Case and a leading `www.` of what bidders write make no difference.
 */
export function matchesDomain(domain: string, listed: string): boolean {
  const name = normalizeDomain(domain);
  const pattern = normalizeDomain(listed);
  return name === pattern || name.endsWith(`.${pattern}`);
}

/**
 * The end of a normalized domain that has at most so many labels: only that can be listed where no
 * listed domain has more. A bidder may name hundreds of domains of a thousand labels each.
 */
export function lastLabels(name: string, labelsMax: number): string {
  let start = name.length + 1;
  for (let labels = 0; labels < labelsMax && start > 0; labels += 1) {
    start = start < 2 ? 0 : name.lastIndexOf('.', start - 2) + 1;
  }
  return name.slice(start);
}

export function countLabels(name: string): number {
  let labels = 1;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) labels += 1;
  return labels;
}

/** The form in which domains are compared. */
export function normalizeDomain(domain: string): string {
  const lower = domain.trim().toLowerCase();
  return lower.startsWith('www.') ? lower.slice(4) : lower;
}
