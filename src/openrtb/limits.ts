/**
 * Limits on OpenRTB documents. The spec sets none (its section 8: "maximum size of a request or
 * response: not shown"), so these are the exchange's own: far above what honest traffic needs,
 * low enough that no document can make one auction expensive.
 */

/** Impressions in one request. */
export const IMPS_MAX = 50;

/** Bids that are read of one response, over all of its seats. */
export const BIDS_MAX = 100;

/** Bids behind those that are refused one by one; what comes behind them is refused as one. */
export const BIDS_REFUSED_MAX = 100;

/** Problems that are told about one document. */
export const PROBLEMS_MAX = 50;

/** Problems that are told about one bid, so that a hundred bad bids stay cheap. */
export const BID_PROBLEMS_MAX = 5;

/** Highest price and floor, in USD CPM; a test holds it against that of `base/money.ts`. */
export const PRICE_MAX_USD = 10_000;

/** Largest whole number in either direction: what every bidder's 32-bit integer holds. */
export const INTEGER_MAX = 2_147_483_647;

/** Characters of an id: requests, impressions, bids, seats, deals, creatives. */
export const ID_LENGTH_MAX = 256;

/** Characters of a code: languages, countries, versions, content types. */
export const CODE_LENGTH_MAX = 64;

/** Characters of a name, a user agent, a domain. */
export const TEXT_LENGTH_MAX = 2_048;

/** Characters of a URL or a keyword list. */
export const LONG_TEXT_LENGTH_MAX = 8_192;

/** Characters of a native request carried as text. */
export const NATIVE_REQUEST_LENGTH_MAX = 65_536;

/** Characters of a bid's markup. */
export const MARKUP_LENGTH_MAX = 262_144;

/** Entries of an ordinary list. */
export const ITEMS_MAX = 1_000;

/** Entries of a blocking list: some publishers send thousands of advertisers. */
export const BLOCKED_ITEMS_MAX = 10_000;
