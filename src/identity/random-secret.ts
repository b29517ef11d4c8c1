import { createHash, randomBytes } from 'node:crypto';

/** 256 bits: nobody finds one by guessing, nor from its hash, so that a fast hash is enough. */
const SECRET_BYTES = 32;

/** Characters after the mark that are kept to tell secrets apart: 36 of the 256 bits. */
const PREFIX_RANDOM = 6;

/**
 * A new secret that the exchange makes up, of characters that headers, forms and query strings take
 * as they are.
 *
 * @param mark what it begins with, which lets people and scanners of leaked secrets see what it is.
 */
export function createRandomSecret(mark: string): string {
  return mark + randomBytes(SECRET_BYTES).toString('base64url');
}

/** A text that could be such a secret; any other is not worth a look into the store. */
export function randomSecretPattern(mark: string): RegExp {
  return new RegExp(`^${mark}[A-Za-z0-9_-]{43}$`);
}

/** How such a secret is stored and found: SHA-256 in hex. */
export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The first characters of a secret, by which people tell secrets apart. */
export function secretPrefix(secret: string, mark: string): string {
  return secret.slice(0, mark.length + PREFIX_RANDOM);
}
