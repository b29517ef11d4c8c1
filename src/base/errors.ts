import { exitCodeOf, type Exit } from './exit-codes.ts';
import type { Problem } from './problem.ts';

/**
 * Every error that the exchange answers with: its stable code, its HTTP status and its message.
 * A code never changes its meaning; `docs/reference/errors.md` is held against this table by a test.
 */
export const ERRORS = {
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  invalid_request: { status: 400, message: 'The request breaks the rules listed in "errors".' },
  body_too_large: { status: 413, message: 'The body is larger than this endpoint accepts.' },
  unsupported_media_type: {
    status: 415,
    message:
      'Send the body as application/json; an exchange also takes it gzipped and, from a browser, as text/plain. A configuration file is application/yaml.',
  },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  unknown_transfer_coding: {
    status: 501,
    message: 'Send the body without a transfer coding, or with "Transfer-Encoding: chunked" alone.',
  },
  no_sellers: {
    status: 404,
    message: 'The exchange has no domain configured, under which its sellers would be listed.',
  },
  no_exchange_url: {
    status: 404,
    message:
      'Control was not told the public address of the exchange; start it with RIALTO_EXCHANGE_URL.',
  },
  method_not_allowed: { status: 405, message: 'This address does not answer to this method.' },
  unauthorized: { status: 401, message: 'The shared secret is missing or wrong.' },
  missing_token: {
    status: 401,
    message: 'Send an access token, as "Authorization: Bearer TOKEN".',
  },
  invalid_token: {
    status: 401,
    message: 'The access token is unknown, expired or revoked; get a new one.',
  },
  session_expired: {
    status: 401,
    message: 'The session is unknown or has ended; sign in again.',
  },
  sign_in_refused: {
    status: 401,
    message: 'The e-mail address or the password is wrong.',
  },
  code_required: {
    status: 401,
    message: 'This user has a second factor: send its current code as "code" too.',
  },
  code_refused: {
    status: 401,
    message: 'The code is wrong, too old, or was used before; send the next one.',
  },
  insufficient_scope: {
    status: 403,
    message: 'The access token lacks the required scope; get one that has it.',
  },
  forbidden: {
    status: 403,
    message: 'Users of this kind may not do this, or may not set the fields listed in "errors".',
  },
  second_factor_required: {
    status: 403,
    message:
      'The exchange requires a second factor of everybody who changes anything: set one up first.',
  },
  invalid_csrf_token: {
    status: 403,
    message: "Send the session's csrf_token as x-csrf-token; GET /v2/auth/session/ tells it.",
  },
  cross_site_request: {
    status: 403,
    message: 'Browsers may sign in and use a session only from pages at this address.',
  },
  precondition_failed: {
    status: 412,
    message: 'It was changed in the meantime: get it again, and send its new ETag as If-Match.',
  },
  invalid_account_token: {
    status: 401,
    message: 'account_auth_token is missing or unknown.',
  },
  wrong_account: {
    status: 403,
    message:
      'This token is for the other kind of account: demand partners read the demand report, publishers the supply report.',
  },
  too_many_reports: {
    status: 429,
    message: 'This account has reached its limit of 100 reports an hour; see Retry-After.',
  },
  too_many_exports: {
    status: 429,
    message: 'This account has too many exports in progress; try again when one has finished.',
  },
  too_many_reads: {
    status: 429,
    message: 'This user has made too many reads; see Retry-After.',
  },
  too_many_writes: {
    status: 429,
    message: 'This user has made too many writes; see Retry-After.',
  },
  too_many_sign_ins: {
    status: 429,
    message: 'Too many wrong passwords or codes; this one was not checked. See Retry-After.',
  },
  too_many_test_requests: {
    status: 429,
    message: 'A bidder gets at most ten test requests a minute, one at a time; see Retry-After.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key came with another body before; send this one under a new key.',
  },
  idempotency_key_unsettled: {
    status: 409,
    message:
      'A request with this Idempotency-Key is under way, or was cut off: try again, and if it stays so see whether it did its work.',
  },
  secret_already_shown: {
    status: 409,
    message:
      'The request with this Idempotency-Key was answered with a secret, which is shown once; "resource_id" names what it made.',
  },
  no_bidder: {
    status: 409,
    message: 'The demand partner has no bidder yet: set its endpoint first.',
  },
  quarantine_busy: {
    status: 409,
    message: 'Its batch is being loaded; try again in a moment.',
  },
  invalid_parameter: { status: 400, message: 'A parameter is wrong.' },
  overloaded: { status: 503, message: 'The exchange is at its limit; try again in a second.' },
  not_ready: { status: 503, message: 'The exchange has no configuration yet; try again soon.' },
  journal_unavailable: {
    status: 503,
    message: 'The auction could not be recorded, so it does not count; try again in a second.',
  },
  analytics_unavailable: {
    status: 503,
    message: 'The analytics store is not open yet; try again in a second.',
  },
  not_leading: {
    status: 503,
    message: 'Another control hands out leases; ask that one.',
  },
  invalid_beacon: { status: 400, message: 'This beacon URL is not valid.' },
  beacon_expired: {
    status: 410,
    message: 'This URL has expired.',
  },
  beacon_elsewhere: {
    status: 421,
    message: 'Another tracker counts this; try again on a new connection in a second.',
  },
  beacon_unrecorded: {
    status: 503,
    message: 'The beacon could not be recorded, so it does not count; send it again in a second.',
  },
  internal: { status: 500, message: 'The exchange failed; the fault is in its log.' },
} as const satisfies Record<string, { status: number; message: string }>;

/** A stable error code. */
export type ErrorCode = keyof typeof ERRORS;

/** An error that is answered to a caller: a row of the table, and what was wrong where. */
export class RialtoError extends Error {
  override readonly name = 'RialtoError';
  readonly code: ErrorCode;
  readonly problems: readonly Problem[];
  /** What the error is about, where the answer names it. */
  readonly resourceId: string | null;

  constructor(
    code: ErrorCode,
    problems: readonly Problem[] = [],
    { resourceId = null, ...options }: ErrorOptions & { readonly resourceId?: string | null } = {},
  ) {
    super(ERRORS[code].message, options);
    this.code = code;
    this.problems = problems;
    this.resourceId = resourceId;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** An error that ends a command: printed as it is, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  /** @param options `exit` is how the command ends, `failed` unless something else is said. */
  constructor(
    message: string,
    { exit = 'failed', ...options }: ErrorOptions & { readonly exit?: Exit } = {},
  ) {
    super(message, options);
    this.exitCode = exitCodeOf(exit);
  }
}
