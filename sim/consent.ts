/** What a user has agreed to, as far as an exchange asks. */
export interface Consent {
  /** IAB TCF purposes, 1 to 24. */
  readonly purposes: readonly number[];
  /** Special features, 1 to 12; 1 is precise location. */
  readonly specialFeatures: readonly number[];
  /** Every vendor of the global list up to this id has consent; 0 means none. */
  readonly vendorIdMax: number;
}

/**
 * A TCF v2 consent string (IAB Transparency and Consent String format, version 2), as a consent platform
 * would store it: the core string and, as of TCF 2.3, the segment of disclosed vendors, which are those
 * that have consent.
 */
export function consentString({ purposes, specialFeatures, vendorIdMax }: Consent): string {
  const core = [
    integer(2, 6), // version
    integer(CREATED_DECISECONDS, 36),
    integer(CREATED_DECISECONDS, 36), // last updated
    integer(300, 12), // consent platform
    integer(1, 12), // its version
    integer(1, 6), // its screen
    letters('EN'), // language of its text
    integer(VENDOR_LIST_VERSION, 12),
    integer(4, 6), // policy version
    '1', // for this service alone
    '0', // standard texts
    flags(specialFeatures, 12),
    flags(purposes, 24),
    flags([], 24), // legitimate interests
    '0', // purpose 1 was asked for
    letters('DE'), // the publisher's country
    vendorsUpTo(vendorIdMax),
    integer(0, 16), // vendors with legitimate interest: none
    '0',
    integer(0, 12), // no restrictions by the publisher
  ].join('');
  const disclosed = integer(1, 3) + vendorsUpTo(vendorIdMax);
  return `${base64url(core)}.${base64url(disclosed)}`;
}

/** All vendors from 1 on are a single range; without any, a bit field of no bits. */
function vendorsUpTo(idMax: number): string {
  const range = `1${integer(1, 12)}1${integer(1, 16)}${integer(idMax, 16)}`;
  return integer(idMax, 16) + (idMax === 0 ? '0' : range);
}

function base64url(bits: string): string {
  const bytes = bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  return Buffer.from(bytes ?? []).toString('base64url');
}

/** 1 March 2026 in tenths of a second. Fixed, so that equal seeds give equal strings. */
const CREATED_DECISECONDS = Date.UTC(2026, 2, 1) / 100;
const VENDOR_LIST_VERSION = 145;

function integer(value: number, bits: number): string {
  return value.toString(2).padStart(bits, '0');
}

function letters(text: string): string {
  return Array.from(text, (letter) => integer(letter.charCodeAt(0) - 65, 6)).join('');
}

function flags(set: readonly number[], bits: number): string {
  return Array.from({ length: bits }, (_, index) => (set.includes(index + 1) ? '1' : '0')).join('');
}
