/** US privacy string of the IAB: version 1, notice, opt-out of sale, limited service provider agreement. */
export const US_PRIVACY_PATTERN = '^1[YNyn-]{3}$';

/** In words, after "allowed is" and "give". */
export const US_PRIVACY_ALLOWED = 'a US privacy string of version 1, such as 1YNN';

/** Where the opt-out of sale stands. */
const OPT_OUT_AT = 2;

const US_PRIVACY = new RegExp(US_PRIVACY_PATTERN);

export function isUsPrivacy(value: unknown): value is string {
  return typeof value === 'string' && US_PRIVACY.test(value);
}

/** Whether a US privacy string says that the user opted out of the sale of personal data: `1?Y?`. */
export function isUsPrivacyOptOut(usPrivacy: string): boolean {
  return usPrivacy.charAt(OPT_OUT_AT).toUpperCase() === 'Y';
}

/** An opt-out goes before what cannot be read, which may be one, and that before everything else. */
export function usPrivacyStrictness(value: unknown): number {
  if (isUsPrivacy(value)) return isUsPrivacyOptOut(value) ? 2 : 0;
  return value === null || value === '' ? 0 : 1;
}
