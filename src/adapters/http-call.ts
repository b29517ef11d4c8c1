import { contentCodingOf, inflateBody, textOf, type Inflated } from '../base/inflate.ts';
import type { AnswerHeaders, BidderReply } from '../ports/bidder-client.ts';
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

/** What a call is on its way on, and ends with when it is given up. */
export interface Carrier {
  abort(): void;
}

/** Most bytes that are read of a body nobody wants, to spare its connection. */
const DRAIN_BYTES_MAX = 16 * 1024;

const TIMEOUT: BidderReply = { kind: 'timeout' };

/**
 * One call to a bidder or of a notice: an entry of the deadline wheel and the body in one object
 * of fixed shape, without a closure per event. `settle` is called once and then dropped: a call
 * without it only lives on until its connection is free again. What carries it tells it of the answer:
 * `begin`, `head`, `body` and `end` in this order, or at any time `fail`.
 */
export class HttpCall implements DeadlineEntry {
  dueMs = 0;
  slot = NO_SLOT;
  previous: DeadlineEntry | null = null;
  next: DeadlineEntry | null = null;
  /** Told when an answer of use is complete that came after the deadline. */
  onLate: (() => void) | null = null;
  /** Told of the head of the answer, whose body is then read whatever its status. */
  onHead: ((headers: AnswerHeaders) => void) | null = null;

  readonly #settings: CallSettings;
  readonly #counter: CallCounter;
  #settle: ((reply: BidderReply) => void) | null;
  #carrier: Carrier | null = null;
  /** Whether `ask` is still on the stack; a reply then waits for the next microtask. */
  #asking = true;
  #early: BidderReply | null = null;
  /** Whether nothing carries the request any more. */
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

  /** Whether something carries the call, or did until it was over. */
  get begun(): boolean {
    return this.#carrier !== null || this.#released;
  }

  /** Whether the body is inflated once it is complete. */
  get gzipped(): boolean {
    return this.#gzipped;
  }

  /** `ask` is about to return: from here on a reply may be handed over at once. */
  asked(): void {
    this.#asking = false;
    const early = this.#early;
    if (early !== null) queueMicrotask(() => this.#handOver(early));
  }

  /** Ends a call that nothing has carried, or whose carrier will say nothing more about it. */
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
    // What nothing carries yet will not `begin`.
    else this.#carrier?.abort();
  }

  /** The request is about to be written; false when it shall not be. */
  begin(carrier: Carrier): boolean {
    if (this.#settle === null) return false;
    this.#carrier = carrier;
    return true;
  }

  /**
   * The head of the final answer has come.
   *
   * @param contentCoding as the header says it; empty without one
   * @param contentLength NaN or negative without one
   * @param headers read only where `onHead` is there
   */
  head(
    status: number,
    contentCoding: string,
    contentLength: number,
    headers: AnswerHeaders | null,
  ): void {
    this.#status = status;
    if (this.#settle === null) return;
    if (headers !== null) this.onHead?.(headers);
    const isWanted = status === 200 || this.onHead !== null;
    if (!isWanted || this.#settings.responseBytesMax === 0) {
      this.#drain({ kind: 'answer', status, body: '' });
      return;
    }
    if (contentCoding !== '') {
      const coding = contentCodingOf(contentCoding);
      if (coding === null) {
        this.#drain({ kind: 'error', code: 'ERR_CONTENT_ENCODING' });
        return;
      }
      this.#gzipped = coding === 'gzip';
    }
    if (contentLength > this.#bodyBytesMax) this.#refuse();
  }

  /** @param chunk not copied: it may be overwritten only after `end` */
  body(chunk: Buffer): void {
    const length = this.#bodyBytes;
    this.#bodyBytes = length + chunk.length;
    if (this.#bodyBytes > this.#bodyBytesMax) this.#refuse();
    else if (this.#settle !== null) {
      this.#body = this.#body === null ? chunk : joinChunk(this.#body, length, chunk);
    }
  }

  end(): void {
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
  #refuse(): void {
    if (this.#settle !== null) {
      this.#finish({ kind: 'oversized', bytesMax: this.#settings.responseBytesMax });
    }
    this.#carrier?.abort();
  }

  /** The connection, or the place in the queue for one, is free. */
  #release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#counter.inFlight -= 1;
    this.#carrier = null;
    // A call without a waiter is only in the wheel for the sake of its connection.
    if (this.#settle === null) this.#settings.deadlines.remove(this);
  }

  #finish(reply: BidderReply): void {
    this.#body = null;
    if (this.#released) this.#settings.deadlines.remove(this);
    if (this.#asking) this.#early = reply;
    else this.#handOver(reply);
  }

  /** What carries a call may not be disturbed, or swallows what is thrown; a fault must surface. */
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
