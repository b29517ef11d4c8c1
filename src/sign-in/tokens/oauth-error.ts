/** The codes of RFC 6749 section 5.2 that occur here, and one for what to try again later. */
export const OAUTH_ERROR_CODES = [
  'invalid_request',
  'invalid_client',
  'invalid_scope',
  'unsupported_grant_type',
  'temporarily_unavailable',
] as const;

export type OAuthErrorCode = (typeof OAUTH_ERROR_CODES)[number];

/** What else an error says to a client. */
interface OAuthErrorDetails {
  /** 400 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error of the token endpoints, in their own form. The description never quotes what was sent,
 * and has neither quotes nor backslashes in it (RFC 6749 section 5.2).
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: OAuthErrorCode, description: string, details: OAuthErrorDetails = {}) {
    super(description);
    this.code = code;
    this.status = details.status ?? 400;
    this.headers = details.headers ?? {};
  }
}
