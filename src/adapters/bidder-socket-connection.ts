import type { OnReadOpts, Socket } from 'node:net';

import { errorCode } from '../base/inflate.ts';
import { AnswerReader, noHeaders, type AnswerSink } from './bidder-socket-answer.ts';
import { CALLS_PER_CONNECTION_MAX, CONNECT_TIMEOUT_MS, KEEP_ALIVE_MS } from './http-bidders.ts';
import type { Carrier, HttpCall } from './http-call.ts';
import { NO_SLOT, type DeadlineEntry, type DeadlineWheel } from './http-deadlines.ts';

/** Who has the connection. */
export interface ConnectionOwner {
  readonly deadlines: DeadlineWheel;
  readonly now: () => number;
  /** @param onread what the socket must be opened with */
  openSocket(onread: OnReadOpts): Socket;
  onOpen(connection: Connection): void;
  /** The answer is complete: what else has come with it is known once this turn is over. */
  onFree(connection: Connection): void;
  /** Told once, before the call that it carried. */
  onClose(connection: Connection, wasOpen: boolean, code: string): void;
  /** What a later connection to the same server may resume. */
  onSession(session: Buffer): void;
}

/** A bidder that says how long it keeps a connection is believed, up to a limit and with time to spare. */
const KEEP_ALIVE_MAX_MS = 600_000;
const KEEP_ALIVE_MARGIN_MS = 2_000;

/** Nobody's fault here: the other side, or the network, has ended the connection. */
const CONNECTION_CLOSED = 'ERR_CONNECTION_CLOSED';

/**
 * What all sockets read into: POSIX systems ask for it when there is something to read, and each piece
 * is done with before the next. What is kept of it is copied.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * One connection to a bidder, with at most one call on it, whose whole answer is read before the next.
 * What comes without a call or after an answer closes it, and so does an answer that is broken.
 */
export class Connection implements AnswerSink, Carrier, DeadlineEntry {
  dueMs = 0;
  slot = NO_SLOT;
  previous: DeadlineEntry | null = null;
  next: DeadlineEntry | null = null;

  readonly #owner: ConnectionOwner;
  readonly #reader: AnswerReader;
  readonly #socket: Socket;
  #isOpen = false;
  #isClosed = false;
  #call: HttpCall | null = null;
  #callsLeft = CALLS_PER_CONNECTION_MAX;
  /** Until when a call may be sent, where none is on its way. */
  #idleUntilMs = Number.POSITIVE_INFINITY;
  /** Of a server that is not known yet to be the one that was meant. */
  #session: Buffer | null = null;

  constructor(owner: ConnectionOwner) {
    this.#owner = owner;
    this.#reader = new AnswerReader(this);
    const socket = owner.openSocket({
      buffer: READ_BUFFER,
      callback: (bytes) => {
        this.#read(bytes);
        return true;
      },
    });
    this.#socket = socket;
    const isSecure = 'encrypted' in socket;
    socket.once(isSecure ? 'secureConnect' : 'connect', () => this.#onOpen());
    socket.on('error', (error) => this.#close(errorCode(error)));
    socket.on('end', () => this.#close(CONNECTION_CLOSED));
    socket.on('close', () => this.#close(CONNECTION_CLOSED));
    if (isSecure) socket.on('session', (session: Buffer) => this.#onSession(session));
    owner.deadlines.add(this, owner.now() + CONNECT_TIMEOUT_MS);
  }

  /** Resolves when nothing of it is left; it must be given up before. */
  get gone(): Promise<void> {
    const socket = this.#socket;
    if (socket.closed) return Promise.resolve();
    return new Promise((resolve) => {
      socket.once('close', () => resolve());
    });
  }

  mayBeUsed(nowMs: number): boolean {
    return !this.#isClosed && nowMs < this.#idleUntilMs;
  }

  /** Writes the whole request at once. */
  send(call: HttpCall, request: string | Buffer): void {
    if (!call.begin(this)) {
      this.#owner.onFree(this);
      return;
    }
    this.#call = call;
    this.#callsLeft -= 1;
    if (call.onHead !== null) this.#reader.headers = noHeaders();
    if (typeof request === 'string') this.#socket.write(request, 'latin1');
    else this.#socket.write(request);
  }

  /** Of the call, whose answer nobody waits for any more; or of the owner. */
  abort(code = CONNECTION_CLOSED): void {
    this.#close(code);
  }

  /** While it comes about this is its deadline; later it closes an idle connection. */
  onDue(): void {
    if (!this.#isOpen) {
      this.#close('ERR_CONNECT_TIMEOUT');
      return;
    }
    const nowMs = this.#owner.now();
    const isBusy = this.#call !== null;
    if (isBusy || nowMs < this.#idleUntilMs) {
      const dueMs = isBusy ? nowMs + KEEP_ALIVE_MS : this.#idleUntilMs;
      this.#owner.deadlines.add(this, Math.min(dueMs, nowMs + KEEP_ALIVE_MS));
    } else this.#close(CONNECTION_CLOSED);
  }

  onHead(): boolean {
    const { status, contentCoding, contentLength, headers } = this.#reader;
    this.#call?.head(status, contentCoding, contentLength, headers);
    return !this.#isClosed;
  }

  onBody(bytes: Buffer, isLast: boolean): boolean {
    const call = this.#call;
    // What ends here is read at once, unless it has to be inflated first.
    if (call !== null) call.body(isLast && !call.gzipped ? bytes : Buffer.from(bytes));
    return !this.#isClosed;
  }

  #onOpen(): void {
    if (this.#isClosed) return;
    this.#isOpen = true;
    this.#idleUntilMs = this.#owner.now() + KEEP_ALIVE_MS;
    if (this.#session !== null) this.#owner.onSession(this.#session);
    this.#owner.onOpen(this);
  }

  /** A session resumed is trusted without looking at the name again: the first must have been right. */
  #onSession(session: Buffer): void {
    if (this.#isOpen) this.#owner.onSession(session);
    else this.#session = session;
  }

  #read(length: number): void {
    if (this.#isClosed) return;
    const call = this.#call;
    if (call === null) {
      this.#close(CONNECTION_CLOSED);
      return;
    }
    const reader = this.#reader;
    const read = reader.read(READ_BUFFER, length);
    // The call has given the answer up.
    if (this.#isClosed) return;
    if (reader.fault !== null) this.#close(reader.fault);
    else if (reader.isComplete) this.#end(call, read < length);
  }

  #end(call: HttpCall, isFollowed: boolean): void {
    this.#call = null;
    const reader = this.#reader;
    const { isPersistent, keepAliveS } = reader;
    const keepMs =
      keepAliveS < 0
        ? KEEP_ALIVE_MS
        : Math.min(keepAliveS * 1_000 - KEEP_ALIVE_MARGIN_MS, KEEP_ALIVE_MAX_MS);
    // An answer to what was not yet written whole is none.
    const isReady = !isFollowed && this.#socket.writableLength === 0;
    if (isPersistent && isReady && keepMs > 0 && this.#callsLeft > 0) {
      reader.reset();
      this.#idleUntilMs = this.#owner.now() + keepMs;
      this.#owner.onFree(this);
    } else this.#close(CONNECTION_CLOSED);
    call.end();
  }

  #close(code: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#owner.deadlines.remove(this);
    this.#socket.destroy();
    const call = this.#call;
    this.#call = null;
    this.#owner.onClose(this, this.#isOpen, code);
    call?.fail(code);
  }
}
