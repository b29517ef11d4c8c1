/** US privacy string of the IAB: version 1, notice, opt-out of sale, limited service provider agreement. */
export const US_PRIVACY_PATTERN = '^1[YNyn-]{3}$';

/** In words, after "allowed is" and "give". */
export const US_PRIVACY_ALLOWED = 'a US privacy string of version 1, such as 1YNN';

const US_PRIVACY = new RegExp(US_PRIVACY_PATTERN);

export function isUsPrivacy(value: unknown): value is string {
  return typeof value === 'string' && US_PRIVACY.test(value);
}
