import type { BeaconKind, WonImp } from '../events/beacon-record.ts';
import type { Beacon } from './beacon.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

/**
 * The content of a token as bytes. JSON would be three times as long, and it has to stand in an
 * address up to four times for each win. A change of the form is a new version of the token.
 */

const FORMATS = ['banner', 'video', 'native'] as const;
const HOME_BYTES = 8;
const AUCTION_ID_BYTES = 16;

/** Room for the numbers and lengths; texts come on top, at three bytes for each UTF-16 unit. */
const FIXED_BYTES_MAX = 160;
const LENGTHS_BYTES_MAX = 16;
const UTF8_BYTES_PER_UNIT_MAX = 3;

const FLAG_TEST = 1;
const FLAG_FD = 2;
const FLAG_INTERSTITIAL = 4;
const FLAG_REWARDED = 8;
/** The two bits above the flags. */
const FORMAT_SHIFT = 4;

/**
 * The part that all tokens of a won impression have in common.
 *
 * @throws TypeError or RangeError when a field is not what `WonImpSchema` says
 */
export function encodeWin({ home, imp }: Pick<Beacon, 'home' | 'imp'>): Buffer {
  const texts = textsOf(imp);
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  const writer = new ByteWriter(FIXED_BYTES_MAX + units * UTF8_BYTES_PER_UNIT_MAX);
  writer.hex(home, HOME_BYTES);
  writer.hex(imp.auction_id, AUCTION_ID_BYTES);
  writer.varint(imp.imp);
  writer.uint48(imp.expires_ms);
  writer.byte(flagsOf(imp));
  for (const number of numbersOf(imp)) writer.varint(number);
  for (const text of texts) writer.text(text);
  return writer.written;
}

/** The payload of one token: the common part, and the addresses of its kind. */
export function encodePayload(win: Buffer, url: string, winUrl: string): Buffer {
  const units = url.length + winUrl.length;
  const writer = new ByteWriter(win.length + LENGTHS_BYTES_MAX + units * UTF8_BYTES_PER_UNIT_MAX);
  writer.bytes(win);
  writer.text(url);
  writer.text(winUrl);
  return writer.written;
}

/** @throws RangeError when the bytes are no payload */
export function decodePayload(kind: BeaconKind, payload: Buffer): Beacon {
  const reader = new ByteReader(payload);
  const home = reader.hex(HOME_BYTES);
  const auctionId = reader.hex(AUCTION_ID_BYTES);
  const index = reader.varint();
  const expiresMs = reader.uint48();
  const flags = reader.byte();
  const format = FORMATS[flags >> FORMAT_SHIFT];
  if (format === undefined) throw new RangeError('no such format');
  // The order of the properties is that of `numbersOf` and `textsOf`: they are read as they stand.
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
  const url = reader.text();
  const winUrl = reader.text();
  reader.end();
  return { kind, home, url, winUrl, imp };
}

function numbersOf(imp: WonImp): readonly number[] {
  return [
    imp.publisher_id,
    imp.property_id,
    imp.zone_id,
    imp.demand_partner_id,
    imp.lineitem_id,
    imp.clearing_micros,
    imp.payout_micros,
  ];
}

function textsOf(imp: WonImp): readonly string[] {
  return [
    imp.dealid,
    imp.app_bundle,
    imp.app_site_domain,
    imp.country_code,
    imp.platform_demand,
    imp.platform_supply,
    imp.os,
  ];
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
