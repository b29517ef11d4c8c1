import type { Kysely } from 'kysely';
import { Allowance } from '../identity/allowance.ts';
import { writeAudit } from './audit.ts';
import type { AuditAction, Database } from './schema.ts';

/** One try to sign in with a password. */
export interface SignInAttempt {
  /** The address that was given, which need not be anybody's. */
  readonly email: string;
  /** Null unless it was accepted. */
  readonly userId: number | null;
  /** The client's address; null when it cannot be read. */
  readonly address: string | null;
  readonly outcome:
    | 'accepted'
    | 'refused'
    | 'throttled'
    | 'busy'
    | 'code_required'
    | 'code_refused';
}

/**
 * Failed sign-ins that are written, of all clients together: two hundred at once and one more every ten
 * seconds, so that guessing fills no disk. The metrics count all of them.
 */
const FAILED_WRITTEN = { atOnce: 200, refillMs: 10_000 };
/** Tries that were not looked at, by the address that was given: once a minute. */
const THROTTLED_WRITTEN = { atOnce: 1, refillMs: 60_000 };
/** As long as an address of RFC 5321 can be. */
const EMAIL_LENGTH_MAX = 254;

/** A code that is asked for is no failure: every sign-in with a second factor begins so. */
const ACTIONS: Readonly<Record<SignInAttempt['outcome'], AuditAction>> = {
  accepted: 'signed_in',
  code_required: 'code_asked',
  refused: 'sign_in_failed',
  throttled: 'sign_in_failed',
  busy: 'sign_in_failed',
  code_refused: 'sign_in_failed',
};

/** Writes sign-ins, failed and successful, to the audit log. */
export class SignInLog {
  readonly #db: Kysely<Database>;
  readonly #now: () => number;
  readonly #failed = new Allowance(FAILED_WRITTEN);
  readonly #throttled = new Allowance(THROTTLED_WRITTEN);

  /** @param now Unix time in milliseconds. */
  constructor(db: Kysely<Database>, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  async note({ email, userId, address, outcome }: SignInAttempt): Promise<void> {
    const nowMs = this.#now();
    // PostgreSQL has no text with this character, nor with half a surrogate pair.
    const name = email.replaceAll('\0', '').slice(0, EMAIL_LENGTH_MAX).toWellFormed();
    if (outcome !== 'accepted' && !this.#mayWrite(name, outcome, nowMs)) return;
    const changes = [
      { field: 'address', after: address },
      { field: 'outcome', after: outcome },
    ];
    const action = ACTIONS[outcome];
    await this.#db
      .transaction()
      .execute((transaction) =>
        writeAudit(
          transaction,
          { action, resource: 'user', resourceId: name, changes },
          { actor: { name, userId, clientId: null }, nowMs },
        ),
      );
  }

  #mayWrite(name: string, outcome: SignInAttempt['outcome'], nowMs: number): boolean {
    if (outcome === 'throttled' || outcome === 'busy') {
      if (this.#throttled.waitMs(name, nowMs) > 0) return false;
      this.#throttled.take(name, nowMs);
    }
    if (this.#failed.waitMs('', nowMs) > 0) return false;
    this.#failed.take('', nowMs);
    return true;
  }
}
