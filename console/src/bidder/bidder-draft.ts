import type { BidderInput } from '../../../src/configuration/resources/bidder-schema.ts';
import type { ShownBidder } from '../../../src/management/bidders/schema.ts';

/** What stands in the fields of a bidder's settings: text where text is typed. */
export interface BidderDraft {
  readonly endpoint: string;
  readonly openrtb_version: '2.6' | '2.5' | '2.2';
  readonly timeout_ms: number | null;
  readonly max_qps: number | null;
  readonly max_concurrency: number | null;
  readonly send_bidfloor: boolean;
  readonly gzip: boolean;
  readonly gvl_id: number | null;
  readonly mimes: readonly string[];
  readonly send_viewability: boolean;
  readonly native_in_ext: boolean;
  readonly interstitial_imps: 'one' | 'pair';
  readonly sync_url: string;
  readonly sync_type: 'image' | 'iframe';
  readonly headers: readonly HeaderDraft[];
}

/** A header; rows are told apart by their number, since names may be typed twice. */
export interface HeaderDraft {
  readonly row: number;
  readonly name: string;
  readonly value: string;
}

/** What is there before anything is set: the exchange's own defaults. */
const NOTHING_SET: BidderDraft = {
  endpoint: '',
  openrtb_version: '2.5',
  timeout_ms: null,
  max_qps: null,
  max_concurrency: null,
  send_bidfloor: true,
  gzip: false,
  gvl_id: null,
  mimes: [],
  send_viewability: false,
  native_in_ext: false,
  interstitial_imps: 'one',
  sync_url: '',
  sync_type: 'image',
  headers: [],
};

/** The fields of a bidder; null for a partner that has none yet. */
export function draftOf(bidder: ShownBidder | null): BidderDraft {
  if (bidder === null) return NOTHING_SET;
  return {
    endpoint: bidder.endpoint ?? '',
    openrtb_version: bidder.openrtb_version ?? '2.5',
    timeout_ms: bidder.timeout_ms ?? null,
    max_qps: bidder.max_qps ?? null,
    max_concurrency: bidder.max_concurrency ?? null,
    send_bidfloor: bidder.send_bidfloor ?? NOTHING_SET.send_bidfloor,
    gzip: bidder.gzip ?? NOTHING_SET.gzip,
    gvl_id: bidder.gvl_id ?? null,
    mimes: bidder.mimes ?? [],
    send_viewability: bidder.send_viewability ?? NOTHING_SET.send_viewability,
    native_in_ext: bidder.native_in_ext ?? NOTHING_SET.native_in_ext,
    interstitial_imps: bidder.interstitial_imps ?? 'one',
    sync_url: bidder.sync_url ?? '',
    sync_type: bidder.sync_type ?? 'image',
    headers: Object.entries(bidder.headers ?? {}).map(([name, value], row) => ({
      row,
      name,
      value,
    })),
  };
}

/** A draft as the API has it: nothing typed is nothing set. */
export function bodyOf(draft: BidderDraft): Readonly<Record<keyof BidderInput, unknown>> {
  return {
    ...draft,
    endpoint: draft.endpoint.trim(),
    mimes: draft.mimes.length === 0 ? null : draft.mimes,
    sync_url: draft.sync_url.trim() === '' ? null : draft.sync_url.trim(),
    headers: headersOf(draft),
  };
}

function headersOf({ headers }: BidderDraft): Readonly<Record<string, string>> | null {
  const named = headers.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '');
  if (named.length === 0) return null;
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value.trim()]));
}
