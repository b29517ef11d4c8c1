import type { WonImp } from '../events/beacon-record.ts';
import { BURL_BYTES_MAX, CLICK_URL_BYTES_MAX, NURL_BYTES_MAX, type SealedWin } from './beacon.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

/**
 * The content of a token as bytes. JSON would be three times as long, and it has to stand in an
 * address up to four times for each win. A change of the form is a new version of the token.
 */

const FORMATS = ['banner', 'video', 'native'] as const;
const HOME_BYTES = 8;
const AUCTION_ID_BYTES = 16;
const UTF8_BYTES_PER_UNIT_MAX = 3;

/** Room for the longest addresses, and for texts that together are about a thousand bytes long. */
export const PAYLOAD_BYTES_MAX = 6 * 1024;

const FLAG_TEST = 1;
const FLAG_FD = 2;
const FLAG_INTERSTITIAL = 4;
const FLAG_REWARDED = 8;
/** The two bits above the flags. */
const FORMAT_SHIFT = 4;

/** One for all payloads: a new one each time would be memory that somebody has to collect. */
const writer = new ByteWriter(PAYLOAD_BYTES_MAX);

/**
 * The payload of all tokens of a won impression; good until the next call.
 *
 * @throws TypeError or RangeError when a field is not what `WonImpSchema` says, or a text is too long
 */
export function encodePayload({ home, burl, nurl, clickUrl, imp }: SealedWin): Buffer {
  assertLength('a billing notice', burl, BURL_BYTES_MAX);
  assertLength('a win notice', nurl, NURL_BYTES_MAX);
  assertLength('a click target', clickUrl, CLICK_URL_BYTES_MAX);
  writer.restart();
  writer.hex(home, HOME_BYTES);
  writer.hex(imp.auction_id, AUCTION_ID_BYTES);
  writer.varint(imp.imp);
  writer.uint48(imp.expires_ms);
  writer.byte(flagsOf(imp));
  writer.varint(imp.publisher_id);
  writer.varint(imp.property_id);
  writer.varint(imp.zone_id);
  writer.varint(imp.demand_partner_id);
  writer.varint(imp.lineitem_id);
  writer.varint(imp.clearing_micros);
  writer.varint(imp.payout_micros);
  writer.text(imp.dealid);
  writer.text(imp.app_bundle);
  writer.text(imp.app_site_domain);
  writer.text(imp.country_code);
  writer.text(imp.platform_demand);
  writer.text(imp.platform_supply);
  writer.text(imp.os);
  writer.text(burl);
  writer.text(nurl);
  writer.text(clickUrl);
  return writer.written;
}

/** @throws RangeError when the bytes are no payload */
export function decodePayload(payload: Buffer): SealedWin {
  const reader = new ByteReader(payload);
  const home = reader.hex(HOME_BYTES);
  const auctionId = reader.hex(AUCTION_ID_BYTES);
  const index = reader.varint();
  const expiresMs = reader.uint48();
  const flags = reader.byte();
  const format = FORMATS[flags >> FORMAT_SHIFT];
  if (format === undefined) throw new RangeError('no such format');
  // The order of the properties is that of `encodePayload`: they are read as they stand.
  const imp: WonImp = {
    auction_id: auctionId,
    imp: index,
    expires_ms: expiresMs,
    test: flagIn(flags, FLAG_TEST),
    fd: flagIn(flags, FLAG_FD),
    ad_format: format,
    interstitial: flagIn(flags, FLAG_INTERSTITIAL),
    rewarded: flagIn(flags, FLAG_REWARDED),
    publisher_id: reader.varint(),
    property_id: reader.varint(),
    zone_id: reader.varint(),
    demand_partner_id: reader.varint(),
    lineitem_id: reader.varint(),
    clearing_micros: reader.varint(),
    payout_micros: reader.varint(),
    dealid: reader.text(),
    app_bundle: reader.text(),
    app_site_domain: reader.text(),
    country_code: reader.text(),
    platform_demand: reader.text(),
    platform_supply: reader.text(),
    os: reader.text(),
  };
  const burl = reader.text();
  const nurl = reader.text();
  const clickUrl = reader.text();
  reader.end();
  return { home, burl, nurl, clickUrl, imp };
}

function assertLength(what: string, text: string, bytesMax: number): void {
  // Counted only where it may be too long: most are a tenth of that.
  if (text.length * UTF8_BYTES_PER_UNIT_MAX <= bytesMax) return;
  if (Buffer.byteLength(text) > bytesMax) {
    throw new TypeError(`${what} has at most ${bytesMax} bytes`);
  }
}

function flagsOf(imp: WonImp): number {
  const flags =
    imp.test * FLAG_TEST +
    imp.fd * FLAG_FD +
    imp.interstitial * FLAG_INTERSTITIAL +
    imp.rewarded * FLAG_REWARDED;
  return flags + (FORMATS.indexOf(imp.ad_format) << FORMAT_SHIFT);
}

function flagIn(flags: number, bit: number): 0 | 1 {
  return (flags & bit) === 0 ? 0 : 1;
}
