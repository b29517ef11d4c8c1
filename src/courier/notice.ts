import type { NoticeEvent } from '../events/delivery-record.ts';

/** A notice that a record has made due, as it is called. */
export interface DueNotice {
  readonly event: NoticeEvent;
  readonly auctionId: string;
  /** Index in the auction record's `imps`. */
  readonly imp: number;
  /** Index in the auction record's `bids`; -1 for a notice of the impression's winner. */
  readonly bid: number;
  readonly partnerId: number;
  readonly lineItemId: number;
  /** Unix time in milliseconds: of its record, or of the end of the time in which a bid could win. */
  readonly dueMs: number;
  /** Macros substituted. */
  readonly url: string;
}

/** The same for every try, and for no other notice: its receiver tells repetitions by it. */
export function noticeId({
  event,
  auctionId,
  imp,
  bid,
}: Pick<DueNotice, 'event' | 'auctionId' | 'imp' | 'bid'>): string {
  const id = `${auctionId}-${imp}-${event}`;
  return event === 'loss' ? `${id}-${bid}` : id;
}

/** The longest address that is called: what servers take in a request line at least (RFC 9110). */
const NOTICE_URL_LENGTH_MAX = 8_000;

const ORIGIN = /^(https?:\/\/[^/?#\\\s]+)/i;

/**
 * Where an address leads, as it is written there: what has its answers, and its failures, in common.
 * Null for what cannot be called at all.
 */
export function destinationOf(url: string): string | null {
  if (url.length > NOTICE_URL_LENGTH_MAX) return null;
  return ORIGIN.exec(url)?.[1] ?? null;
}
