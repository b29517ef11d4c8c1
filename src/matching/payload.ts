import { ByteReader } from '../beacons/byte-reader.ts';
import { ByteWriter } from '../beacons/byte-writer.ts';
import { lastTouchedS, type Match, type Matches } from './match.ts';

/**
 * What is sealed in a cookie: a version, the browser's own id, the second of the last page, and the
 * matches. A reader of another version takes the cookie for none, and the ids are matched again.
 */
const VERSION = 1;

/** Bytes of a browser's id, which the exchange draws when it first meets it. */
export const BROWSER_ID_BYTES = 8;

/** Bytes of a payload: in base64url, with its seal and its name, it stays below 4 KB. */
export const PAYLOAD_BYTES_MAX = 2_800;

/** What the longest match takes: its partner, its two texts with their lengths, and its times. */
const MATCH_BYTES_MAX = 600;

/** Matches that are read; fewer have room in fact. */
const MATCHES_MAX = 1_000;

/** What a cookie holds. */
export interface CookieContent {
  /** Hexadecimal. */
  readonly browser: string;
  /** When the browser last opened the page of pixels, Unix time in seconds; 0 for never. */
  readonly pageS: number;
  readonly matches: Matches;
}

const writer = new ByteWriter(PAYLOAD_BYTES_MAX + MATCH_BYTES_MAX);

/**
 * The bytes of a cookie's content; where there are more matches than room, those that were touched
 * the longest ago are left out. Good until the next call.
 */
export function encodeContent({ browser, pageS, matches }: CookieContent): Buffer {
  const newestFirst = [...matches].toSorted(([, a], [, b]) => lastTouchedS(b) - lastTouchedS(a));
  writer.restart();
  writer.byte(VERSION);
  writer.hex(browser, BROWSER_ID_BYTES);
  writer.varint(pageS);
  let whole = writer.written;
  for (const [partnerId, match] of newestFirst) {
    writeMatch(partnerId, match);
    if (writer.written.length > PAYLOAD_BYTES_MAX) break;
    whole = writer.written;
  }
  return whole;
}

/** Null for what this version cannot read. */
export function decodeContent(bytes: Buffer): CookieContent | null {
  try {
    return readContent(bytes);
  } catch {
    return null;
  }
}

function writeMatch(partnerId: number, match: Match): void {
  writer.varint(partnerId);
  writer.varint(match.uidSetS);
  writer.text(match.uid);
  writer.varint(match.customdataSetS);
  writer.text(match.customdata);
  writer.varint(match.offeredS);
}

/** @throws RangeError where the bytes are something else. */
function readContent(bytes: Buffer): CookieContent | null {
  const reader = new ByteReader(bytes);
  if (reader.byte() !== VERSION) return null;
  const browser = reader.hex(BROWSER_ID_BYTES);
  const pageS = reader.varint();
  const matches = new Map<number, Match>();
  while (reader.hasMore && matches.size < MATCHES_MAX) {
    const partnerId = reader.varint();
    const uidSetS = reader.varint();
    const uid = reader.text();
    const customdataSetS = reader.varint();
    const customdata = reader.text();
    matches.set(partnerId, { uid, uidSetS, customdata, customdataSetS, offeredS: reader.varint() });
  }
  reader.end();
  return { browser, pageS, matches };
}
