/** How a notice of a bid is called; `src/adapters/notice-http.ts` is the implementation. */
export interface NoticeClient {
  /**
   * GETs an address, following no redirect, and calls `settle` exactly once, at `deadlineMs` at the
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
  /** Absolute, on the monotonic clock of `performance.now()`. */
  readonly deadlineMs: number;
}

/** What became of one call. */
export type NoticeReply =
  /** The status as it came, redirects included; the body is empty unless the status is 200. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  /** No complete answer by the deadline. */
  | { readonly kind: 'timeout' }
  /** No answer, or one that cannot be read; codes as in `BidderReply`. */
  | { readonly kind: 'error'; readonly code: string }
  /** The answer, inflated, is larger than the limit. */
  | { readonly kind: 'oversized'; readonly bytesMax: number }
  /** Nothing was sent: the destination, or all together, are at their limit of open calls. */
  | { readonly kind: 'busy'; readonly inFlightMax: number };
