import type { BidderCall } from '../ports/bidder-client.ts';
import { headersFor, type Encoding } from './http-bidders.ts';

/**
 * Bid requests as they are written: each in one piece, and one byte for each character. Measured on two
 * kilobytes: 4.1 µs a request, 4.7 µs with head and body as two texts gathered by the socket, and 5.1 µs or
 * more as UTF-8.
 */

/** What a name and a value may be made of, so that nothing ends a header early (RFC 9110 section 5). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What UTF-8 would take more than one byte for. */
const NOT_ASCII = /[\u0080-\uffff]/g;

/** The heads of an endpoint's requests up to the length of the body; null where a header breaks them. */
type Heads = Readonly<Record<BidderCall['openrtbVersion'], Readonly<Record<Encoding, string>>>>;

const NO_HEADERS = {};

/** The heads of requests, each made once. */
export class RequestHeads {
  /** By the bidder's own headers, which are one object for as long as its settings stay, and its endpoint. */
  readonly #heads = new WeakMap<object, WeakMap<URL, Heads | null>>();

  /** Null where a header of the bidder's would end the head early. */
  of(url: URL, { headers, openrtbVersion }: BidderCall, encoding: Encoding): string | null {
    const own = headers ?? NO_HEADERS;
    let heads = this.#heads.get(own);
    if (heads === undefined) {
      heads = new WeakMap();
      this.#heads.set(own, heads);
    }
    let made = heads.get(url);
    if (made === undefined) {
      made = makeHeads(url, own);
      heads.set(url, made);
    }
    return made === null ? null : made[openrtbVersion][encoding];
  }
}

/** JSON in ASCII alone, behind its head. */
export function plainRequest(head: string, json: string): string {
  // Looked at as a whole: the pieces that a bid request is composed of are joined in memory only once.
  const request = `${head}${json.length}\r\n\r\n${json}`;
  if (Buffer.byteLength(request) === request.length) return request;
  const body = json.replaceAll(NOT_ASCII, escape);
  return `${head}${body.length}\r\n\r\n${body}`;
}

export function deflatedRequest(head: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${head}${body.length}\r\n\r\n`, 'latin1'), body]);
}

function makeHeads(url: URL, own: Readonly<Record<string, string>>): Heads | null {
  for (const [name, value] of Object.entries(own)) {
    if (!NAME.test(name) || !VALUE.test(value)) return null;
  }
  const headers = headersFor(own);
  const of = (version: BidderCall['openrtbVersion']): Record<Encoding, string> => ({
    plain: makeHead(url, headers[version].plain),
    small: makeHead(url, headers[version].small),
    deflated: makeHead(url, headers[version].deflated),
  });
  return { '2.6': of('2.6'), '2.5': of('2.5'), '2.2': of('2.2') };
}

function makeHead(url: URL, headers: readonly string[]): string {
  let head = `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${head}content-length: `;
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
