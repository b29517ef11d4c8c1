import { allowsPreciseLocation, allowsPurpose, isDisclosed } from './consent-string.ts';
import type { Signals } from './signals.ts';

/**
 * What a partner may get of a request. There is one frozen object for each combination, so that
 * effects are compared by `key` and nothing is allocated for a partner. The table of signals and
 * effects is `docs/reference/privacy.md`, which a test holds against this file.
 */
export interface Effects {
  /**
   * Below EFFECTS_KEYS. Equal keys mean the same device and user objects: an exchange that keeps
   * what it built under this number builds once for all partners that are treated alike.
   */
  readonly key: number;
  /** The partner may be asked for a bid at all. */
  readonly callable: boolean;
  /** Why it may not; null when it may. */
  readonly reason: PrivacyReason | null;
  /** Advertising id, hashed ids, the buyer's id and data about the user; without it no full IP. */
  readonly identifiers: boolean;
  /** Ids of the user in the buyer's and others' systems, and what the buyer keeps with its own. */
  readonly buyeruid: boolean;
  /** Year of birth, gender, keywords, and data about the user. */
  readonly userDemographics: boolean;
  /** Coordinates as sent, postal code and full IP; without it coordinates are rounded. */
  readonly preciseLocation: boolean;
  /** Any coordinates, city or metro area at all; without it region and country remain. */
  readonly coordinates: boolean;
}

/** Why a partner is not asked. */
export type PrivacyReason =
  | 'gdpr_consent_missing'
  | 'gdpr_consent_unreadable'
  | 'gdpr_vendor_id_missing'
  | 'gdpr_vendor_not_disclosed'
  | 'gdpr_purpose_2_refused';

const IDENTIFIERS = 1;
const BUYERUID = 2;
const DEMOGRAPHICS = 4;
const PRECISE_LOCATION = 8;
const COORDINATES = 16;
const EVERYTHING = 31;

/** How many keys there are: the length of an array with a place for each. */
export const EFFECTS_KEYS = EVERYTHING + 1;

const CALLABLE: readonly Effects[] = Array.from({ length: EFFECTS_KEYS }, (_, key) =>
  makeEffects(key, null),
);
const CONSENT_MISSING = makeEffects(0, 'gdpr_consent_missing');
const CONSENT_UNREADABLE = makeEffects(0, 'gdpr_consent_unreadable');
const VENDOR_ID_MISSING = makeEffects(0, 'gdpr_vendor_id_missing');
const VENDOR_NOT_DISCLOSED = makeEffects(0, 'gdpr_vendor_not_disclosed');
const PURPOSE_2_REFUSED = makeEffects(0, 'gdpr_purpose_2_refused');

/**
 * Decides what a partner may get. `gvlId` is its vendor id in the IAB's global vendor list, null if
 * it has none. The rules add up, and each only takes away.
 */
export function privacyFor(signals: Signals, gvlId: number | null): Effects {
  let key = EVERYTHING;
  if (signals.gdprApplies) {
    const { consentsRead: consents } = signals;
    if (consents === null) return CONSENT_UNREADABLE;
    if (consents.length === 0) return CONSENT_MISSING;
    if (gvlId === null) return VENDOR_ID_MISSING;
    for (const consent of consents) {
      if (!isDisclosed(consent, gvlId)) return VENDOR_NOT_DISCLOSED;
      if (!allowsPurpose(consent, 2, gvlId)) return PURPOSE_2_REFUSED;
      if (!allowsPurpose(consent, 1, gvlId)) key &= ~BUYERUID;
      if (!allowsPreciseLocation(consent)) key &= ~PRECISE_LOCATION;
    }
  }
  if (signals.coppa === 1 || signals.isKnownChild) return effectsOf(0);
  if (signals.lmt === 1 || signals.dnt === 1) {
    key &= ~(IDENTIFIERS | BUYERUID | PRECISE_LOCATION);
  }
  if (signals.usOptOut || signals.optedOut) key &= ~(IDENTIFIERS | BUYERUID);
  if (signals.sensitiveDataRefused) key &= ~(DEMOGRAPHICS | PRECISE_LOCATION);
  return effectsOf(key);
}

/**
 * Whether the exchange may keep something in the user's browser, and read it there: under GDPR by
 * purpose 1 for its own vendor id. Without one it leaves the question to those of its partners.
 */
export function allowsStorage(signals: Signals, gvlId: number | null): boolean {
  if (!signals.gdprApplies || gvlId === null) return true;
  const { consentsRead: consents } = signals;
  if (consents === null || consents.length === 0) return false;
  return consents.every((consent) => allowsPurpose(consent, 1, gvlId));
}

function effectsOf(key: number): Effects {
  const effects = CALLABLE[key];
  if (effects === undefined) throw new Error(`privacy effects have no key ${key}`);
  return effects;
}

function makeEffects(key: number, reason: PrivacyReason | null): Effects {
  return Object.freeze({
    key,
    callable: reason === null,
    reason,
    identifiers: (key & IDENTIFIERS) !== 0,
    buyeruid: (key & BUYERUID) !== 0,
    userDemographics: (key & DEMOGRAPHICS) !== 0,
    preciseLocation: (key & PRECISE_LOCATION) !== 0,
    coordinates: (key & COORDINATES) !== 0,
  });
}
