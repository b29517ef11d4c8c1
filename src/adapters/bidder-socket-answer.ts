import {
  CR,
  COLON,
  decimalOf,
  HEX,
  isBlank,
  isText,
  LF,
  SEMICOLON,
  SP,
  TOKEN,
  VALUE,
  ZERO,
} from './bidder-socket-bytes.ts';
import { joinChunk } from './http-body.ts';

/**
 * Reads the answers of one connection, strictly, one after the other.
 *
 * Measured on an answer of one kilobyte with five headers: 0.4 to 0.55 µs, where undici's llhttp in
 * WebAssembly took 0.5 to 0.6 µs (docs/decisions/0027-bidder-client.md). Each byte of a head is looked at
 * once, where the socket has put it; nothing is copied unless a piece ends within a line, and of the
 * headers only those are kept that matter here.
 */

/** Who is told of an answer while it is read. */
export interface AnswerSink {
  /** The head of the final answer has been read: its fields stand in the reader. False gives it up. */
  onHead(): boolean;
  /**
   * Some of the body, in memory that the next piece will overwrite. False gives the answer up.
   *
   * @param isLast whether nothing of the answer follows it
   */
  onBody(bytes: Buffer, isLast: boolean): boolean;
}

/** What is wrong with an answer; each has its words in `management/auctions/call-reasons.ts`. */
export type AnswerFault =
  | 'ERR_ANSWER_STATUS_LINE'
  | 'ERR_ANSWER_INTERIM'
  | 'ERR_ANSWER_HEADER'
  | 'ERR_ANSWER_HEAD_SIZE'
  | 'ERR_ANSWER_LENGTH'
  | 'ERR_ANSWER_CHUNK';

/** Bytes of an answer's status lines, headers and trailers, and of what follows the sizes of its chunks. */
const HEAD_BYTES_MAX = 16 * 1024;
const INTERIM_MAX = 5;
const CHUNK_DIGITS_MAX = 8;

const VERSION = Buffer.from('HTTP/1.');
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const TIMEOUT = /(?:^|[\t ,])timeout=(\d{1,6})/i;

/** The headers that matter. */
const FIELDS = [
  'connection',
  'keep-alive',
  'content-length',
  'content-encoding',
  'transfer-encoding',
];

// What of an answer is read next.
const STATUS_LINE = 0;
const HEADER = 1;
const BODY = 2;
const CHUNK_SIZE = 3;
const CHUNK = 4;
const CHUNK_END = 5;
const TRAILER = 6;
const COMPLETE = 7;

/** Instead of where a line ends: it does not within this piece. */
const NO_END = -1;
/** Instead of where a line ends: it is not one that belongs here. */
const BROKEN = -2;

export class AnswerReader {
  /** Of the final answer, once `onHead` is told. */
  status = 0;
  /** As the header says it; empty without one, no coding at all where there are several. */
  contentCoding = '';
  /** Negative where the answer does not say it. */
  contentLength = -1;
  /** Whether the connection may be used again, as far as this answer goes. */
  isPersistent = true;
  /** How long the bidder keeps an idle connection, in seconds; negative where it does not say. */
  keepAliveS = -1;
  /** All headers by their names in lower case, for who asks for them before the answer; null for nobody. */
  headers: Record<string, string | string[]> | null = null;

  readonly #sink: AnswerSink;
  #state = STATUS_LINE;
  #fault: AnswerFault | null = null;
  #isChunked = false;
  #hasCoding = false;
  #isOldVersion = false;
  #interims = 0;
  #headBytes = 0;
  /** Bytes of the body, or of a chunk, that are still to come. */
  #left = 0;
  /** The beginning of a line whose end has not come. */
  #held: Buffer | null = null;
  #heldBytes = 0;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  /** Null unless the answer is broken. */
  get fault(): AnswerFault | null {
    return this.#fault;
  }

  get isComplete(): boolean {
    return this.#state === COMPLETE;
  }

  /** The next answer may come. */
  reset(): void {
    this.#state = STATUS_LINE;
    this.#interims = 0;
    this.#headBytes = 0;
    this.headers = null;
    this.#resetFields();
  }

