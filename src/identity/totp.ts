import { Secret, TOTP } from 'otpauth';

/** What authenticator apps take for granted: RFC 6238 with SHA-1, six digits, half a minute. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 };
const CODE = /^[0-9]{6}$/;
/** As RFC 4226, section 4, recommends. */
const SECRET_BYTES = 20;
/** Steps before and after the present one, for clocks that differ: RFC 6238, section 5.2. */
const WINDOW = 1;

/** A new secret in base32, as people type it where no code can be scanned. */
export function createTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What an authenticator app reads from a QR code: `otpauth://totp/…`. */
export function totpUri(
  secret: string,
  { issuer, label }: { readonly issuer: string; readonly label: string },
): string {
  return totpOf(secret, { issuer, label }).toString();
}

/**
 * The step of time that a code is of, counted from 1970; null for a code of none that counts now.
 *
 * @param nowMs Unix time in milliseconds.
 */
export function totpStepOf(code: string, secret: string, nowMs: number): number | null {
  // The library throws for six characters that are more bytes.
  if (!CODE.test(code)) return null;
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta;
}

function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...PARAMETERS, ...names, secret: Secret.fromBase32(secret) });
}
