import type { ExchangeSettings, Publisher } from '../snapshot/entities.ts';
import { byId, type Snapshot } from '../snapshot/snapshot.ts';

/**
 * Who sells through the exchange, as three documents tell it that buyers hold against one another:
 * the exchange's sellers.json (IAB Tech Lab, 1.0), the publisher's ads.txt or app-ads.txt (1.1), and
 * the exchange's node in the supply chain of bid requests (`describe-source.ts`). All three
 * name the exchange by its domain and the seller by the id that is given here.
 */

/** The publisher's id among the exchange's sellers. */
export function sellerIdOf({ id, sellerId }: Publisher): string {
  return sellerId ?? String(id);
}

/** One entry of sellers.json. */
export interface Seller {
  readonly seller_id: string;
  readonly seller_type: Publisher['sellerType'];
  /** Absent of a seller that hides its names. */
  readonly name?: string;
  readonly domain?: string;
  readonly is_confidential?: 1;
}

/** The document that an exchange has at `/sellers.json`. */
export interface SellersFile {
  readonly contact_email?: string;
  readonly contact_address?: string;
  readonly version: '1.0';
  readonly identifiers?: readonly { readonly name: string; readonly value: string }[];
  readonly sellers: readonly Seller[];
}

/**
 * The exchange's sellers.json; null where the exchange has no domain, under which it would be looked
 * for. A seller that is paused is still one. Of publishers that share an id the one with the lowest id of
 * its own is listed.
 */
export function describeSellers({ exchange, publishers }: Snapshot): SellersFile | null {
  if (exchange.domain === null) return null;
  const sellers = new Map<string, Seller>();
  for (const publisher of [...publishers.values()].sort(byId)) {
    const seller = describeSeller(publisher);
    if (!sellers.has(seller.seller_id)) sellers.set(seller.seller_id, seller);
  }
  const { contactEmail, contactAddress, tagId } = exchange;
  return {
    ...(contactEmail === null ? {} : { contact_email: contactEmail }),
    ...(contactAddress === null ? {} : { contact_address: contactAddress }),
    version: '1.0',
    ...(tagId === null ? {} : { identifiers: [{ name: 'TAG-ID', value: tagId }] }),
    sellers: [...sellers.values()],
  };
}

function describeSeller(publisher: Publisher): Seller {
  const { name, domain, sellerType, hidesNames } = publisher;
  const seller = { seller_id: sellerIdOf(publisher), seller_type: sellerType };
  if (hidesNames) return { ...seller, is_confidential: 1 };
  return domain === null ? { ...seller, name } : { ...seller, name, domain };
}

/**
 * The lines that make a publisher's ads.txt (for its sites) and app-ads.txt (for its apps, at the
 * domain of their maker) name the exchange; both files have the same form. None where the exchange has
 * no domain. `OWNERDOMAIN` may stand in the file already: then only the other line is to be added.
 *
 * The relation is `DIRECT` where the publisher itself has the account here, `RESELLER` where it sells
 * what is others': those put the line into their files.
 */
export function adsTxtLines(
  { domain, tagId }: ExchangeSettings,
  publisher: Publisher,
): readonly string[] {
  if (domain === null) return [];
  const relation = publisher.sellerType === 'INTERMEDIARY' ? 'RESELLER' : 'DIRECT';
  const fields = [domain, sellerIdOf(publisher), relation];
  if (tagId !== null) fields.push(tagId);
  const record = fields.join(', ');
  // Who sells what is others' is not the owner of the sites where the line stands.
  if (publisher.domain === null || relation === 'RESELLER') return [record];
  return [`OWNERDOMAIN=${publisher.domain}`, record];
}
