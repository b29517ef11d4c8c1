import type { Socket } from 'node:net';

import { Pool, type Dispatcher } from 'undici';

import type { NoticeCall, NoticeClient, NoticeReply } from '../ports/notice-client.ts';
import { createGuardedConnect } from './guarded-connect.ts';
import type { CallCounter } from './http-call.ts';
import { DeadlineWheel } from './http-deadlines.ts';
import { UndiciCall } from './http-undici-call.ts';

export interface NoticeHttpOptions {
  /** Asked for every address at connect; called anew each time, so it may change its mind. */
  readonly isAddressAllowed: (ip: string) => boolean;
  /** Most connections to one origin. */
  readonly connectionsMax: number;
  /**
   * Most notices on their way on one connection; 1 sends the next one after the answer. Beyond what
   * the connections of an origin take it is `busy`. When the answer that comes next is given up, the
   * others of its connection are sent again over a new one.
   */
  readonly pipeliningMax: number;
  /** Most calls that all origins together may have open; beyond it `busy`. */
  readonly inFlightMax: number;
  /** Most origins remembered, 1,024 by default; the one that was idle for longest is forgotten. */
  readonly originsMax?: number;
  /** The monotonic clock of `performance.now()`. */
  readonly now: () => number;
}

/** Checked by undici every half second, so a dead address costs a second and a half at most. */
const CONNECT_TIMEOUT_MS = 1_000;

/** Shorter than the idle timeout of common servers (5 s and up), unless the server names its own. */
const KEEP_ALIVE_MS = 4_000;

/** Bytes of an answer's status line and headers. */
const RESPONSE_HEADER_BYTES_MAX = 16 * 1024;

/** A connection is renewed now and then, so that a new address or a new rule takes hold. */
const CALLS_PER_CONNECTION_MAX = 10_000;

const ORIGINS_MAX = 1_024;

/** As undici says it. */
const CLOSED = 'UND_ERR_DESTROYED';

/**
 * Calls notices over HTTP/1.1 on kept connections: GET without redirects, or POST for webhooks, one absolute deadline, to
 * addresses that `isAddressAllowed` accepts and no others. A GET carries its id as `x-notice-id`.
 */
export function createNoticeHttpClient(options: NoticeHttpOptions): NoticeClient {
  return new NoticeHttpClient(options);
}

/** A destination. Its calls are counted as long as they use a connection. */
interface Origin extends CallCounter {
  readonly pool: Pool;
  /** When it was last called, on the monotonic clock. */
  usedMs: number;
}

class NoticeHttpClient implements NoticeClient {
  readonly #options: NoticeHttpOptions;
  readonly #deadlines: DeadlineWheel;
  readonly #connect: ReturnType<typeof createGuardedConnect>;
  /** By `URL.origin`. */
  readonly #origins = new Map<string, Origin>();
  readonly #connecting = new Set<Socket>();
  /** Calls that are not settled. */
  #open = 0;
  #closed = false;

  constructor(options: NoticeHttpOptions) {
    this.#options = options;
    this.#deadlines = new DeadlineWheel(options.now);
    this.#connect = createGuardedConnect({
      isAddressAllowed: options.isAddressAllowed,
      timeoutMs: CONNECT_TIMEOUT_MS,
      connecting: this.#connecting,
    });
  }

  call(call: NoticeCall, settle: (reply: NoticeReply) => void): void {
    const problem = this.#send(call, settle);
    if (problem !== null) queueMicrotask(() => settle(problem));
  }

  /** Ends every open call with an error at once; resolves when all connections are closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const pools = [...this.#origins.values()].map(({ pool }) => pool.destroy());
    for (const socket of this.#connecting) socket.destroy();
    await Promise.all(pools);
    this.#deadlines.close();
  }

  /** Why nothing was sent; null when it was. */
  #send(call: NoticeCall, settle: (reply: NoticeReply) => void): NoticeReply | null {
    if (this.#closed) return { kind: 'error', code: CLOSED };
    const url = URL.parse(call.url);
    if (url === null || !isCallable(url)) return { kind: 'error', code: 'ERR_INVALID_URL' };
    const { connectionsMax, pipeliningMax, inFlightMax, now } = this.#options;
    const nowMs = now();
    if (call.deadlineMs <= nowMs) return { kind: 'timeout' };
    if (this.#open >= inFlightMax) return { kind: 'busy', inFlightMax };
    const origin = this.#origins.get(url.origin) ?? this.#addOrigin(url.origin);
    const originMax = connectionsMax * pipeliningMax;
    if (origin === null || origin.inFlight >= originMax) {
      return { kind: 'busy', inFlightMax: originMax };
    }
    origin.usedMs = nowMs;
    this.#open += 1;
    const settings = {
      deadlines: this.#deadlines,
      responseBytesMax: call.bodyBytesMax,
      lateGraceMs: 0,
    };
    const open = new UndiciCall(settings, origin, call.deadlineMs, (reply) => {
      this.#open -= 1;
      settle(reply);
    });
    const path = url.pathname + url.search;
    // What is `blocking` lets nothing follow it on its connection before its answer begins.
    const blocking = pipeliningMax === 1;
    origin.pool.dispatch({ path, blocking, ...sentWith(call) }, open);
    open.asked();
    return null;
  }

  /** Null when no origin may be forgotten for it. */
  #addOrigin(address: string): Origin | null {
    const { connectionsMax, pipeliningMax, originsMax = ORIGINS_MAX } = this.#options;
    if (this.#origins.size >= originsMax && !this.#forgetIdle()) return null;
    const pool = new Pool(address, {
      connect: this.#connect,
      connections: connectionsMax,
      pipelining: pipeliningMax,
      allowH2: false,
      // The deadline wheel bounds every call; undici's own timers would only cost.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
      maxRequestsPerClient: CALLS_PER_CONNECTION_MAX,
    });
    const origin: Origin = { pool, inFlight: 0, usedMs: 0 };
    this.#origins.set(address, origin);
    return origin;
  }

  #forgetIdle(): boolean {
    let oldest: readonly [string, Origin] | null = null;
    for (const entry of this.#origins) {
      const [, { inFlight, usedMs }] = entry;
      if (inFlight === 0 && usedMs < (oldest?.[1].usedMs ?? Infinity)) oldest = entry;
    }
    if (oldest === null) return false;
    this.#origins.delete(oldest[0]);
    void oldest[1].pool.destroy();
    return true;
  }
}

function sentWith({
  id,
  post,
}: NoticeCall): Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body'> {
  if (post === undefined) return { method: 'GET', headers: ['x-notice-id', id] };
  return { method: 'POST', headers: [...post.headers], body: post.body };
}

function isCallable({ protocol, username, password }: URL): boolean {
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
