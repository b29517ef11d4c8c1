import type { FastifyReply, FastifyRequest } from 'fastify';
import { RialtoError } from '../../base/errors.ts';
import type { SecretAuthentication } from '../../identity/secret-authentication.ts';
import type { CodeVerdict } from '../../identity/second-factors.ts';
import type { PasswordUser } from '../../identity/session-store.ts';
import type { SignInMetrics } from './metrics.ts';

export interface PasswordCheckParts {
  readonly passwords: Pick<SecretAuthentication<PasswordUser>, 'authenticate'>;
  readonly metrics: SignInMetrics;
  /** The client's address, behind the operator's proxies; null when it cannot be read. */
  readonly addressOf: (request: FastifyRequest) => string | null;
}

/** A request that shows a password or a code. */
export interface Verifying {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Told of a password or code that was not looked at. */
  readonly onUnseen?: (outcome: 'throttled' | 'busy') => Promise<void>;
}

/**
 * Who has shown their password; null for a wrong one, whatever the cause is.
 *
 * @throws RialtoError when it was not looked at.
 */
export async function checkPassword(
  { passwords, metrics, addressOf }: PasswordCheckParts,
  { email, password }: { readonly email: string; readonly password: string },
  { request, reply, onUnseen }: Verifying,
): Promise<PasswordUser | null> {
  const credentials = { name: email, secret: password };
  const verdict = await passwords.authenticate(credentials, addressOf(request));
  metrics.count(verdict.outcome);
  switch (verdict.outcome) {
    case 'accepted':
      return verdict.found;
    case 'refused':
      return null;
    case 'throttled':
      await onUnseen?.('throttled');
      throw tooMany(reply, verdict.waitMs);
    case 'busy':
      await onUnseen?.('busy');
      throw new RialtoError('overloaded');
  }
}

/**
 * The verdict on a code that was looked at.
 *
 * @throws RialtoError when it was not.
 */
export async function seenCode(
  verdict: CodeVerdict,
  { metrics }: Pick<PasswordCheckParts, 'metrics'>,
  { reply, onUnseen }: Pick<Verifying, 'reply' | 'onUnseen'>,
): Promise<Exclude<CodeVerdict, { outcome: 'throttled' }>> {
  if (verdict.outcome === 'wrong') metrics.count('code_refused');
  if (verdict.outcome !== 'throttled') return verdict;
  metrics.count('code_throttled');
  await onUnseen?.('throttled');
  throw tooMany(reply, verdict.waitMs);
}

function tooMany(reply: FastifyReply, waitMs: number): RialtoError {
  reply.header('retry-after', String(Math.ceil(waitMs / 1_000)));
  return new RialtoError('too_many_sign_ins');
}