  /**
   * Takes the bytes that have come, up to `end`, and returns how many it has read: fewer than there are
   * when the answer was complete before, or is given up or broken.
   */
  read(bytes: Buffer, end: number): number {
    if (this.#held === null) return this.#read(bytes, 0, end);
    const before = this.#heldBytes;
    const joined = joinChunk(this.#held, before, bytes.subarray(0, end));
    const length = before + end;
    if (!joined.subarray(before, length).includes(LF)) {
      this.#hold(joined, length);
      return this.#fault === null ? end : 0;
    }
    this.#held = null;
    return this.#read(joined, 0, length) - before;
  }

  #read(bytes: Buffer, from: number, end: number): number {
    let at = from;
    while (at < end && this.#state !== COMPLETE) {
      if (this.#state === BODY || this.#state === CHUNK) {
        const next = Math.min(end, at + this.#left);
        this.#left -= next - at;
        const isLast = this.#left === 0 && this.#state === BODY;
        if (isLast) this.#state = COMPLETE;
        else if (this.#left === 0) this.#state = CHUNK_END;
        if (!this.#sink.onBody(bytes.subarray(at, next), isLast)) return at;
        at = next;
        continue;
      }
      const next = this.#readLine(bytes, at, end);
      if (next === NO_END) {
        this.#hold(bytes.subarray(at, end), end - at);
        return this.#fault === null ? end : at;
      }
      if (next === BROKEN) return at;
      at = next;
    }
    return at;
  }

  /** Reads one line and returns where the next one begins. */
  #readLine(bytes: Buffer, at: number, end: number): number {
    switch (this.#state) {
      case STATUS_LINE:
        return this.#readStatusLine(bytes, at, end);
      case CHUNK_SIZE:
        return this.#readChunkSize(bytes, at, end);
      case CHUNK_END: {
        const next = this.#lineEnd(bytes, at, end, 'ERR_ANSWER_CHUNK');
        if (next > 0) this.#state = CHUNK_SIZE;
        return next;
      }
      default: {
        if (bytes[at] !== CR) return this.#readHeader(bytes, at, end);
        const next = this.#lineEnd(bytes, at, end, 'ERR_ANSWER_HEADER');
        if (next < 0) return next;
        if (this.#state === HEADER) return this.#endHead() ? next : BROKEN;
        this.#state = COMPLETE;
        return next;
      }
    }
  }

  #readStatusLine(bytes: Buffer, at: number, end: number): number {
    const fault = 'ERR_ANSWER_STATUS_LINE';
    const minor = at + VERSION.length;
    // The shortest line has no reason, and no space before it: many servers write that.
    if (minor + 6 >= end) return NO_END;
    for (let index = 0; index < VERSION.length; index += 1) {
      if (bytes[at + index] !== VERSION[index]) return this.#break(fault);
    }
    if (bytes[minor] !== ZERO + 1 && bytes[minor] !== ZERO) return this.#break(fault);
    this.#isOldVersion = bytes[minor] === ZERO;
    let status = 0;
    for (let index = minor + 2; index < minor + 5; index += 1) {
      const digit = (bytes[index] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) return this.#break(fault);
      status = status * 10 + digit;
    }
    if (bytes[minor + 1] !== SP || status < 100) return this.#break(fault);
    this.status = status;
    let last = minor + 5;
    if (bytes[last] === SP) while (last < end && VALUE[bytes[last] ?? 0] === 1) last += 1;
    const next = this.#lineEnd(bytes, last, end, fault);
    if (next < 0) return next;
    this.#state = HEADER;
    return this.#count(next - at) ? next : BROKEN;
  }

  /** A line that begins with a space, and so goes on with the header before it, has no name. */
  #readHeader(bytes: Buffer, at: number, end: number): number {
    let nameEnd = at;
    while (nameEnd < end && TOKEN[bytes[nameEnd] ?? 0] === 1) nameEnd += 1;
    if (nameEnd === end) return NO_END;
    if (bytes[nameEnd] !== COLON || nameEnd === at) return this.#break('ERR_ANSWER_HEADER');
    let from = nameEnd + 1;
    while (from < end && isBlank(bytes[from])) from += 1;
    let to = from;
    while (to < end && VALUE[bytes[to] ?? 0] === 1) to += 1;
    const next = this.#lineEnd(bytes, to, end, 'ERR_ANSWER_HEADER');
    if (next < 0) return next;
    if (!this.#count(next - at)) return BROKEN;
    while (to > from && isBlank(bytes[to - 1])) to -= 1;
    // Nobody needs a trailer.
    if (this.#state === TRAILER) return next;
    if (this.headers !== null) {
      keep(this.headers, textOf(bytes, at, nameEnd), textOf(bytes, from, to));
    }
    return this.#takeField(fieldOf(bytes, at, nameEnd), bytes, from, to) ? next : BROKEN;
  }

  /** False when the field breaks the answer. */
  #takeField(field: string, bytes: Buffer, from: number, to: number): boolean {
    switch (field) {
      case 'content-length':
        if (this.contentLength >= 0) return this.#isBroken('ERR_ANSWER_LENGTH');
        this.contentLength = decimalOf(bytes, from, to);
        if (this.contentLength < 0) return this.#isBroken('ERR_ANSWER_LENGTH');
        break;
      case 'transfer-encoding':
        // With a blank behind it others take it for another coding, and the chunks for the body.
        if (this.#isChunked || !isText(bytes, from, to, 'chunked') || bytes[to] !== CR) {
          return this.#isBroken('ERR_ANSWER_LENGTH');
        }
        this.#isChunked = true;
        break;
      case 'content-encoding':
        // One that comes twice is no coding that anybody knows.
        this.contentCoding = (this.#hasCoding ? ', ' : '') + textOf(bytes, from, to);
        this.#hasCoding = true;
        break;
      case 'connection':
        if (isText(bytes, from, to, 'keep-alive')) break;
        if (CLOSE.test(textOf(bytes, from, to))) this.isPersistent = false;
        break;
      case 'keep-alive': {
        const seconds = TIMEOUT.exec(textOf(bytes, from, to))?.[1];
        if (seconds !== undefined) this.keepAliveS = Number(seconds);
        break;
      }
    }
    return true;
  }

  /** False when that breaks the answer, or nobody wants the rest of it. */
  #endHead(): boolean {
    const { status, contentLength } = this;
    if (status < 200) return this.#endInterim();
    if (this.#isChunked && (contentLength >= 0 || this.#isOldVersion)) {
      return this.#isBroken('ERR_ANSWER_LENGTH');
    }
    if (this.#isOldVersion) this.isPersistent = false;
    if (status === 204 || status === 304) {
      // It has no body; a bidder that announces one may send it all the same.
      if (this.#isChunked || contentLength > 0) this.isPersistent = false;
      this.#state = COMPLETE;
    } else if (this.#isChunked) this.#state = CHUNK_SIZE;
    else if (contentLength === 0) this.#state = COMPLETE;
    // One that ends with the connection could be half of what was meant.
    else if (contentLength < 0) return this.#isBroken('ERR_ANSWER_LENGTH');
    else {
      this.#state = BODY;
      this.#left = contentLength;
    }
    return this.#sink.onHead();
  }

  #endInterim(): boolean {
    this.#interims += 1;
    const isBroken =
      this.status === 101 ||
      this.#interims > INTERIM_MAX ||
      this.#isChunked ||
      this.contentLength >= 0;
    if (isBroken) return this.#isBroken('ERR_ANSWER_INTERIM');
    this.#state = STATUS_LINE;
    if (this.headers !== null) this.headers = noHeaders();
    this.#resetFields();
    return true;
  }

  #readChunkSize(bytes: Buffer, at: number, end: number): number {
    let size = 0;
    let last = at;
    for (; last < end; last += 1) {
      const digit = HEX[bytes[last] ?? 0] ?? 0;
      if (digit === 0) break;
      size = size * 16 + digit - 1;
    }
    if (last - at > CHUNK_DIGITS_MAX) return this.#break('ERR_ANSWER_CHUNK');
    if (last === end) return NO_END;
    const digitsEnd = last;
    if (digitsEnd === at) return this.#break('ERR_ANSWER_CHUNK');
    if (bytes[last] === SEMICOLON) while (last < end && VALUE[bytes[last] ?? 0] === 1) last += 1;
    const next = this.#lineEnd(bytes, last, end, 'ERR_ANSWER_CHUNK');
    if (next < 0) return next;
    if (!this.#count(last - digitsEnd)) return BROKEN;
    this.#left = size;
    this.#state = size === 0 ? TRAILER : CHUNK;
    return next;
  }

  /** Where the next line begins, if this one ends here. */
  #lineEnd(bytes: Buffer, at: number, end: number, fault: AnswerFault): number {
    if (at < end && bytes[at] !== CR) return this.#break(fault);
    if (at + 1 >= end) return NO_END;
    return bytes[at + 1] === LF ? at + 2 : this.#break(fault);
  }

  /** Keeps the beginning of a line until its end comes. */
  #hold(bytes: Buffer, length: number): void {
    if (this.#state === STATUS_LINE) {
      for (let index = 0; index < Math.min(length, VERSION.length); index += 1) {
        if (bytes[index] !== VERSION[index]) this.#fault = 'ERR_ANSWER_STATUS_LINE';
      }
    }
    if (this.#headBytes + length > HEAD_BYTES_MAX) this.#fault = 'ERR_ANSWER_HEAD_SIZE';
    if (this.#held === null) this.#held = Buffer.from(bytes.subarray(0, length));
    else this.#held = bytes;
    this.#heldBytes = length;
  }

  #count(bytes: number): boolean {
    this.#headBytes += bytes;
    return this.#headBytes <= HEAD_BYTES_MAX || this.#isBroken('ERR_ANSWER_HEAD_SIZE');
  }

  #break(fault: AnswerFault): number {
    this.#fault = fault;
    return BROKEN;
  }

  #isBroken(fault: AnswerFault): false {
    this.#fault = fault;
    return false;
  }

  #resetFields(): void {
    this.contentCoding = '';
    this.contentLength = -1;
    this.isPersistent = true;
    this.keepAliveS = -1;
    this.#isChunked = false;
    this.#hasCoding = false;
  }
}

/** Without what objects inherit: a header may be called `constructor`. */
export function noHeaders(): Record<string, string | string[]> {
  return Object.create(null);
}

function keep(headers: Record<string, string | string[]>, name: string, value: string): void {
  const key = name.toLowerCase();
  const before = headers[key];
  if (before === undefined) headers[key] = value;
  else headers[key] = typeof before === 'string' ? [before, value] : [...before, value];
}

/** Which of the headers that matter a name is; empty for another. */
function fieldOf(bytes: Buffer, from: number, to: number): string {
  for (const field of FIELDS) if (isText(bytes, from, to, field)) return field;
  return '';
}

function textOf(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to);
}
