import type { Socket } from 'node:net';

import { Pool } from 'undici';

import type {
  AnswerHeaders,
  BidderCall,
  BidderClient,
  BidderReply,
} from '../ports/bidder-client.ts';
import { deflateBody, GZIP_BYTES_MIN } from './http-body.ts';
import { HttpCall, type CallCounter, type CallSettings } from './http-call.ts';
import { DeadlineWheel } from './http-deadlines.ts';
import { createGuardedConnect } from './guarded-connect.ts';

export interface BidderHttpOptions {
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

const RESPONSE_BYTES_MAX = 256 * 1024;

/** Checked by undici every half second, so a dead address costs a second and a half at most. */
const CONNECT_TIMEOUT_MS = 1_000;

/** Shorter than the idle timeout of common servers (5 s and up), unless the server names its own. */
const KEEP_ALIVE_MS = 4_000;

/** Bytes of an answer's status line and headers. */
const RESPONSE_HEADER_BYTES_MAX = 16 * 1024;

/** A connection is renewed now and then, so that a bidder's new address or a new rule takes hold. */
const CALLS_PER_CONNECTION_MAX = 10_000;

/** Endpoints remembered with their connections; idle ones beyond it are forgotten. */
const ENDPOINTS_MAX = 1_024;

/** Of a bidder without headers of its own. */
const NO_HEADERS = headersFor({});

/**
 * Calls bidders over HTTP/1.1 with one pool of kept connections per origin. Each call has one
 * absolute deadline and never follows a redirect; only addresses that `isAddressAllowed` accepts
 * are connected to.
 */
export function createBidderHttpClient(options: BidderHttpOptions): BidderClient {
  return new BidderHttpClient(options);
}

interface Origin {
  readonly pool: Pool;
  endpoints: number;
}

interface Endpoint extends CallCounter {
  readonly origin: string;
  readonly path: string;
  readonly pool: Pool;
}

class BidderHttpClient implements BidderClient {
  readonly #options: BidderHttpOptions;
  readonly #settings: CallSettings;
  readonly #deadlines: DeadlineWheel;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #origins = new Map<string, Origin>();
  readonly #connecting = new Set<Socket>();
  /** By the bidder's own headers, which are one object for as long as its settings stay. */
  readonly #headers = new WeakMap<object, RequestHeaders>();
  readonly #connect: ReturnType<typeof createGuardedConnect>;
  #closed = false;

