/**
 * What every listener allows its clients, as options of `http.createServer`: slow and half-open ones
 * are let go.
 */
export const HTTP_LIMITS = {
  /** How long headers and a whole request may take. */
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  /** How often node looks for those that take longer; its default would let them stay 30 s more. */
  connectionsCheckingInterval: 1_000,
  /** Longer than the idle time of common load balancers, so that they close first. */
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16 * 1024,
} as const;

/**
 * The most connections of each process's listener; more are closed as they come. All of them together
 * leave a process descriptors for files, bidders and what else it opens, and the listener of couriers
 * has places of its own whatever strangers hold of control's.
 */
export const CONNECTIONS_MAX = {
  exchange: 10_000,
  tracker: 10_000,
  control: 4_000,
  internal: 1_000,
  metrics: 64,
} as const;
