import type { AuctionTrace } from '../events/trace-record.ts';
import type { Redaction } from '../privacy/redaction.ts';
import type { CallResult } from './call.ts';

/** Which messages are kept: all, the beginnings of those that could not be read, or none. */
export type KeptMessages = 'all' | 'unread' | 'none';

/** Characters of one message that is kept, and of all messages of an auction. */
const MESSAGE_LENGTH_MAX = 16 * 1024;
const MESSAGES_LENGTH_MAX = 256 * 1024;
/** Of an answer that could not be read. */
const UNREAD_LENGTH_MAX = 2 * 1024;
/** Stands at the end of a message that was cut. */
const CUT = '…';

/** The messages that an auction exchanged, as far as they are kept. */
export class Messages {
  readonly #redaction: () => Redaction;
  readonly #kept: KeptMessages;
  #lengthLeft = MESSAGES_LENGTH_MAX;

  constructor(redaction: () => Redaction, kept: KeptMessages) {
    this.#redaction = redaction;
    this.#kept = kept;
  }

  of({
    sent,
    response,
    reason,
  }: CallResult): Pick<AuctionTrace['calls'][number], 'request' | 'response'> {
    if (sent !== null && this.#kept === 'all') {
      return {
        request: this.#take(this.#withoutPerson(sent.body), MESSAGE_LENGTH_MAX),
        response: this.#take(unescaped(response, MESSAGE_LENGTH_MAX), MESSAGE_LENGTH_MAX),
      };
    }
    if (reason !== 'malformed' || this.#kept === 'none') return NOTHING;
    return {
      request: '',
      response: this.#take(unescaped(response, UNREAD_LENGTH_MAX), UNREAD_LENGTH_MAX),
    };
  }

  /** A bid request as it went out, but for the person. */
  #withoutPerson(body: string): string {
    const request: object = JSON.parse(body);
    const device = 'device' in request ? { device: this.#redaction().device(request.device) } : {};
    const user = 'user' in request ? { user: this.#redaction().user(request.user) } : {};
    return JSON.stringify({ ...request, ...device, ...user });
  }

  #take(text: string, lengthMax: number): string {
    const clean = this.#redaction().text(text, lengthMax);
    const message = text.length > lengthMax ? `${clean}${CUT}` : clean;
    if (message.length > this.#lengthLeft) return '';
    this.#lengthLeft -= message.length;
    return message;
  }
}

/** More than the characters of the longest escape. */
const ESCAPE_LENGTH_MAX = 8;
const ESCAPE = /\\(?:\/|u([0-9a-f]{4}))/gi;

/**
 * JSON in which every character that may stand for itself does so: many a writer escapes slashes and
 * what is not ASCII, and an id would not be recognised. No more of it than may be kept.
 */
function unescaped(text: string, lengthMax: number): string {
  const json = text.slice(0, ESCAPE_LENGTH_MAX * lengthMax);
  if (!json.includes('\\/') && !json.includes('\\u')) return json;
  return json.replaceAll(ESCAPE, (escape: string, hex: string | undefined) => {
    const character = hex === undefined ? '/' : String.fromCharCode(Number.parseInt(hex, 16));
    return character < ' ' || character === '"' || character === '\\' ? escape : character;
  });
}

const NOTHING = { request: '', response: '' } as const;
