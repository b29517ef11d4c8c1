import { isIP } from 'node:net';
import { createAddressPolicy } from '../../base/address-policy.ts';
import type { Bidder } from '../../snapshot/entities.ts';
import { flagColumn, jsonColumn } from '../columns.ts';
import type { Path } from '../finding.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { checkHeaders, hiddenHeaders } from './bidder-headers.ts';
import { exchangeEntity } from './exchange.ts';
import type { BidderInput } from './bidder-schema.ts';

/** Both ways to write it that matching fills. */
const REDIRECT_MACRO = /\$\{REDIRECT\}|\{\{\.?redirect\}\}/i;

type Settings = Omit<Row<'bidders'>, 'demand_partner_id'>;

const NEW: Settings = {
  endpoint: '',
  openrtb_version: '2.5',
  timeout_ms: 200,
  max_qps: null,
  max_concurrency: null,
  send_bidfloor: 0,
  gzip: 0,
  gvl_id: null,
  mimes: null,
  send_viewability: 0,
  native_in_ext: 0,
  interstitial_imps: 'one',
  sync_url: null,
  sync_type: 'image',
  headers: null,
};

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
  if (stored === undefined) plan.require(element, ['endpoint']);
  checkHeaders(plan, element);
  const next: Row<'bidders'> = {
    demand_partner_id: demandPartnerId,
    ...settings(input, stored ?? NEW),
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

/** A bidder as the exchange works with it. */
export function bidderEntity(row: Row<'bidders'>): Bidder {
  return {
    endpoint: row.endpoint,
    openrtbVersion: row.openrtb_version,
    timeoutMs: row.timeout_ms,
    maxQps: row.max_qps,
    maxConcurrency: row.max_concurrency,
    sendBidfloor: row.send_bidfloor === 1,
    gzip: row.gzip === 1,
    gvlId: row.gvl_id,
    mimes: JSON.parse(row.mimes ?? 'null'),
    sendViewability: row.send_viewability === 1,
    nativeInExt: row.native_in_ext === 1,
    interstitialImps: row.interstitial_imps,
    syncUrl: row.sync_url,
    syncType: row.sync_type,
    headers: JSON.parse(row.headers ?? 'null'),
  };
}

/** As people write it, but for the values of its headers, which may be secrets. */
function auditedDocument(row: Row<'bidders'>, before: Row<'bidders'>): object {
  const shown = bidderDocument(row);
  const was = bidderDocument(before).headers ?? {};
  return { ...shown, headers: shown.headers && hiddenHeaders(shown.headers, was) };
}

/** A bidder in the form that people write. */
export function bidderDocument(row: Row<'bidders'>): Required<BidderInput> {
  return {
    endpoint: row.endpoint,
    openrtb_version: row.openrtb_version,
    timeout_ms: row.timeout_ms,
    max_qps: row.max_qps,
    max_concurrency: row.max_concurrency,
    send_bidfloor: row.send_bidfloor === 1,
    gzip: row.gzip === 1,
    gvl_id: row.gvl_id,
    mimes: JSON.parse(row.mimes ?? 'null'),
    send_viewability: row.send_viewability === 1,
    native_in_ext: row.native_in_ext === 1,
    interstitial_imps: row.interstitial_imps,
    sync_url: row.sync_url,
    sync_type: row.sync_type,
    headers: JSON.parse(row.headers ?? 'null'),
  };
}

function settings(input: BidderInput, before: Settings): Settings {
  return {
    endpoint: input.endpoint ?? before.endpoint,
    openrtb_version: input.openrtb_version ?? before.openrtb_version,
    timeout_ms: input.timeout_ms ?? before.timeout_ms,
    max_qps: input.max_qps === undefined ? before.max_qps : input.max_qps,
    max_concurrency:
      input.max_concurrency === undefined ? before.max_concurrency : input.max_concurrency,
    send_bidfloor: flagColumn(input.send_bidfloor, before.send_bidfloor),
    gzip: flagColumn(input.gzip, before.gzip),
    gvl_id: input.gvl_id === undefined ? before.gvl_id : input.gvl_id,
    mimes: jsonColumn(input.mimes, before.mimes),
    send_viewability: flagColumn(input.send_viewability, before.send_viewability),
    native_in_ext: flagColumn(input.native_in_ext, before.native_in_ext),
    interstitial_imps: input.interstitial_imps ?? before.interstitial_imps,
    sync_url: input.sync_url === undefined ? before.sync_url : input.sync_url,
    sync_type: input.sync_type ?? before.sync_type,
    headers: jsonColumn(input.headers, before.headers),
  };
}
