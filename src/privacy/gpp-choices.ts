import { isUsPrivacy } from '../openrtb/us-privacy.ts';
import { readGppString } from './gpp-string.ts';
import { isUsSection, readUsSection, type UsChoices } from './us-section.ts';

/** What the sections of a GPP string that apply to a request decide together. */
export interface GppChoices extends UsChoices {
  /** The section of the EU applies, and with it GDPR. */
  readonly euApplies: boolean;
  /** The consent string of that section; null when there is none. */
  readonly euConsent: string | null;
}

const EU = 2;
const US_PRIVACY = 6;
/** A former section of the EU, the header itself, and signal integrity: none says what a user chose. */
const WITHOUT_CHOICE: ReadonlySet<number> = new Set([1, 3, 4]);

/** Where a US privacy string says it. */
const US_OPT_OUT_AT = 2;

const NOTHING_SAID: GppChoices = Object.freeze({
  optedOut: false,
  sensitiveDataRefused: false,
  isKnownChild: false,
  euApplies: false,
  euConsent: null,
});

/**
 * Reads the sections that apply: those of `gpp_sid`, or without it all that the string has. One that
 * applies and cannot be read is an opt-out, also where it is of a law that is not known here. An id
 * below 1 says that no section applies.
 *
 * @param gpp the string as sent; null when there is none.
 */
export function readGppChoices(gpp: string | null, gppSid: readonly number[] | null): GppChoices {
  if (gpp === null && gppSid === null) return NOTHING_SAID;
  const sections = gpp === null ? null : readGppString(gpp);
  const ids = gppSid ?? sections?.keys() ?? null;
  if (ids === null) return { ...NOTHING_SAID, optedOut: true };
  const applying = [...ids].filter((id) => id >= 1 && !WITHOUT_CHOICE.has(id));
  const read = applying.filter((id) => id !== EU).map((id) => readUs(id, sections?.get(id)));
  return {
    optedOut: read.some((section) => section === null || section.optedOut),
    sensitiveDataRefused: read.some((section) => section?.sensitiveDataRefused === true),
    isKnownChild: read.some((section) => section?.isKnownChild === true),
    euApplies: applying.includes(EU),
    euConsent: (applying.includes(EU) ? sections?.get(EU) : undefined) ?? null,
  };
}

/** Whether a US privacy string says that the user opted out of the sale of personal data: `1?Y?`. */
export function isUsPrivacyOptOut(usPrivacy: string): boolean {
  return usPrivacy.charAt(US_OPT_OUT_AT).toUpperCase() === 'Y';
}

/** Null for a section that is not there, not known, or cannot be read. */
function readUs(id: number, text: string | undefined): UsChoices | null {
  if (text === undefined) return null;
  if (isUsSection(id)) return readUsSection(id, text);
  if (id !== US_PRIVACY || !isUsPrivacy(text)) return null;
  return { ...NOTHING_SAID, optedOut: isUsPrivacyOptOut(text) };
}
