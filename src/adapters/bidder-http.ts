import type { Socket } from 'node:net';

import { Pool } from 'undici';

import type {
  AnswerHeaders,
  BidderCall,
  BidderClient,
  BidderReply,
} from '../ports/bidder-client.ts';
import { createGuardedConnect } from './guarded-connect.ts';
import {
  CALLS_PER_CONNECTION_MAX,
  CLOSED_REPLY,
  CONNECT_TIMEOUT_MS,
  encodingOf,
  EndpointTable,
  headersFor,
  KEEP_ALIVE_MS,
  refusalOf,
  RESPONSE_BYTES_MAX,
  RESPONSE_HEADER_BYTES_MAX,
  type BidderClientOptions,
  type Endpoint,
  type RequestHeaders,
} from './http-bidders.ts';
import { deflateBody } from './http-body.ts';
import type { CallSettings } from './http-call.ts';
import { DeadlineWheel } from './http-deadlines.ts';
import { UndiciCall } from './http-undici-call.ts';

/** Of a bidder without headers of its own. */
const NO_HEADERS = headersFor({});

/**
 * Calls bidders over undici, with one pool of kept connections per origin: the reference that
 * `bidder-socket.ts` is held against by one suite and a differential fuzz. No process uses it.
 */
export function createBidderHttpClient(options: BidderClientOptions): BidderClient {
  return new BidderHttpClient(options);
}

class BidderHttpClient implements BidderClient {
  readonly #options: BidderClientOptions;
  readonly #settings: CallSettings;
  readonly #deadlines: DeadlineWheel;
  readonly #endpoints: EndpointTable<Pool>;
  readonly #connecting = new Set<Socket>();
  /** By the bidder's own headers, which are one object for as long as its settings stay. */
  readonly #headers = new WeakMap<object, RequestHeaders>();
  #closed = false;

  constructor(options: BidderClientOptions) {
    this.#options = options;
    this.#deadlines = new DeadlineWheel(options.now);
    this.#settings = {
      deadlines: this.#deadlines,
      responseBytesMax: options.responseBytesMax ?? RESPONSE_BYTES_MAX,
      lateGraceMs: options.lateGraceMs,
    };
    this.#endpoints = new EndpointTable((url) => openPool(url, options, this.#connecting));
  }

  ask(
    call: BidderCall,
    settle: (reply: BidderReply) => void,
    onLate?: () => void,
    onHead?: (headers: AnswerHeaders) => void,
  ): void {
    const endpoint = this.#endpoints.find(call.endpoint);
    const refusal = this.#closed ? CLOSED_REPLY : refusalOf(call, endpoint, this.#options);
    if (refusal !== null || endpoint === null) {
      queueMicrotask(() => settle(refusal ?? CLOSED_REPLY));
      return;
    }
    const open = new UndiciCall(this.#settings, endpoint, call.deadlineMs, settle);
    if (onLate !== undefined) open.onLate = onLate;
    if (onHead !== undefined) open.onHead = onHead;
    const encoding = encodingOf(call);
    const headers = this.#headersOf(call.headers)[call.openrtbVersion][encoding];
    if (encoding === 'deflated') this.#sendDeflated(endpoint, headers, call.body, open);
    else send(endpoint, headers, call.body, open);
    open.asked();
  }

  inFlight(endpoint: string): number {
    return this.#endpoints.inFlight(endpoint);
  }

  /** Ends every open call with an error at once; resolves when all connections are closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const closing = this.#endpoints.destroy();
    for (const socket of this.#connecting) socket.destroy();
    await closing;
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

  #sendDeflated(endpoint: Endpoint<Pool>, headers: string[], body: string, open: UndiciCall): void {
    deflateBody(body, (deflated) => {
      if (deflated === null) open.fail('ERR_DEFLATE');
      else if (open.settled) open.fail('ERR_EXPIRED');
      else send(endpoint, headers, deflated, open);
    });
  }
}

function openPool({ origin }: URL, options: BidderClientOptions, connecting: Set<Socket>): Pool {
  return new Pool(origin, {
    // Each has its own, so that TLS sessions are resumed with the server that gave them alone.
    connect: createGuardedConnect({
      isAddressAllowed: options.isAddressAllowed,
      // Checked by undici every half second, so a dead address costs half a second more at most.
      timeoutMs: CONNECT_TIMEOUT_MS,
      connecting,
    }),
    connections: options.connectionsMax,
    pipelining: 1,
    allowH2: false,
    // The deadline wheel bounds every call; undici's own timers would only cost.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
    maxRequestsPerClient: CALLS_PER_CONNECTION_MAX,
  });
}

function send(
  { url, pool }: Endpoint<Pool>,
  headers: string[],
  body: string | Buffer,
  open: UndiciCall,
): void {
  const path = url.pathname + url.search;
  pool.dispatch({ path, method: 'POST', headers, body }, open);
}