  constructor(options: BidderHttpOptions) {
    this.#options = options;
    this.#deadlines = new DeadlineWheel(options.now);
    this.#settings = {
      deadlines: this.#deadlines,
      responseBytesMax: options.responseBytesMax ?? RESPONSE_BYTES_MAX,
      lateGraceMs: options.lateGraceMs,
    };
    this.#connect = createGuardedConnect({
      isAddressAllowed: options.isAddressAllowed,
      timeoutMs: CONNECT_TIMEOUT_MS,
      connecting: this.#connecting,
    });
  }

  ask(
    call: BidderCall,
    settle: (reply: BidderReply) => void,
    onLate?: () => void,
    onHead?: (headers: AnswerHeaders) => void,
  ): void {
    const endpoint = this.#endpoints.get(call.endpoint) ?? this.#addEndpoint(call.endpoint);
    if (this.#closed || endpoint === null) {
      const code = endpoint === null ? 'ERR_INVALID_URL' : 'UND_ERR_DESTROYED';
      queueMicrotask(() => settle({ kind: 'error', code }));
      return;
    }
    const { inFlightMax: clientMax } = this.#options;
    const inFlightMax = Math.min(clientMax, call.inFlightMax ?? clientMax);
    if (endpoint.inFlight >= inFlightMax) {
      queueMicrotask(() => settle({ kind: 'busy', inFlightMax }));
      return;
    }
    if (call.deadlineMs <= this.#options.now()) {
      queueMicrotask(() => settle({ kind: 'timeout' }));
      return;
    }
    const open = new HttpCall(this.#settings, endpoint, call.deadlineMs, settle);
    if (onLate !== undefined) open.onLate = onLate;
    if (onHead !== undefined) open.onHead = onHead;
    const encoding = encodingOf(call);
    const headers = this.#headersOf(call.headers)[call.openrtbVersion][encoding];
    if (encoding === 'deflated') this.#sendDeflated(endpoint, headers, call.body, open);
    else send(endpoint, headers, call.body, open);
    open.asked();
  }

  inFlight(endpoint: string): number {
    return this.#endpoints.get(endpoint)?.inFlight ?? 0;
  }

  /** Ends every open call with an error at once; resolves when all connections are closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const pools = [...this.#origins.values()].map((origin) => origin.pool.destroy());
    for (const socket of this.#connecting) socket.destroy();
    await Promise.all(pools);
    this.#deadlines.close();
  }

  #headersOf(own: BidderCall['headers']): RequestHeaders {
    if (own === null) return NO_HEADERS;
    let headers = this.#headers.get(own);
    if (headers === undefined) {
      headers = headersFor(own);
      this.#headers.set(own, headers);
    }
    return headers;
  }

  #sendDeflated(endpoint: Endpoint, headers: string[], body: string, open: HttpCall): void {
    deflateBody(body, (deflated) => {
      if (deflated === null) open.fail('ERR_DEFLATE');
      else if (open.settled) open.fail('ERR_EXPIRED');
      else send(endpoint, headers, deflated, open);
    });
  }

  /** Null when the address is no absolute http(s) URL or carries credentials. */
  #addEndpoint(address: string): Endpoint | null {
    const url = URL.parse(address);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
    if (url.username !== '' || url.password !== '') return null;
    if (this.#endpoints.size >= ENDPOINTS_MAX) this.#forgetIdleEndpoints();
    const origin = this.#origins.get(url.origin) ?? this.#addOrigin(url.origin);
    origin.endpoints += 1;
    const endpoint: Endpoint = {
      origin: url.origin,
      path: url.pathname + url.search,
      pool: origin.pool,
      inFlight: 0,
    };
    this.#endpoints.set(address, endpoint);
    return endpoint;
  }

  #addOrigin(address: string): Origin {
    const pool = new Pool(address, {
      connect: this.#connect,
      connections: this.#options.connectionsMax,
      pipelining: 1,
      allowH2: false,
      // The deadline wheel bounds every call; undici's own timers would only cost.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
      maxRequestsPerClient: CALLS_PER_CONNECTION_MAX,
    });
    const origin: Origin = { pool, endpoints: 0 };
    this.#origins.set(address, origin);
    return origin;
  }

  #forgetIdleEndpoints(): void {
    for (const [address, endpoint] of this.#endpoints) {
      if (endpoint.inFlight > 0) continue;
      this.#endpoints.delete(address);
      const origin = this.#origins.get(endpoint.origin);
      if (origin === undefined) continue;
      origin.endpoints -= 1;
      if (origin.endpoints > 0) continue;
      this.#origins.delete(endpoint.origin);
      void origin.pool.destroy();
    }
  }
}

function send(endpoint: Endpoint, headers: string[], body: string | Buffer, open: HttpCall): void {
  endpoint.pool.dispatch({ path: endpoint.path, method: 'POST', headers, body }, open);
}

/** The headers that a call is sent with, beside those that every HTTP request has. */
export function headersOfCall(call: BidderCall): Readonly<Record<string, string>> {
  const flat = headersOfVersion(call.openrtbVersion, call.headers ?? {})[encodingOf(call)];
  const pairs: [string, string][] = [];
  for (let at = 0; at < flat.length; at += 2) pairs.push([flat[at] ?? '', flat[at + 1] ?? '']);
  return Object.fromEntries(pairs);
}

function encodingOf({ gzip, body }: BidderCall): 'plain' | 'small' | 'deflated' {
  if (!gzip) return 'plain';
  return body.length < GZIP_BYTES_MIN ? 'small' : 'deflated';
}

/** Request headers by what varies, in undici's form of a flat list. */
type RequestHeaders = Readonly<
  Record<BidderCall['openrtbVersion'], Record<'plain' | 'small' | 'deflated', string[]>>
>;

function headersFor(own: Readonly<Record<string, string>>): RequestHeaders {
  return { '2.5': headersOfVersion('2.5', own), '2.2': headersOfVersion('2.2', own) };
}

function headersOfVersion(
  openrtbVersion: string,
  own: Readonly<Record<string, string>>,
): Record<'plain' | 'small' | 'deflated', string[]> {
  const ours = ['content-type', 'application/json', 'x-openrtb-version', openrtbVersion];
  // Without accept-encoding no server compresses that was not asked to; each header costs time.
  const plain = [...ours, ...Object.entries(own).flat()];
  const small = [...plain, 'accept-encoding', 'gzip'];
  return { plain, small, deflated: [...small, 'content-encoding', 'gzip'] };
}
