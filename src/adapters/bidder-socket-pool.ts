import type { LookupFunction, OnReadOpts, Socket } from 'node:net';

import { errorCode } from '../base/inflate.ts';
import type { BidderReply } from '../ports/bidder-client.ts';
import { openSocket } from './bidder-socket-connect.ts';
import { Connection, type ConnectionOwner } from './bidder-socket-connection.ts';
import { literalRefusal } from './guarded-connect.ts';
import { HttpCall, type CallCounter, type CallSettings } from './http-call.ts';
import type { DeadlineWheel } from './http-deadlines.ts';

/** What the pools of a client have in common. */
export interface PoolSettings {
  readonly deadlines: DeadlineWheel;
  readonly now: () => number;
  readonly connectionsMax: number;
  readonly isAddressAllowed: (ip: string) => boolean;
  /** Answers with allowed addresses alone. */
  readonly lookup: LookupFunction;
  /** Has `serve` called once this turn is over. */
  readonly schedule: (pool: SocketPool) => void;
}

/** A call that waits for a connection, or has one. */
export class SocketCall extends HttpCall {
  readonly #pool: SocketPool;
  request: string | Buffer = '';

  constructor(
    settings: CallSettings,
    endpoint: CallCounter & { readonly pool: SocketPool },
    deadlineMs: number,
    settle: (reply: BidderReply) => void,
  ) {
    super(settings, endpoint, deadlineMs, settle);
    this.#pool = endpoint.pool;
  }

  override onDue(): void {
    super.onDue();
    if (!this.begun) this.#pool.forget(this);
  }
}

/**
 * The connections to one origin. A call goes out at the end of the turn of the event loop in which it
 * was made, and never on a connection whose last answer came in that turn or the one before: what a
 * bidder sends after an answer has closed the connection by then, and so has its end.
 */
export class SocketPool implements ConnectionOwner {
  readonly deadlines: DeadlineWheel;
  readonly now: () => number;
  /** Whether `serve` is going to be called. */
  isScheduled = false;

  readonly #settings: PoolSettings;
  readonly #url: URL;
  /** In the order of their calls. */
  readonly #waiting = new Set<SocketCall>();
  readonly #connections = new Set<Connection>();
  /** The last one to become free is used first, so that those too many grow old. */
  readonly #idle: Connection[] = [];
  /** Free since this turn, and since the one before. */
  #freed: Connection[] = [];
  #resting: Connection[] = [];
  #connecting = 0;
  #session: Buffer | null = null;
  #isClosed = false;

  constructor(url: URL, settings: PoolSettings) {
    this.#url = url;
    this.#settings = settings;
    this.deadlines = settings.deadlines;
    this.now = settings.now;
  }

  /** The request must be ready. */
  add(call: SocketCall): void {
    if (this.#isClosed) {
      call.fail('ERR_CLIENT_CLOSED');
      return;
    }
    this.#waiting.add(call);
    this.#schedule();
  }

  /** Nobody waits for the call any more, which was never sent. */
  forget(call: SocketCall): void {
    this.#waiting.delete(call);
    call.fail('ERR_EXPIRED');
  }

  /** Sends what waits on the connections there are, and opens more for the rest. */
  serve(): void {
    this.isScheduled = false;
    for (const connection of this.#resting) this.#idle.push(connection);
    this.#resting = this.#freed;
    this.#freed = [];
    if (this.#resting.length > 0) this.#schedule();
    if (this.#waiting.size > 0) this.#send();
  }

  #send(): void {
    const nowMs = this.now();
    for (const call of this.#waiting) {
      const connection = this.#takeIdle(nowMs);
      if (connection === null) break;
      this.#waiting.delete(call);
      connection.send(call, call.request);
    }
    const { connectionsMax } = this.#settings;
    let missing = this.#waiting.size - this.#connecting - this.#resting.length;
    for (; missing > 0 && this.#connections.size < connectionsMax; missing -= 1) this.#connect();
  }

  openSocket(onread: OnReadOpts): Socket {
    const { lookup } = this.#settings;
    return openSocket({ url: this.#url, lookup, session: this.#session, onread });
  }

  /** Nothing can have come yet: the first call need not wait for the end of the turn. */
  onOpen(connection: Connection): void {
    this.#connecting -= 1;
    const [call] = this.#waiting;
    if (call === undefined) {
      this.#idle.push(connection);
      return;
    }
    this.#waiting.delete(call);
    connection.send(call, call.request);
  }

  onFree(connection: Connection): void {
    this.#freed.push(connection);
    this.#schedule();
  }

  /** A connection that did not come about is the failure of one call, the one that waits for longest. */
  onClose(connection: Connection, wasOpen: boolean, code: string): void {
    this.#connections.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    if (!wasOpen) {
      this.#connecting -= 1;
      this.#session = null;
      this.#failFirst(code);
    }
    if (this.#waiting.size > 0) this.#schedule();
  }

  onSession(session: Buffer): void {
    this.#session = session;
  }

  async destroy(): Promise<void> {
    this.#isClosed = true;
    const connections = [...this.#connections];
    for (const connection of connections) connection.abort('ERR_CLIENT_CLOSED');
    while (this.#waiting.size > 0) this.#failFirst('ERR_CLIENT_CLOSED');
    await Promise.all(connections.map((connection) => connection.gone));
  }

  #schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.#settings.schedule(this);
  }

  #takeIdle(nowMs: number): Connection | null {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined) return null;
      if (connection.mayBeUsed(nowMs)) return connection;
      connection.abort();
    }
  }

  #connect(): void {
    const refusal = literalRefusal(this.#url.hostname, this.#settings.isAddressAllowed);
    if (refusal !== null) {
      this.#failFirst(errorCode(refusal));
      return;
    }
    this.#connecting += 1;
    this.#connections.add(new Connection(this));
  }

  #failFirst(code: string): void {
    const [call] = this.#waiting;
    if (call === undefined) return;
    this.#waiting.delete(call);
    call.fail(code);
  }
}
