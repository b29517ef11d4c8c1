import {
  createRandomSecret,
  digestSecret,
  randomSecretPattern,
  secretPrefix,
} from './random-secret.ts';

/** Lets people and scanners of leaked secrets see what it is. */
const MARK = 'rialto_';

const TOKEN = randomSecretPattern(MARK);

/** A new access token, of characters that RFC 6750 section 2.1 allows. */
export function createAccessToken(): string {
  return createRandomSecret(MARK);
}

/** Whether a text could be an access token; any other is not worth a look into the store. */
export function isAccessToken(text: string): boolean {
  return TOKEN.test(text);
}

/** How a token is stored and found: SHA-256 in hex. */
export function accessTokenHash(token: string): string {
  return digestSecret(token);
}

/** The first characters of a token, by which people tell tokens apart. */
export function accessTokenPrefix(token: string): string {
  return secretPrefix(token, MARK);
}
