/**
 * The part of an IAB TCF consent string that an exchange acts on, read in place: the bits stay
 * packed, and a vendor is looked up when it is asked about. Source: IAB Tech Lab, "Consent string
 * and vendor list formats v2", core string. Decoders that unpack every vendor into a set take time
 * in proportion to the ids that a range covers, so that a kilobyte of text stops a process for
 * half a second; here the work is bounded by the length of the text.
 */

import { type Bits, bitsOf, isSet, readBits } from './bits.ts';

/** A consent string that could be read. Its fields are for the functions of this file. */
export interface ConsentString {
  readonly bits: Bits;
  readonly vendorConsents: VendorSection;
  readonly vendorLegitimateInterests: VendorSection;
  readonly restrictions: readonly PublisherRestriction[];
  /** The vendors that the user was told of; null where an older string leaves them out. */
  readonly disclosed: DisclosedVendors | null;
}

interface DisclosedVendors {
  readonly bits: Bits;
  readonly vendors: VendorSection;
}

/**
 * Purposes that decide something here: 1 store and access information on a device, 2 select basic
 * advertising.
 */
export type Purpose = 1 | 2;

/** Vendor ids as one bit each from `start` on, or as `entryCount` ranges from there. */
interface VendorSection {
  readonly vendorIdMax: number;
  readonly start: number;
  /** Number of ranges; -1 when the section has one bit for each vendor. */
  readonly entryCount: number;
  /** Position of the bit after the section. */
  readonly end: number;
}

interface PublisherRestriction {
  readonly purpose: number;
  /** 0 not allowed, 1 consent required, 2 legitimate interest required. */
  readonly type: number;
  readonly start: number;
  readonly entryCount: number;
}

/** Characters of a consent string: real ones have some hundred, rarely more than two thousand. */
export const CONSENT_LENGTH_MAX = 8_192;

/** Bit positions of the core string's fixed part. Purposes and features count from 1. */
const CREATED = 6;
const SPECIAL_FEATURES = 140;
const PURPOSE_CONSENTS = 152;
const PURPOSE_LEGITIMATE_INTERESTS = 176;
const VENDOR_CONSENTS = 213;

const VERSION = 2;
const VENDOR_ID_BITS = 16;
const ENTRY_COUNT_BITS = 12;
const BIT_FIELD = -1;

/** Of the segments after the core. */
const SEGMENT_TYPE_BITS = 3;
const DISCLOSED_VENDORS = 1;
const SEGMENTS_MAX = 8;
/** TCF 2.3: from here on each string says which vendors the user was told of. */
const DISCLOSED_FROM_MS = Date.UTC(2026, 2, 1);
const MS_PER_DECISECOND = 100;

const NOT_ALLOWED = 0;
const CONSENT_REQUIRED = 1;
const LEGITIMATE_INTEREST_REQUIRED = 2;

/**
 * Reads a TCF v2 string; null when it is of another version, damaged, cut off or too long, or when it
 * was made since March 2026 and does not say which vendors were disclosed. Of the segments after the
 * core, only that one decides something for an exchange.
 */
export function readConsentString(text: string): ConsentString | null {
  if (text.length > CONSENT_LENGTH_MAX) return null;
  const [core = '', ...segments] = text.split('.', SEGMENTS_MAX + 2);
  if (segments.length > SEGMENTS_MAX) return null;
  const bits = bitsOf(core);
  if (bits === null || bits.count < VENDOR_CONSENTS || readBits(bits, 0, 6) !== VERSION)
    return null;
  const vendorConsents = readVendorSection(bits, VENDOR_CONSENTS);
  if (vendorConsents === null) return null;
  const vendorLegitimateInterests = readVendorSection(bits, vendorConsents.end);
  if (vendorLegitimateInterests === null) return null;
  const restrictions = readRestrictions(bits, vendorLegitimateInterests.end);
  if (restrictions === null) return null;
  const disclosed = readDisclosed(segments);
  if (disclosed === 'unreadable') return null;
  if (disclosed === null && createdMs(bits) >= DISCLOSED_FROM_MS) return null;
  return { bits, vendorConsents, vendorLegitimateInterests, restrictions, disclosed };
}

/** The segment of disclosed vendors; null if the string has no such segment. */
function readDisclosed(segments: readonly string[]): DisclosedVendors | 'unreadable' | null {
  for (const segment of segments) {
    if (segment === '') continue;
    const bits = bitsOf(segment);
    if (bits === null) return 'unreadable';
    if (readBits(bits, 0, SEGMENT_TYPE_BITS) !== DISCLOSED_VENDORS) continue;
    const vendors = readVendorSection(bits, SEGMENT_TYPE_BITS);
    return vendors === null ? 'unreadable' : { bits, vendors };
  }
  return null;
}

/** When the string was made. Its 36 bits are a number of tenths of a second since 1970. */
function createdMs(bits: Bits): number {
  const [high, middle, low] = [0, 12, 24].map((at) => readBits(bits, CREATED + at, 12));
  return (((high ?? 0) * 4_096 + (middle ?? 0)) * 4_096 + (low ?? 0)) * MS_PER_DECISECOND;
}

