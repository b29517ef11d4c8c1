/** How the exchange asks one bidder; `src/adapters/bidder-http.ts` is the implementation. */
export interface BidderClient {
  /**
   * Sends one bid request and calls `settle` exactly once, at `deadlineMs` at the latest, never
   * before `ask` has returned. It never throws: whatever goes wrong is a `BidderReply`.
   */
  ask(call: BidderCall, settle: (reply: BidderReply) => void): void;
  /** Bid requests to this endpoint whose connection is still in use, late ones included. */
  inFlight(endpoint: string): number;
  close(): Promise<void>;
}

export interface BidderCall {
  /** Absolute http(s) address of the bidder. */
  readonly endpoint: string;
  /** Value of the `x-openrtb-version` header. */
  readonly openrtbVersion: '2.5' | '2.2';
  /** The bid request as JSON. */
  readonly body: string;
  /** Send the body gzipped and ask for a gzipped answer. */
  readonly gzip: boolean;
  /** Absolute, on the monotonic clock of `performance.now()`. */
  readonly deadlineMs: number;
}

/** What became of one call, before anybody has looked into the body. */
export type BidderReply =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  /** No complete answer by the deadline. */
  | { readonly kind: 'timeout' }
  /** Transport failed; `code` is the system's or undici's (`ECONNREFUSED`, `UND_ERR_SOCKET`, …). */
  | { readonly kind: 'error'; readonly code: string }
  /** The answer, inflated, is larger than the limit. */
  | { readonly kind: 'oversized'; readonly bytesMax: number }
  /** The endpoint is at its limit of open calls; nothing was sent. */
  | { readonly kind: 'busy'; readonly inFlightMax: number };
