import type { BidderReply } from './bidder-client.ts';

/** How a notice of a bid is called, or a webhook; `src/adapters/notice-http.ts` is the implementation. */
export interface NoticeClient {
  /**
   * GETs an address, or POSTs to it, following no redirect, and calls `settle` exactly once, at `deadlineMs` at the
   * latest, never before `call` has returned. It never throws: whatever goes wrong is a `NoticeReply`.
   */
  call(call: NoticeCall, settle: (reply: NoticeReply) => void): void;
  close(): Promise<void>;
}

export interface NoticeCall {
  /** Absolute http(s) address, macros substituted. */
  readonly url: string;
  /** The same for every try of one notice, so that its receiver can tell them from others. */
  readonly id: string;
  /** Most bytes of the answer that are wanted; 0 reads no body. */
  readonly bodyBytesMax: number;
  /** What is POSTed, with names and values of headers by turns; without it the address is GETed. */
  readonly post?: { readonly headers: readonly string[]; readonly body: string };
  /** Absolute, on the monotonic clock of `performance.now()`. */
  readonly deadlineMs: number;
}

/** What became of one call: what can become of one to a bidder. */
export type NoticeReply = BidderReply;
