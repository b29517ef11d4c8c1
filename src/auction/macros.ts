import { dollarsFromMicros } from '../base/money.ts';
import type { LossReason } from '../openrtb/loss-reason.ts';

/** What one bid's macros stand for; null is a value that is missing or withheld. */
export interface MacroValues {
  /** `BidRequest.id` as this bidder got it. */
  readonly auctionId: string;
  /** `BidResponse.bidid`. */
  readonly bidId: string | null;
  /** `imp.id` as this bidder got it. */
  readonly impId: string;
  /** `seatbid.seat`. */
  readonly seatId: string | null;
  /** `bid.adid`. */
  readonly adId: string | null;
  /** The clearing price in micro-dollars CPM. */
  readonly priceMicros: number | null;
  /** The bid itself in micro-dollars CPM: what the market bid ratio divides by. */
  readonly bidMicros: number | null;
  readonly lossReason: LossReason | null;
  /** The lowest bid that would have won, in micro-dollars CPM. */
  readonly minToWinMicros: number | null;
  /** The exchange's own click address, absolute; see `CLICK_URL_FORM`. */
  readonly clickUrl: string | null;
}

/** How much longer than its text markup can become, in characters; see `substituteMacros`. */
export const GROWTH_MAX = 1_048_576;
/** The same of a notice URL: far beyond any that is kept, and so still refused for its length. */
export const URL_GROWTH_MAX = 16_384;

/**
 * Replaces the macros of a text in one pass: nothing that was put in is looked at again. A missing
 * value leaves nothing behind; what is no macro of this exchange stays as it is.
 *
 * Values are safe wherever they land: what is not unreserved in RFC 3986 section 2.3 (letters,
 * digits, `-._~`) is percent-encoded as UTF-8, in markup too. That is what a tracking URL in markup
 * needs, and it leaves no character that ends an attribute, a string of a script, an XML element or
 * a JSON string. Numbers are made of safe characters and stay as they are. `:B64` is RFC 4648
 * section 5 (`-` and `_`, padded with `=`) over the value itself.
 *
 * Once the values have made a text longer by `GROWTH_MAX`, or `URL_GROWTH_MAX`, the macros that follow
 * are replaced by nothing: 256 KB of bid response could otherwise become gigabytes of markup, and
 * thirty URLs of it take 80 ms to write out.
 *
 * @param context `url` for a notice (`nurl`, `burl`, `lurl`): its own control characters go as well,
 * so that it cannot end a request line or header. `markup` stays untouched but for its macros.
 * @throws RangeError for a price that is no whole number of micros, and for an unsafe click address:
 * both are the exchange's own doing.
 * @see OpenRTB 2.5 section 4.4
 */
export function substituteMacros(
  text: string,
  values: MacroValues,
  context: 'url' | 'markup',
): string {
  const isUrl = context === 'url';
  const source =
    isUrl && CONTROL_CHARACTER.test(text) ? text.replaceAll(CONTROL_CHARACTERS, '') : text;
  let growthLeft = isUrl ? URL_GROWTH_MAX : GROWTH_MAX;
  let filled = '';
  let taken = 0;
  let end = -1;
  // By hand: a regular expression that calls back for each macro takes twice as long.
  for (let at = source.indexOf('${'); at >= 0; at = source.indexOf('${', at + 2)) {
    if (end < at) end = source.indexOf('}', at);
    if (end < 0) break;
    // Bounded, so that a text full of beginnings costs no more than its length.
    if (end - at > MACRO_LENGTH_MAX) continue;
    const substitute = MACROS.get(source.slice(at + 2, end));
    if (substitute === undefined) continue;
    const value = growthLeft < 0 ? '' : substitute(values);
    growthLeft -= value.length;
    filled += source.slice(taken, at);
    if (growthLeft >= 0) filled += value;
    taken = end + 1;
  }
  return taken === 0 ? source : filled + source.slice(taken);
}

const CONTROL_CHARACTER = /\p{Cc}/u;
const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** With its braces: longer than any name. */
const MACRO_LENGTH_MAX = 40;

type Substitute = (values: MacroValues) => string;

const AUCTION_MACROS: ReadonlyMap<string, Substitute> = new Map<string, Substitute>([
  ['AUCTION_ID', (values) => values.auctionId],
  ['AUCTION_BID_ID', (values) => values.bidId ?? ''],
  ['AUCTION_IMP_ID', (values) => values.impId],
  ['AUCTION_SEAT_ID', (values) => values.seatId ?? ''],
  ['AUCTION_AD_ID', (values) => values.adId ?? ''],
  ['AUCTION_PRICE', (values) => formatMicros(values.priceMicros)],
  ['AUCTION_CURRENCY', () => 'USD'],
  ['AUCTION_MBR', marketBidRatio],
  ['AUCTION_LOSS', (values) => values.lossReason?.toString() ?? ''],
  // OpenRTB 2.5 lacks this one; 2.6 calls it MIN_TO_WIN, and exchanges used the others before.
  ['AUCTION_MIN_TO_WIN', (values) => formatMicros(values.minToWinMicros)],
  ['AUCTION_MINIMUM_BID_TO_WIN', (values) => formatMicros(values.minToWinMicros)],
  ['MINIMUM_BID_TO_WIN', (values) => formatMicros(values.minToWinMicros)],
]);

/** Every macro by its name between the braces, as the text that takes its place. */
export const MACROS: ReadonlyMap<string, Substitute> = new Map([
  ...[...AUCTION_MACROS].flatMap(([name, read]): [string, Substitute][] => [
    [name, (values) => percentEncode(read(values))],
    [`${name}:B64`, (values) => base64(read(values))],
  ]),
  ['CLICK_URL', clickUrl],
  ['CLICK_URL_ENC', (values) => percentEncode(clickUrl(values))],
]);

/** Dollars as the shortest exact decimal: a double prints 15 digits without noise or exponent. */
function formatMicros(micros: number | null): string {
  if (micros === null) return '';
  if (!Number.isInteger(micros) || micros < 0 || micros >= 1e15) {
    throw new RangeError(`${micros} micros are no price: give a whole number from 0 to 10^15`);
  }
  return String(dollarsFromMicros(micros));
}

/** Clearing price by bid price, up to six decimals. Without a price to tell there is no ratio. */
function marketBidRatio({ priceMicros, bidMicros }: MacroValues): string {
  if (priceMicros === null || bidMicros === null || bidMicros === 0) return '';
  return String(Math.round((priceMicros / bidMicros) * 1e6) / 1e6);
}

/** It stands raw in HTML, scripts, XML and JSON: no character that means something there. */
const CLICK_URL_FORM = /^https?:\/\/[\w.~:/?=%[\]-]+$/;

function clickUrl(values: MacroValues): string {
  if (values.clickUrl === null) return '';
  if (!CLICK_URL_FORM.test(values.clickUrl)) {
    throw new RangeError(
      `click address ${values.clickUrl} does not match ${CLICK_URL_FORM.source}`,
    );
  }
  return values.clickUrl;
}

const UNRESERVED = /^[\w.~-]*$/;

function percentEncode(value: string): string {
  if (UNRESERVED.test(value)) return value;
  // A lone surrogate has no UTF-8; encodeURIComponent would throw and leaves five characters alone.
  return encodeURIComponent(value.toWellFormed()).replaceAll(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

const UTF8 = new TextEncoder();

function base64(value: string): string {
  return UTF8.encode(value).toBase64({ alphabet: 'base64url' });
}