/**
 * Whether a vendor may process for a purpose. Purpose 1 rests on consent alone; purpose 2 on
 * consent or, where the user has not objected, on legitimate interest. In each case the string must
 * say so for the purpose and for the vendor, the publisher must not have ruled it out, and the user must
 * have been told of the vendor.
 */
export function allowsPurpose(consent: ConsentString, purpose: Purpose, vendorId: number): boolean {
  if (!isDisclosed(consent, vendorId)) return false;
  const restriction = restrictionOf(consent, purpose, vendorId);
  if (restriction === NOT_ALLOWED) return false;
  const byConsent =
    restriction !== LEGITIMATE_INTEREST_REQUIRED &&
    isSet(consent.bits, PURPOSE_CONSENTS + purpose - 1) &&
    hasVendor(consent.bits, consent.vendorConsents, vendorId);
  if (byConsent) return true;
  return (
    purpose !== 1 &&
    restriction !== CONSENT_REQUIRED &&
    isSet(consent.bits, PURPOSE_LEGITIMATE_INTERESTS + purpose - 1) &&
    hasVendor(consent.bits, consent.vendorLegitimateInterests, vendorId)
  );
}

/** Whether the user was told of the vendor; true where the string does not say of whom it was. */
export function isDisclosed({ disclosed }: ConsentString, vendorId: number): boolean {
  return disclosed === null || hasVendor(disclosed.bits, disclosed.vendors, vendorId);
}

/** Whether the user opted in to special feature 1, the use of precise geolocation. */
export function allowsPreciseLocation(consent: ConsentString): boolean {
  return isSet(consent.bits, SPECIAL_FEATURES);
}

/** The publisher's restriction of a vendor for a purpose, the strictest if several; else null. */
function restrictionOf(consent: ConsentString, purpose: Purpose, vendorId: number): number | null {
  let strictest: number | null = null;
  for (const restriction of consent.restrictions) {
    if (restriction.purpose !== purpose) continue;
    if (strictest !== null && strictest <= restriction.type) continue;
    if (isInEntries(consent.bits, restriction.start, restriction.entryCount, vendorId)) {
      strictest = restriction.type;
    }
  }
  return strictest;
}

function hasVendor(bits: Bits, section: VendorSection, vendorId: number): boolean {
  if (vendorId < 1 || vendorId > section.vendorIdMax) return false;
  if (section.entryCount === BIT_FIELD) return isSet(bits, section.start + vendorId - 1);
  return isInEntries(bits, section.start, section.entryCount, vendorId);
}

/** Whether one of the ranges, which have been checked when they were read, holds the vendor. */
function isInEntries(bits: Bits, start: number, count: number, vendorId: number): boolean {
  let at = start;
  for (let entry = 0; entry < count; entry += 1) {
    const isRange = isSet(bits, at);
    const first = readBits(bits, at + 1, VENDOR_ID_BITS);
    at += 1 + VENDOR_ID_BITS;
    const last = isRange ? readBits(bits, at, VENDOR_ID_BITS) : first;
    if (isRange) at += VENDOR_ID_BITS;
    if (vendorId >= first && vendorId <= last) return true;
  }
  return false;
}

function readVendorSection(bits: Bits, at: number): VendorSection | null {
  const header = at + VENDOR_ID_BITS + 1;
  if (header > bits.count) return null;
  const vendorIdMax = readBits(bits, at, VENDOR_ID_BITS);
  if (!isSet(bits, header - 1)) {
    const end = header + vendorIdMax;
    return end > bits.count ? null : { vendorIdMax, start: header, entryCount: BIT_FIELD, end };
  }
  const start = header + ENTRY_COUNT_BITS;
  if (start > bits.count) return null;
  const entryCount = readBits(bits, header, ENTRY_COUNT_BITS);
  const end = endOfEntries(bits, start, entryCount);
  return end === null ? null : { vendorIdMax, start, entryCount, end };
}

function readRestrictions(bits: Bits, from: number): PublisherRestriction[] | null {
  let at = from + ENTRY_COUNT_BITS;
  if (at > bits.count) return null;
  const restrictions: PublisherRestriction[] = [];
  const count = readBits(bits, from, ENTRY_COUNT_BITS);
  for (let read = 0; read < count; read += 1) {
    const start = at + 6 + 2 + ENTRY_COUNT_BITS;
    if (start > bits.count) return null;
    const purpose = readBits(bits, at, 6);
    const type = readBits(bits, at + 6, 2);
    const entryCount = readBits(bits, at + 8, ENTRY_COUNT_BITS);
    const end = endOfEntries(bits, start, entryCount);
    if (end === null) return null;
    restrictions.push({ purpose, type, start, entryCount });
    at = end;
  }
  return restrictions;
}

/** The position after the ranges; null when they leave the string or one runs backwards. */
function endOfEntries(bits: Bits, start: number, entryCount: number): number | null {
  let at = start;
  for (let entry = 0; entry < entryCount; entry += 1) {
    if (at + 1 + VENDOR_ID_BITS > bits.count) return null;
    const isRange = isSet(bits, at);
    const first = readBits(bits, at + 1, VENDOR_ID_BITS);
    at += 1 + VENDOR_ID_BITS;
    if (!isRange) continue;
    if (at + VENDOR_ID_BITS > bits.count || readBits(bits, at, VENDOR_ID_BITS) < first) return null;
    at += VENDOR_ID_BITS;
  }
  return at;
}
