import type { LinkPurpose } from './link-purposes.ts';
import { createRandomSecret, digestSecret, randomSecretPattern } from './random-secret.ts';

/** Lets people and scanners of leaked secrets see what it is. */
const MARK = 'rialto_link_';

const TOKEN = randomSecretPattern(MARK);

const HOUR_MS = 3_600_000;

/** How long a link is good for. An invitation waits over a weekend. */
const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  first_operator: 24 * HOUR_MS,
  invitation: 72 * HOUR_MS,
  password: 24 * HOUR_MS,
  second_factor: 24 * HOUR_MS,
};

/** A link that was just made; nobody can read its token again. */
export interface NewLink {
  readonly token: string;
  readonly purpose: LinkPurpose;
  /** Null for the link that creates the first operator. */
  readonly userId: number | null;
  /** Unix time in milliseconds. */
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** A link that opens something now. */
export interface OpenLink {
  readonly purpose: LinkPurpose;
  /** The user whose password it sets, or whose second factor it removes; null for the first operator, who is made by it. */
  readonly user: { readonly id: number; readonly email: string } | null;
  /** Whether an application may be made with it: its secret alone would do where people need a second factor. */
  readonly offersApplication: boolean;
}

/** A new link; of its token only the hash is to be stored. */
export function makeLink(purpose: LinkPurpose, userId: number | null, createdMs: number): NewLink {
  const token = createRandomSecret(MARK);
  return { token, purpose, userId, createdMs, expiresMs: createdMs + LIFETIME_MS[purpose] };
}

/** Whether a text could be the token of a link. */
export function isLinkToken(text: string): boolean {
  return TOKEN.test(text);
}

/** How the token of a link is stored and found. */
export function linkHash(token: string): string {
  return digestSecret(token);
}

/**
 * The address that a person opens. The token stands in the query, which logs leave out more often
 * than the path, and which ours redact by name; a fragment could not be read without a script.
 *
 * @param authUrl control's address that others see, without a slash at its end.
 */
export function linkUrl(authUrl: string, { token }: NewLink): string {
  return `${authUrl}/v2/auth/link/?token=${token}`;
}
