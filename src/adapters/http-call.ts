import type { IncomingHttpHeaders } from 'node:http';

import type { Dispatcher } from 'undici';

import { errorCode, inflateBody, textOf, type Inflated } from '../base/inflate.ts';
import type { BidderReply } from '../ports/bidder-client.ts';
import { joinChunk } from './http-body.ts';
import { NO_SLOT, type DeadlineEntry, type DeadlineWheel } from './http-deadlines.ts';

/** What all calls of one client share. */
export interface CallSettings {
  readonly deadlines: DeadlineWheel;
  /** Most bytes of an answer, as received and inflated; 0 wants no body. */
  readonly responseBytesMax: number;
  /** How long a late answer may still come in, to spare its connection. */
  readonly lateGraceMs: number;
}

/** Where an endpoint counts its calls: those that use a connection or wait for one. */
export interface CallCounter {
  inFlight: number;
}

/** Most bytes that are read of a body nobody wants, to spare its connection. */
const DRAIN_BYTES_MAX = 16 * 1024;

/** Made once: these end a request inside undici, and nobody reads their stack. */
const EXPIRED = new Error('The deadline passed before the bid request was sent.');
const TOO_LATE = new Error('The answer came neither by the deadline nor in the time after it.');
const TOO_LARGE = new Error('The answer is larger than the limit.');

/** Content codings as they are written. */
const PLAIN = /^(?:identity)?$/i;
const GZIP = /^(?:x-)?gzip$/i;

const TIMEOUT: BidderReply = { kind: 'timeout' };

/**
 * One call to a bidder or of a notice: undici's handler, an entry of the deadline wheel and the body in one object
 * of fixed shape, without a closure per event. `settle` is called once and then dropped: a call
 * without it only lives on until its connection is free again.
 */
export class HttpCall implements Dispatcher.DispatchHandler, DeadlineEntry {
  dueMs = 0;
  slot = NO_SLOT;
  previous: DeadlineEntry | null = null;
  next: DeadlineEntry | null = null;
  /** Told when an answer of use is complete that came after the deadline. */
  onLate: (() => void) | null = null;
  /** Told of the head of the answer, whose body is then read whatever its status. */
  onHead: ((headers: IncomingHttpHeaders) => void) | null = null;

  readonly #settings: CallSettings;
  readonly #counter: CallCounter;
  #settle: ((reply: BidderReply) => void) | null;
  #controller: Dispatcher.DispatchController | null = null;
  /** Whether `ask` is still on the stack; a reply then waits for the next microtask. */
  #asking = true;
  #early: BidderReply | null = null;
  /** Whether undici is done with the request. */
  #released = false;
  /** Nobody waits any more because the deadline has passed. */
  #timedOut = false;
  /** Of the answer that has begun; 0 before. */
  #status = 0;
  #gzipped = false;
  #body: Buffer | null = null;
  #bodyBytes = 0;
  #bodyBytesMax: number;

  constructor(
    settings: CallSettings,
    counter: CallCounter,
    deadlineMs: number,
    settle: (reply: BidderReply) => void,
  ) {
    this.#settings = settings;
    this.#counter = counter;
    this.#settle = settle;
    this.#bodyBytesMax = settings.responseBytesMax;
    counter.inFlight += 1;
    settings.deadlines.add(this, deadlineMs);
  }

  /** Whether nobody waits for the answer any more. */
  get settled(): boolean {
    return this.#settle === null;
  }

