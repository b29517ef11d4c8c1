import { ownField } from '../base/fields.ts';
import { isUsPrivacy, isUsPrivacyOptOut } from '../openrtb/us-privacy.ts';
import { type ConsentString, readConsentString } from './consent-string.ts';
import { type GppSections, readGppChoices } from './gpp-choices.ts';
import { GPP_LENGTH_MAX, GPP_SECTIONS_MAX } from './gpp-string.ts';

/** What a request says about the user's rights, from wherever in the request it was said. */
export interface Signals {
  /** Subject to the US children's privacy regulation; null, as below, when it is not said. */
  readonly coppa: 0 | 1 | null;
  /** Tracking must be limited, as the platform says. */
  readonly lmt: 0 | 1 | null;
  /** Tracking must be limited, as the browser says. */
  readonly dnt: 0 | 1 | null;
  /** Subject to GDPR. */
  readonly gdpr: 0 | 1 | null;
  /**
   * GDPR decides what may be done: it was said, the EU's section of the GPP string applies, or a consent
   * string came without a word on it.
   */
  readonly gdprApplies: boolean;
  /** The user's consent string as sent; null if the request has none. */
  readonly consent: string | null;
  /**
   * The consent strings that decide where GDPR applies: the user's, and that of the GPP string. What is
   * done must be allowed by each of them. Null when one is unreadable.
   */
  readonly consentsRead: readonly ConsentString[] | null;
  /** As sent; null if the request has none, or one that cannot be read. */
  readonly usPrivacy: string | null;
  /**
   * The user opted out of the sale or sharing of personal data, or of targeted advertising, by the US
   * privacy string or a section of the GPP string; or one of them cannot be read.
   */
  readonly usOptOut: boolean;
  /** The user said no to the use of some kind of sensitive data, in a section of the GPP string. */
  readonly sensitiveDataRefused: boolean;
  /** A section of the GPP string says that the user is known to be a child. */
  readonly isKnownChild: boolean;
  /** The user opted out at the exchange, or for all of the web by Global Privacy Control. */
  readonly optedOut: boolean;
  /** Global Privacy Platform, as sent. */
  readonly gpp: string | null;
  readonly gppSid: readonly number[] | null;
}

/** The parts of a request that carry signals, as OpenRTB 2.5 has them or 2.6 moved them. */
export interface SignalSources {
  readonly regs?: object | undefined;
  readonly user?: object | undefined;
  readonly device?: object | undefined;
  /** The user's browser said no: by the exchange's opt-out cookie, or by `Sec-GPC`. */
  readonly optedOut?: boolean | undefined;
}

/**
 * Collects the signals of a request. Each is read from the object's `ext` (OpenRTB 2.5) and from
 * its own field (2.6). Where the two differ, a flag or an opt-out that either of them sets counts,
 * and of other texts the one in `ext`. A value that cannot be understood is as good as none, except
 * a consent string, which then is no consent, and a US privacy or GPP string, which then is an opt-out.
 */
export function readSignals({ regs, user, device, optedOut = false }: SignalSources): Signals {
  const gdpr = readFlag(regs, 'gdpr');
  const consent = readText(user, 'consent', isFilled);
  const gpp = readText(regs, 'gpp', isFilled);
  const gppSid = readSections(regs);
  const choices = readGppChoices(gpp, gppSid);
  const gdprApplies = gdpr === 1 || choices.euApplies || (gdpr === null && consent !== null);
  const { usPrivacy, usOptOut } = readUsPrivacy(regs);
  return {
    coppa: readFlag(regs, 'coppa'),
    lmt: readFlag(device, 'lmt'),
    dnt: readFlag(device, 'dnt'),
    gdpr,
    gdprApplies,
    consent,
    consentsRead: gdprApplies ? readConsents(consent, choices.euConsent) : [],
    usPrivacy,
    usOptOut: usOptOut || choices.optedOut,
    sensitiveDataRefused: choices.sensitiveDataRefused,
    isKnownChild: choices.isKnownChild,
    optedOut,
    // One that is too long to be read is not passed on.
    gpp: gpp !== null && gpp.length <= GPP_LENGTH_MAX ? gpp : null,
    gppSid: gppSid === 'unreadable' ? null : gppSid,
  };
}

/** Reads each of the texts once; null when one cannot be read. */
function readConsents(own: string | null, ofGpp: string | null): readonly ConsentString[] | null {
  const read: ConsentString[] = [];
  for (const text of ofGpp === own ? [own] : [own, ofGpp]) {
    if (text === null) continue;
    const consent = readConsentString(text);
    if (consent === null) return null;
    read.push(consent);
  }
  return read;
}

/** 1 if either place says so, else 0 if either does. Tags and some wrappers send texts. */
function readFlag(source: object | undefined, name: string): 0 | 1 | null {
  const own = flagOf(ownField(source, name));
  const inExt = flagOf(ownField(ownField(source, 'ext'), name));
  if (own === 1 || inExt === 1) return 1;
  return own ?? inExt;
}

function flagOf(value: unknown): 0 | 1 | null {
  if (value === 1 || value === '1' || value === true) return 1;
  return value === 0 || value === '0' || value === false ? 0 : null;
}

/** The text in `ext`, where 2.5 has it, else the object's own, if it has the right form. */
function readText(
  source: object | undefined,
  name: string,
  hasForm: (text: string) => boolean,
): string | null {
  const inExt = ownField(ownField(source, 'ext'), name);
  if (typeof inExt === 'string' && hasForm(inExt)) return inExt;
  const own = ownField(source, name);
  return typeof own === 'string' && hasForm(own) ? own : null;
}

/** One that cannot be read may be a refusal, so that no other may say the opposite of it. */
function readUsPrivacy(regs: object | undefined): Pick<Signals, 'usPrivacy' | 'usOptOut'> {
  const said = [ownField(ownField(regs, 'ext'), 'us_privacy'), ownField(regs, 'us_privacy')].filter(
    (value) => value !== undefined && value !== null && value !== '',
  );
  const read = said.filter(isUsPrivacy);
  const optOut = read.find(isUsPrivacyOptOut);
  if (optOut !== undefined) return { usPrivacy: optOut, usOptOut: true };
  const isUnreadable = read.length < said.length;
  return { usPrivacy: isUnreadable ? null : (read[0] ?? null), usOptOut: isUnreadable };
}

function isFilled(text: string): boolean {
  return text.length > 0;
}

function readSections(regs: object | undefined): GppSections {
  const inExt = sectionsOf(ownField(ownField(regs, 'ext'), 'gpp_sid'));
  return inExt ?? sectionsOf(ownField(regs, 'gpp_sid'));
}

function sectionsOf(value: unknown): GppSections {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || value.length > GPP_SECTIONS_MAX) return 'unreadable';
  const sections = value.filter((section): section is number => Number.isSafeInteger(section));
  if (sections.length < value.length) return 'unreadable';
  return sections.length === 0 ? null : sections;
}
