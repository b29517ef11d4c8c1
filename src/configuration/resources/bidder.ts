import { isIP } from 'node:net';
import { createAddressPolicy } from '../../base/address-policy.ts';
import type { Path } from '../finding.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { checkHeaders, hiddenHeaders } from './bidder-headers.ts';
import { exchangeEntity } from './exchange.ts';
import { BIDDER, type BidderInput } from '../../resources/bidder.ts';

/** Both ways to write it that matching fills. */
const REDIRECT_MACRO = /\$\{REDIRECT\}|\{\{\.?redirect\}\}/i;

/** What people call it, before the id of its demand partner. */
export const BIDDER_NOUN = 'bidder of demand partner';

/** The bidder of a demand partner that is planned already. */
export function planBidder(
  plan: Plan,
  element: Element<BidderInput>,
  demandPartnerId: number,
): void {
  const { input, path } = element;
  const stored = plan.state.bidders.get(demandPartnerId);
  if (stored === undefined) plan.require(element, BIDDER.needed);
  checkHeaders(plan, element);
  const next: Row<'bidders'> = {
    demand_partner_id: demandPartnerId,
    ...BIDDER.row(input, stored ?? BIDDER.initial),
  };
  const names = {
    noun: BIDDER_NOUN,
    name: demandPartnerId,
    document: (row: Row<'bidders'>) => auditedDocument(row, stored ?? row),
  };
  const row = plan.save({ table: 'bidders', stored, next, path, ...names });
  plan.state.bidders.set(demandPartnerId, row);
}

/**
 * Notes addresses that the guard at connect would refuse, or that no page opens, as far as the
 * address alone shows it: names are looked up when they are called. Notes a matching address that
 * sends nobody back. Needs the exchange's settings planned before.
 */
export function noteGuardedEndpoint(plan: Plan, row: Row<'bidders'>, path: Path): void {
  for (const key of ['endpoint', 'sync_url'] as const) {
    const message = guardedAddress(plan, row[key] ?? '');
    if (message !== null) plan.note([...path, key], message);
  }
  if (row.sync_url !== null && !REDIRECT_MACRO.test(row.sync_url)) {
    plan.note(
      [...path, 'sync_url'],
      'has no ${REDIRECT}, so that the partner is opened and its user id does not come back',
    );
  }
}

/**
 * Finds what `noteGuardedEndpoint` notes of addresses that are set anew: who writes a file may allow
 * them in the next one, a partner may not.
 */
export function refuseGuardedAddresses(
  plan: Plan,
  { input, path }: Element<BidderInput>,
  before: Row<'bidders'> | undefined,
): void {
  for (const key of ['endpoint', 'sync_url'] as const) {
    const address = input[key] ?? '';
    const message = address === before?.[key] ? null : guardedAddress(plan, address);
    if (message !== null) plan.find([...path, key], message);
  }
}

const LOCAL_NAME = /(?:^|\.)localhost\.?$/;

/** What is to be said of an address whose host is one that is not called; null for all others. */
function guardedAddress(plan: Plan, url: string): string | null {
  if (!URL.canParse(url)) return null;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const address = LOCAL_NAME.test(host) ? '127.0.0.1' : host;
  if (isIP(address) === 0) return null;
  const { allowPrivateAddresses } = exchangeEntity(plan.state.exchange);
  if (createAddressPolicy(allowPrivateAddresses)(address)) return null;
  return `is at the private address ${host}, which is not called unless exchange.allow_private_addresses has a range with it`;
}

/** As people write it, but for the values of its headers, which may be secrets. */
function auditedDocument(row: Row<'bidders'>, before: Row<'bidders'>): object {
  const shown = BIDDER.document(row);
  const was = BIDDER.document(before).headers ?? {};
  return { ...shown, headers: shown.headers && hiddenHeaders(shown.headers, was) };
}
