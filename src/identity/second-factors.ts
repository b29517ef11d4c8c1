import { Allowance } from './allowance.ts';
import { createTotpSecret, totpStepOf, totpUri } from './totp.ts';

/**
 * Wrong codes of one user, from wherever they come: ten, then one a minute. A code has six digits, and
 * who tries them knows the password already; so few of a day leave one chance in two hundred.
 */
const WRONG_CODES = { atOnce: 10, refillMs: 60_000 };

/** The second factor of a user as it is stored. */
export interface StoredSecondFactor {
  /** Base32. */
  readonly secret: string;
  /** Whether its user has shown a code of it; before that it counts for nothing. */
  readonly isConfirmed: boolean;
  /** Of the last code that was used: no code is good twice. */
  readonly lastStep: number;
}

/** Whose second factor is changed, in which session: that one goes on. */
export interface SecondFactorUser {
  readonly userId: number;
  readonly email: string;
  readonly sessionHash: string;
}

/** A code that was found to be right, by its step, and the secret that it is of. */
export interface ShownCode {
  readonly secret: string;
  readonly step: number;
}

/** Where second factors are kept. What uses a step is false when the step, or a later one, was used. */
export interface SecondFactorStore {
  find(userId: number): Promise<StoredSecondFactor | null>;
  /** Keeps a secret until a code confirms it; false where a confirmed one is. */
  offer(userId: number, secret: string): Promise<boolean>;
  /** Not where another secret has taken the place. */
  confirm(user: SecondFactorUser, code: ShownCode): Promise<boolean>;
  remove(user: SecondFactorUser, step: number): Promise<boolean>;
  /** What apps show the codes under. */
  exchangeName(): Promise<string>;
}

/** What came of a code. */
export type CodeVerdict =
  /** The step that the code is of, which whoever accepts it uses up; null of a user without a second factor. */
  | { readonly outcome: 'right'; readonly step: number | null }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'wrong' }
  /** Too many wrong codes before; this one was not looked at. */
  | { readonly outcome: 'throttled'; readonly waitMs: number };

/** A secret that was just made; nobody can read it again. */
export interface OfferedSecret {
  readonly secret: string;
  /** The same for an authenticator app. */
  readonly uri: string;
}

export interface SecondFactorsParts {
  readonly store: SecondFactorStore;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a clock that is never set back. */
  readonly monotonicNow: () => number;
}

/** The codes that people show beside their passwords. */
export class SecondFactors {
  readonly #parts: SecondFactorsParts;
  readonly #wrong = new Allowance(WRONG_CODES);

  constructor(parts: SecondFactorsParts) {
    this.#parts = parts;
  }

  /** Looks at the code of a user who has shown their password. */
  async check(userId: number, code: string | undefined): Promise<CodeVerdict> {
    const stored = await this.#parts.store.find(userId);
    if (stored?.isConfirmed !== true) return { outcome: 'right', step: null };
    return code === undefined ? { outcome: 'missing' } : this.#look(userId, stored, code);
  }

  /** Makes a secret that waits for its first code; null for a user who has a second factor. */
  async offer({ userId, email }: SecondFactorUser): Promise<OfferedSecret | null> {
    const { store } = this.#parts;
    const secret = createTotpSecret();
    if (!(await store.offer(userId, secret))) return null;
    return { secret, uri: totpUri(secret, { issuer: await store.exchangeName(), label: email }) };
  }

  /** Makes the secret that waits the user's second factor; nothing waits where a code is missing. */
  async confirm(user: SecondFactorUser, code: string): Promise<CodeVerdict> {
    const stored = await this.#parts.store.find(user.userId);
    if (stored === null || stored.isConfirmed) return { outcome: 'missing' };
    const verdict = this.#look(user.userId, stored, code);
    return this.#use(verdict, (step) =>
      this.#parts.store.confirm(user, { secret: stored.secret, step }),
    );
  }

  /** Removes the second factor of a user who has one. */
  async remove(user: SecondFactorUser, code: string): Promise<CodeVerdict> {
    const verdict = await this.check(user.userId, code);
    if (verdict.outcome === 'right' && verdict.step === null) return { outcome: 'missing' };
    return this.#use(verdict, (step) => this.#parts.store.remove(user, step));
  }

  /** Without a pause, so that of codes that come at the same time each is counted. */
  #look(userId: number, { secret, lastStep }: StoredSecondFactor, code: string): CodeVerdict {
    const { now, monotonicNow } = this.#parts;
    const key = String(userId);
    const waitMs = this.#wrong.waitMs(key, monotonicNow());
    if (waitMs > 0) return { outcome: 'throttled', waitMs };
    const step = totpStepOf(code, secret, now());
    if (step !== null && step > lastStep) return { outcome: 'right', step };
    this.#wrong.take(key, monotonicNow());
    return { outcome: 'wrong' };
  }

  async #use(verdict: CodeVerdict, use: (step: number) => Promise<boolean>): Promise<CodeVerdict> {
    if (verdict.outcome !== 'right' || verdict.step === null) return verdict;
    return (await use(verdict.step)) ? verdict : { outcome: 'wrong' };
  }
}
