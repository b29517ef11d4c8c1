import { isUsPrivacy, isUsPrivacyOptOut } from '../openrtb/us-privacy.ts';
import { readGppString } from './gpp-string.ts';
import { isUsSection, readUsSection, type UsChoices } from './us-section.ts';

/** What the sections of a GPP string that apply to a request decide together. */
export interface GppChoices extends UsChoices {
  /** The section of the EU applies, and with it GDPR. */
  readonly euApplies: boolean;
  /** The consent string of that section, empty when it cannot be had; null when no GPP string was sent. */
  readonly euConsent: string | null;
}

/** What `gpp_sid` has where it is known that no section applies, and where it is not known yet. */
const NONE_APPLIES = -1;
const NOT_KNOWN_YET = 0;
/** TCF 1, which nobody reads any more: it says that the law of the EU applies. */
const FORMER_EU = 1;
const EU = 2;
const US_PRIVACY = 6;
/** The header itself, and signal integrity: neither says what a user chose. */
const WITHOUT_CHOICE: ReadonlySet<number> = new Set([NONE_APPLIES, NOT_KNOWN_YET, 3, 4]);

const NOTHING_SAID: GppChoices = Object.freeze({
  optedOut: false,
  sensitiveDataRefused: false,
  isKnownChild: false,
  euApplies: false,
  euConsent: null,
});

/** The ids of `gpp_sid`; null when it says nothing. */
export type GppSections = readonly number[] | 'unreadable' | null;

/**
 * Reads the sections that apply: those of `gpp_sid`, or all that the string has where that says nothing,
 * is not known yet, or cannot be read. A section that applies and cannot be read is an opt-out, also where
 * it is of a law that is not known here.
 *
 * @param gpp the string as sent; null if the request has none.
 */
export function readGppChoices(gpp: string | null, gppSid: GppSections): GppChoices {
  if (gpp === null && gppSid === null) return NOTHING_SAID;
  const sections = gpp === null ? null : readGppString(gpp);
  const isListed = Array.isArray(gppSid) && !gppSid.includes(NOT_KNOWN_YET);
  const ids = isListed ? gppSid : [...(sections?.keys() ?? [])];
  const isUnreadable = gppSid === 'unreadable' || (!isListed && gpp !== null && sections === null);
  const applying = ids.filter((id) => !WITHOUT_CHOICE.has(id));
  const ofEu = applying.includes(EU);
  const read = applying
    .filter((id) => id !== EU && id !== FORMER_EU)
    .map((id) => readUs(id, sections?.get(id)));
  return {
    optedOut: isUnreadable || read.some((section) => section === null || section.optedOut),
    sensitiveDataRefused: read.some((section) => section?.sensitiveDataRefused === true),
    isKnownChild: read.some((section) => section?.isKnownChild === true),
    euApplies: ofEu || applying.includes(FORMER_EU),
    euConsent: ofEu && gpp !== null ? (sections?.get(EU) ?? '') : null,
  };
}

/** Null for a section that is not there, not known, or cannot be read. */
function readUs(id: number, text: string | undefined): UsChoices | null {
  if (text === undefined) return null;
  if (isUsSection(id)) return readUsSection(id, text);
  if (id !== US_PRIVACY || !isUsPrivacy(text)) return null;
  return { ...NOTHING_SAID, optedOut: isUsPrivacyOptOut(text) };
}
