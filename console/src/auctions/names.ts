/** Somebody by name, or by what it is and its id where the name is not known. */
export function nameOf(named: { readonly id: number; readonly name: string | null }): string {
  return named.name ?? `Demand partner ${named.id}`;
}

/** Where auctions are found: below a demand partner's pages, or the operator's. */
export function auctionsRootOf(demandPartnerId: string | undefined): string {
  return demandPartnerId === undefined
    ? '/operator/auctions'
    : `/demand-partners/${demandPartnerId}/auctions`;
}

/** The name of something with its id; the id alone of what has none any more. */
export function namedText({
  id,
  name,
}: {
  readonly id: number;
  readonly name: string | null;
}): string {
  return name === null ? String(id) : `${name} (${id})`;
}
