import { isIP } from 'node:net';
import { createAddressPolicy } from '../base/address-policy.ts';
import type { Bidder, DemandPartner } from '../snapshot/entities.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** A demand partner that matches users, and what is opened for it. */
export interface SyncPartner {
  readonly id: number;
  readonly gvlId: number | null;
  /** With macros. */
  readonly url: string;
  readonly type: Bidder['syncType'];
}

const found = new WeakMap<Snapshot, ReadonlyMap<number, SyncPartner>>();

/** The partners of a snapshot that match users. Looked for once in each. */
export function syncPartnersOf(snapshot: Snapshot): ReadonlyMap<number, SyncPartner> {
  let partners = found.get(snapshot);
  if (partners === undefined) {
    const isAllowed = createAddressPolicy(snapshot.exchange.allowPrivateAddresses);
    partners = new Map(
      [...snapshot.demandPartners.values()]
        .map((partner) => syncPartnerOf(partner, isAllowed))
        .filter((partner) => partner !== null)
        .map((partner) => [partner.id, partner]),
    );
    found.set(snapshot, partners);
  }
  return partners;
}

function syncPartnerOf(
  { id, status, stopped, bidder }: DemandPartner,
  isAllowed: (ip: string) => boolean,
): SyncPartner | null {
  if (status !== 'ACTIVE' || stopped || bidder === null) return null;
  const { syncUrl, syncType, gvlId } = bidder;
  if (syncUrl === null || !isPublic(syncUrl, isAllowed)) return null;
  return { id, gvlId, url: syncUrl, type: syncType };
}

/**
 * A page of ours must not send people's browsers into the networks that they sit in. An address that
 * is a name is looked up there, so that only numbers and names of the machine itself can be told.
 */
function isPublic(url: string, isAllowed: (ip: string) => boolean): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const address = host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : host;
  return isIP(address) === 0 || isAllowed(address);
}

const domains = new WeakMap<Snapshot, ReadonlySet<string>>();

/** Whether a page of this origin belongs to a site of the exchange, or to a subdomain of one. */
export function isSiteOrigin(snapshot: Snapshot, origin: string): boolean {
  let known = domains.get(snapshot);
  if (known === undefined) {
    const sites = [...snapshot.properties.values()].filter(({ status }) => status === 'ACTIVE');
    known = new Set(sites.map(({ domain }) => domain).filter((domain) => domain !== null));
    domains.set(snapshot, known);
  }
  const page = URL.parse(origin);
  // What comes in plain may be anybody's on the way.
  if (page === null || (page.protocol !== 'https:' && page.hostname !== 'localhost')) return false;
  const labels = page.hostname.split('.');
  const { size } = known;
  if (size === 0) return false;
  for (let at = 0; at < labels.length; at += 1) {
    if (known.has(labels.slice(at).join('.'))) return true;
  }
  return false;
}
