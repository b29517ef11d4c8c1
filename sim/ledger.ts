import type { IncomingHttpHeaders } from 'node:http';
import type { BidRequest } from '../src/openrtb/bid-request.ts';
import type { Fault } from './faults.ts';
import type { NoticeFault } from './notice-faults.ts';
import { NoticeLedger, type NoticeKind } from './notice-ledger.ts';

/** A bid request as it arrived. */
export interface ReceivedRequest {
  /** Which bid request of the bidder it is, from 1. */
  readonly sequence: number;
  readonly headers: IncomingHttpHeaders;
  readonly request: BidRequest;
}

/** A notice as it arrived; `url` is absolute, with the macros as they were substituted. */
export interface ReceivedNotice {
  readonly kind: NoticeKind;
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** What a bidder has counted since it started. */
export interface BidderCounts {
  /** Bid requests that could be read. */
  requests: number;
  /** Bodies that were no bid request; answered with 400. */
  unreadable: number;
  /** Bids that it decided on, before a fault spoiled them. */
  bids: number;
  /** Requests on which it decided not to bid. */
  noBids: number;
  /** Requests that a script answered. */
  scripted: number;
  notices: Record<NoticeKind, number>;
  /** The faults that have happened, by name. */
  faults: Partial<Record<Fault, number>>;
  /** The faults that notices have met, by name. */
  noticeFaults: Partial<Record<NoticeFault, number>>;
  /** Calls at the place where the fault `redirect` leads. */
  redirectsFollowed: number;
}

/** What a bidder has seen: counts of everything, and the last of the requests and notices. */
export class Ledger {
  readonly counts: BidderCounts = {
    requests: 0,
    unreadable: 0,
    bids: 0,
    noBids: 0,
    scripted: 0,
    notices: { win: 0, billing: 0, loss: 0, impression: 0 },
    faults: {},
    noticeFaults: {},
    redirectsFollowed: 0,
  };
  readonly requests: Recent<ReceivedRequest>;
  readonly notices: Recent<ReceivedNotice>;
  readonly noticeLedger = new NoticeLedger();

  constructor(keepMax: number) {
    this.requests = new Recent(keepMax);
    this.notices = new Recent(keepMax);
  }
}

/** The last so many of a sequence. */
export class Recent<T> {
  readonly #max: number;
  #items: T[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  add(item: T): void {
    // Cutting once in a while keeps an addition cheap; twice the number is held at most.
    if (this.#items.push(item) >= 2 * this.#max) this.#items = this.#items.slice(-this.#max);
  }

  /** Oldest first. */
  list(): readonly T[] {
    return this.#items.slice(-this.#max);
  }
}
