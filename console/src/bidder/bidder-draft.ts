import type { BidderInput } from '../../../src/resources/bidder.ts';
import type { ShownBidder } from '../../../src/management/bidders/schema.ts';
import { NEW_BIDDER } from '../api/new-resources.ts';

type Settings = typeof NEW_BIDDER;

/** What stands in the fields of a bidder's settings. */
export interface BidderDraft extends Omit<Settings, 'timeout_ms' | 'headers'> {
  readonly timeout_ms: number | null;
  readonly headers: readonly HeaderDraft[];
}

/** A header; rows are told apart by their number, since names may be typed twice. */
export interface HeaderDraft {
  readonly row: number;
  readonly name: string;
  readonly value: string;
}

/** The fields of a bidder; null for a partner that has none yet. */
export function draftOf(bidder: ShownBidder | null): BidderDraft {
  if (bidder === null) return withRows(NEW_BIDDER);
  const { stopped: _, created_at: _made, updated_at: _changed, ...settings } = bidder;
  return withRows(settings);
}

function withRows({ headers, ...settings }: Settings): BidderDraft {
  const rows = Object.entries(headers ?? {}).map(([name, value], row) => ({ row, name, value }));
  return { ...settings, headers: rows };
}

/** A draft as the API has it: nothing typed is nothing set. */
export function bodyOf(draft: BidderDraft): Readonly<Record<keyof BidderInput, unknown>> {
  return {
    ...draft,
    endpoint: draft.endpoint.trim(),
    mimes: draft.mimes?.length === 0 ? null : draft.mimes,
    sync_url: draft.sync_url?.trim() || null,
    headers: headersOf(draft),
  };
}

function headersOf({ headers }: BidderDraft): Readonly<Record<string, string>> | null {
  const named = headers.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '');
  if (named.length === 0) return null;
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value.trim()]));
}
