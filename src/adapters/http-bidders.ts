import type { BidderCall, BidderReply } from '../ports/bidder-client.ts';
import { GZIP_BYTES_MIN } from './http-body.ts';
import type { CallCounter } from './http-call.ts';

/** What the clients of bidders have in common: their limits, their endpoints, the headers that a call has. */
export interface BidderClientOptions {
  /** Asked for every address at connect; called anew each time, so it may change its mind. */
  readonly isAddressAllowed: (ip: string) => boolean;
  /** Most connections to one origin. Calls beyond it wait for one until their deadline. */
  readonly connectionsMax: number;
  /** Most bytes of an answer, as received and inflated; 256 KiB by default. */
  readonly responseBytesMax?: number;
  /** Most calls that one endpoint may have open, late ones included; beyond it `busy`. */
  readonly inFlightMax: number;
  /** How long after the deadline an answer may still come in and save its connection. */
  readonly lateGraceMs: number;
  /** The monotonic clock of `performance.now()`. */
  readonly now: () => number;
}

export const RESPONSE_BYTES_MAX = 256 * 1024;

/** How long a connection may take to come about, name and TLS included. */
export const CONNECT_TIMEOUT_MS = 1_000;

/** Shorter than the idle timeout of common servers (5 s and up), unless the server names its own. */
export const KEEP_ALIVE_MS = 4_000;

/** Bytes of an answer's status line and headers. */
export const RESPONSE_HEADER_BYTES_MAX = 16 * 1024;

/** A connection is renewed now and then, so that a bidder's new address or a new rule takes hold. */
export const CALLS_PER_CONNECTION_MAX = 10_000;

/** Endpoints remembered with their connections; idle ones beyond it are forgotten. */
const ENDPOINTS_MAX = 1_024;

/** The connections to one origin. */
interface OriginPool {
  /** Ends them and all calls on them; resolves when they are closed. */
  destroy(): Promise<void>;
}

export interface Endpoint<Pool> extends CallCounter {
  readonly url: URL;
  readonly pool: Pool;
}

interface Origin<Pool> {
  readonly pool: Pool;
  endpoints: number;
}

/** The endpoints that were called, by their addresses, with a pool of connections for each origin. */
export class EndpointTable<Pool extends OriginPool> {
  readonly #openPool: (origin: URL) => Pool;
  readonly #endpoints = new Map<string, Endpoint<Pool>>();
  readonly #origins = new Map<string, Origin<Pool>>();

  constructor(openPool: (origin: URL) => Pool) {
    this.#openPool = openPool;
  }

  /** Null when the address is no absolute http(s) URL or carries credentials. */
  find(address: string): Endpoint<Pool> | null {
    return this.#endpoints.get(address) ?? this.#add(address);
  }

  inFlight(address: string): number {
    return this.#endpoints.get(address)?.inFlight ?? 0;
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#origins.values()].map(({ pool }) => pool.destroy()));
  }

  #add(address: string): Endpoint<Pool> | null {
    const url = URL.parse(address);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
    if (url.username !== '' || url.password !== '') return null;
    if (this.#endpoints.size >= ENDPOINTS_MAX) this.#forgetIdle();
    let origin = this.#origins.get(url.origin);
    if (origin === undefined) {
      origin = { pool: this.#openPool(url), endpoints: 0 };
      this.#origins.set(url.origin, origin);
    }
    origin.endpoints += 1;
    const endpoint: Endpoint<Pool> = { url, pool: origin.pool, inFlight: 0 };
    this.#endpoints.set(address, endpoint);
    return endpoint;
  }

  #forgetIdle(): void {
    for (const [address, endpoint] of this.#endpoints) {
      if (endpoint.inFlight > 0) continue;
      this.#endpoints.delete(address);
      const origin = this.#origins.get(endpoint.url.origin);
      if (origin === undefined) continue;
      origin.endpoints -= 1;
      if (origin.endpoints > 0) continue;
      this.#origins.delete(endpoint.url.origin);
      void origin.pool.destroy();
    }
  }
}

/** Why a call is not made at all; null for one that is. */
export function refusalOf(
  call: BidderCall,
  endpoint: CallCounter | null,
  { inFlightMax: clientMax, now }: BidderClientOptions,
): BidderReply | null {
  if (endpoint === null) return { kind: 'error', code: 'ERR_INVALID_URL' };
  const inFlightMax = Math.min(clientMax, call.inFlightMax ?? clientMax);
  if (endpoint.inFlight >= inFlightMax) return { kind: 'busy', inFlightMax };
  return call.deadlineMs <= now() ? { kind: 'timeout' } : null;
}

/** Of a call after `close`, and of those that it ends. */
export const CLOSED_REPLY: BidderReply = { kind: 'error', code: 'ERR_CLIENT_CLOSED' };

/** The headers that a call is sent with, beside those that every HTTP request has. */
export function headersOfCall(call: BidderCall): Readonly<Record<string, string>> {
  const flat = headersOfVersion(call.openrtbVersion, call.headers ?? {})[encodingOf(call)];
  const pairs: [string, string][] = [];
  for (let at = 0; at < flat.length; at += 2) pairs.push([flat[at] ?? '', flat[at + 1] ?? '']);
  return Object.fromEntries(pairs);
}

/** How the body is sent: as it is, where a gzipped answer may come too, or gzipped. */
export type Encoding = 'plain' | 'small' | 'deflated';

export function encodingOf({ gzip, body }: BidderCall): Encoding {
  if (!gzip) return 'plain';
  return body.length < GZIP_BYTES_MIN ? 'small' : 'deflated';
}

/** Request headers by what varies, as a flat list of names and values. */
export type RequestHeaders = Readonly<
  Record<BidderCall['openrtbVersion'], Record<Encoding, string[]>>
>;

export function headersFor(own: Readonly<Record<string, string>>): RequestHeaders {
  return {
    '2.6': headersOfVersion('2.6', own),
    '2.5': headersOfVersion('2.5', own),
    '2.2': headersOfVersion('2.2', own),
  };
}

function headersOfVersion(
  openrtbVersion: string,
  own: Readonly<Record<string, string>>,
): Record<Encoding, string[]> {
  const ours = ['content-type', 'application/json', 'x-openrtb-version', openrtbVersion];
  // Without accept-encoding no server compresses that was not asked to; each header costs time.
  const plain = [...ours, ...Object.entries(own).flat()];
  const small = [...plain, 'accept-encoding', 'gzip'];
  return { plain, small, deflated: [...small, 'content-encoding', 'gzip'] };
}
