import type {
  AnswerHeaders,
  BidderCall,
  BidderClient,
  BidderReply,
} from '../ports/bidder-client.ts';
import { SocketCall, SocketPool } from './bidder-socket-pool.ts';
import { deflatedRequest, plainRequest, RequestHeads } from './bidder-socket-request.ts';
import { guardLookup } from './guarded-connect.ts';
import {
  CLOSED_REPLY,
  encodingOf,
  EndpointTable,
  refusalOf,
  RESPONSE_BYTES_MAX,
  type BidderClientOptions,
} from './http-bidders.ts';
import { deflateBody } from './http-body.ts';
import type { CallSettings } from './http-call.ts';
import { DeadlineWheel } from './http-deadlines.ts';
import { createNameLookup } from './name-lookup.ts';

/**
 * Measured: three calls to local bidders take 29 µs of processor time, and 53 µs over undici
 * (docs/decisions/0027-bidder-client.md).
 *
 * Calls bidders over HTTP/1.1 on sockets of its own, with one pool of kept connections per origin. Each
 * call has one absolute deadline, is written once and never again, and follows no redirect; only
 * addresses that `isAddressAllowed` accepts are connected to.
 */
export function createBidderSocketClient(options: BidderClientOptions): BidderClient {
  return new BidderSocketClient(options);
}

class BidderSocketClient implements BidderClient {
  readonly #options: BidderClientOptions;
  readonly #settings: CallSettings;
  readonly #deadlines: DeadlineWheel;
  readonly #endpoints: EndpointTable<SocketPool>;
  readonly #heads = new RequestHeads();
  /** Pools with calls that go out at the end of this turn. */
  #scheduled: SocketPool[] = [];
  readonly #serve = (): void => this.#serveScheduled();
  #closed = false;

  constructor(options: BidderClientOptions) {
    const { isAddressAllowed, connectionsMax, now } = options;
    this.#options = options;
    this.#deadlines = new DeadlineWheel(now);
    this.#settings = {
      deadlines: this.#deadlines,
      responseBytesMax: options.responseBytesMax ?? RESPONSE_BYTES_MAX,
      lateGraceMs: options.lateGraceMs,
    };
    const poolSettings = {
      deadlines: this.#deadlines,
      now,
      connectionsMax,
      isAddressAllowed,
      lookup: guardLookup(isAddressAllowed, createNameLookup()),
      schedule: (pool: SocketPool) => {
        if (this.#scheduled.push(pool) === 1) setImmediate(this.#serve);
      },
    };
    this.#endpoints = new EndpointTable((url) => new SocketPool(url, poolSettings));
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
    const encoding = encodingOf(call);
    const head = this.#heads.of(endpoint.url, call, encoding);
    const open = new SocketCall(this.#settings, endpoint, call.deadlineMs, settle);
    if (onLate !== undefined) open.onLate = onLate;
    if (onHead !== undefined) open.onHead = onHead;
    if (head === null) open.fail('ERR_INVALID_HEADER');
    else if (encoding === 'deflated') this.#addDeflated(endpoint.pool, head, call.body, open);
    else {
      open.request = plainRequest(head, call.body);
      endpoint.pool.add(open);
    }
    open.asked();
  }

  inFlight(endpoint: string): number {
    return this.#endpoints.inFlight(endpoint);
  }

  /** Ends every open call with an error at once; resolves when all connections are closed. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#endpoints.destroy();
    this.#deadlines.close();
  }

  #addDeflated(pool: SocketPool, head: string, body: string, open: SocketCall): void {
    deflateBody(body, (deflated) => {
      if (deflated === null) open.fail('ERR_DEFLATE');
      else if (open.settled) open.fail('ERR_EXPIRED');
      else {
        open.request = deflatedRequest(head, deflated);
        pool.add(open);
      }
    });
  }

  #serveScheduled(): void {
    const pools = this.#scheduled;
    this.#scheduled = [];
    for (const pool of pools) pool.serve();
  }
}
