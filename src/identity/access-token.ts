import { createHash, randomBytes } from 'node:crypto';

/** 256 bits: nobody finds one by guessing, nor from its hash, so that a fast hash is enough. */
const TOKEN_BYTES = 32;

/** Lets people and scanners of leaked secrets see what it is. */
const MARK = 'rialto_';

const TOKEN = new RegExp(`^${MARK}[A-Za-z0-9_-]{43}$`);

/** Characters that are kept to tell tokens apart: the mark, and 36 of the 256 bits. */
const PREFIX_LENGTH = MARK.length + 6;

/** A new access token, of characters that RFC 6750 section 2.1 allows. */
export function createAccessToken(): string {
  return MARK + randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether a text could be an access token; any other is not worth a look into the store. */
export function isAccessToken(text: string): boolean {
  return TOKEN.test(text);
}

/** How a token is stored and found: SHA-256 in hex. */
export function accessTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The first characters of a token, by which people tell tokens apart. */
export function accessTokenPrefix(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}