  /** `ask` is about to return: from here on a reply may be handed over at once. */
  asked(): void {
    this.#asking = false;
    const early = this.#early;
    if (early !== null) queueMicrotask(() => this.#handOver(early));
  }

  /** Ends a call that never got to undici, or that undici will say nothing more about. */
  fail(code: string): void {
    this.#release();
    if (this.#settle !== null) this.#finish({ kind: 'error', code });
  }

  /** First the deadline, then the end of the grace for a late answer. */
  onDue(): void {
    const late = this.#settle === null;
    if (!late) this.#finish(TIMEOUT);
    if (this.#released) return;
    this.#timedOut ||= !late;
    if (!late) this.#settings.deadlines.add(this, this.dueMs + this.#settings.lateGraceMs);
    // Without a controller the call waits for a connection: `onRequestStart` will drop it.
    else this.#controller?.abort(TOO_LATE);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A throw here drops the request alone; an abort would take the connection with it.
    if (this.#settle === null) throw EXPIRED;
    this.#controller = controller;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Statuses below 200 announce the answer that follows.
    if (status < 200) return;
    this.#status = status;
    if (this.#settle === null) return;
    this.onHead?.(headers);
    const isWanted = status === 200 || this.onHead !== null;
    if (!isWanted || this.#settings.responseBytesMax === 0) {
      this.#drain({ kind: 'answer', status, body: '' });
      return;
    }
    // A header that comes twice is a list, whatever its type says: no expression matches that.
    const { 'content-encoding': encoding = '' } = headers;
    if (!PLAIN.test(encoding)) {
      if (!GZIP.test(encoding)) {
        this.#drain({ kind: 'error', code: 'ERR_CONTENT_ENCODING' });
        return;
      }
      this.#gzipped = true;
    }
    if (Number(headers['content-length']) > this.#bodyBytesMax) this.#refuse(controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const length = this.#bodyBytes;
    this.#bodyBytes = length + chunk.length;
    if (this.#bodyBytes > this.#bodyBytesMax) this.#refuse(controller);
    else if (this.#settle !== null) {
      this.#body = this.#body === null ? chunk : joinChunk(this.#body, length, chunk);
    }
  }

  onResponseEnd(): void {
    const body = this.#body;
    this.#release();
    if (this.#settle === null) {
      if (this.#timedOut && (this.#status === 200 || this.#status === 204)) this.onLate?.();
      return;
    }
    const status = this.#status;
    if (body === null) this.#finish({ kind: 'answer', status, body: '' });
    else if (this.#gzipped) {
      inflateBody(body.subarray(0, this.#bodyBytes), this.#settings.responseBytesMax, (outcome) =>
        this.#inflated(outcome),
      );
    } else {
      // One decode of the whole: a character may be split between two pieces.
      const text = textOf(body.subarray(0, this.#bodyBytes));
      this.#finish({ kind: 'answer', status, body: text });
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#release();
    if (this.#settle !== null) this.#finish({ kind: 'error', code: errorCode(error) });
  }

  #inflated(outcome: Inflated): void {
    // The deadline may have passed while the thread pool worked.
    if (this.#settle === null) return;
    switch (outcome.kind) {
      case 'text':
        this.#finish({ kind: 'answer', status: this.#status, body: outcome.text });
        break;
      case 'oversized':
        this.#finish({ kind: 'oversized', bytesMax: this.#settings.responseBytesMax });
        break;
      case 'broken':
        this.#finish({ kind: 'error', code: outcome.code });
        break;
    }
  }

  /** The answer is known from its head: reads a little of the rest to keep the connection. */
  #drain(reply: BidderReply): void {
    this.#bodyBytesMax = DRAIN_BYTES_MAX;
    this.#finish(reply);
  }

  /** Too much came: the connection is given up, whether somebody still waits or not. */
  #refuse(controller: Dispatcher.DispatchController): void {
    if (this.#settle !== null) {
      this.#finish({ kind: 'oversized', bytesMax: this.#settings.responseBytesMax });
    }
    controller.abort(TOO_LARGE);
  }

  /** The connection, or the place in the queue for one, is free. */
  #release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#counter.inFlight -= 1;
    this.#controller = null;
    // A call without a waiter is only in the wheel for the sake of its connection.
    if (this.#settle === null) this.#settings.deadlines.remove(this);
  }

  #finish(reply: BidderReply): void {
    this.#body = null;
    if (this.#released) this.#settings.deadlines.remove(this);
    if (this.#asking) this.#early = reply;
    else this.#handOver(reply);
  }

  /** undici swallows what its handlers throw; a fault of the exchange must surface instead. */
  #handOver(reply: BidderReply): void {
    const settle = this.#settle;
    this.#settle = null;
    if (settle === null) return;
    try {
      settle(reply);
    } catch (error) {
      process.nextTick(rethrow, error);
    }
  }
}

function rethrow(error: unknown): never {
  throw error;
}
