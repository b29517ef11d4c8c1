/**
 * How the exchange asks one bidder. `src/adapters/bidder-socket.ts` is what it uses, and
 * `src/adapters/bidder-http.ts` what that is held against.
 */
export interface BidderClient {
  /**
   * Sends one bid request and calls `settle` exactly once, at `deadlineMs` at the latest, never
   * before `ask` has returned. It never throws: whatever goes wrong is a `BidderReply`.
   *
   * @param onLate called at most once, after a `timeout`, when a usable answer comes in after all
   *   within the time that its connection is kept for it.
   * @param onHead told of the headers of the answer before `settle`; the body is then read whatever
   *   the status. For people who look at a single call.
   */
  ask(
    call: BidderCall,
    settle: (reply: BidderReply) => void,
    onLate?: () => void,
    onHead?: (headers: AnswerHeaders) => void,
  ): void;
  /** Bid requests to this endpoint whose connection is still in use, late ones included. */
  inFlight(endpoint: string): number;
  close(): Promise<void>;
}

/** By their names in lower case; several of one name are a list. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface BidderCall {
  /** Absolute http(s) address of the bidder. */
  readonly endpoint: string;
  /** Value of the `x-openrtb-version` header. */
  readonly openrtbVersion: '2.6' | '2.5' | '2.2';
  /** The bid request as JSON. */
  readonly body: string;
  /** More headers, by their names; their bytes are made once for each such object. Null for none. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** Send the body gzipped and ask for a gzipped answer. */
  readonly gzip: boolean;
  /** Most calls that the endpoint may have open, late ones included; null is the client's own limit. */
  readonly inFlightMax: number | null;
  /** Absolute, on the monotonic clock of `performance.now()`. */
  readonly deadlineMs: number;
}

/** What became of one call, before anybody has looked into the body. */
export type BidderReply =
  /** The status as it came, redirects included; the body is empty unless the status is 200 or `onHead` was given. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  /** No complete answer by the deadline. */
  | { readonly kind: 'timeout' }
  /**
   * No answer, or one that cannot be read. `code` is the system's or zlib's (`ECONNREFUSED`,
   * `Z_DATA_ERROR`, …), or one of ours, each with its words in `management/auctions/call-reasons.ts`.
   */
  | { readonly kind: 'error'; readonly code: string }
  /** The answer, inflated, is larger than the limit. */
  | { readonly kind: 'oversized'; readonly bytesMax: number }
  /** The endpoint is at its limit of open calls; nothing was sent. */
  | { readonly kind: 'busy'; readonly inFlightMax: number };
