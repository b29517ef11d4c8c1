import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Compile } from 'typebox/compile';
import { RialtoError } from '../../base/errors.ts';
import { createJsonParser } from '../../base/json-body.ts';
import { emailKey } from '../../configuration/resources/user.ts';
import type { PasswordChange } from '../../configuration/session-store.ts';
import type { SignInAttempt } from '../../configuration/sign-in-log.ts';
import type { SecretAuthentication } from '../../identity/secret-authentication.ts';
import type { SecretHasher } from '../../identity/secret-hasher.ts';
import type { LiveSession, PasswordUser } from '../../identity/session-store.ts';
import { csrfTokenOf, type Sessions } from '../../identity/sessions.ts';
import { REALM } from '../authenticate.ts';
import { NO_QUERY } from '../endpoint.ts';
import { invalidRequest, readChecked } from '../endpoints.ts';
import { selfOf } from '../self/show.ts';
import { refuseOthers, serve } from '../serve.ts';
import { showInstant } from '../shown.ts';
import { PasswordChangeSchema, SignInSchema } from './bodies.ts';
import type { SessionCookie } from './cookie.ts';
import type { SignInMetrics } from './metrics.ts';
import type { Addresses, SessionAnswer } from './schema.ts';
import { refuseOtherOrigins, requireCsrfToken, type SessionDoor } from './session-door.ts';

/** The longest two passwords, every character of them escaped, and the keys. */
const BODY_BYTES_MAX = 32_768;

/** What the endpoints of sessions work with. */
export interface SessionParts {
  readonly sessions: Sessions;
  readonly door: SessionDoor;
  readonly cookie: SessionCookie;
  readonly passwords: Pick<SecretAuthentication<PasswordUser>, 'authenticate'>;
  /** Sets a password; false when the present one is another meanwhile. */
  readonly changePassword: (change: PasswordChange) => Promise<boolean>;
  readonly hashSecret: SecretHasher;
  readonly addresses: Addresses;
  readonly metrics: SignInMetrics;
  /** Writes a sign-in down; never rejects. */
  readonly noteSignIn: (attempt: SignInAttempt) => Promise<void>;
  /** The client's address, behind the operator's proxies; null when it cannot be read. */
  readonly addressOf: (request: FastifyRequest) => string | null;
}

const SESSION = '/session';
const PASSWORD = '/session/password';

/**
 * The sessions of browsers, for the console: `/v2/auth/session/` tells of one (GET), begins one
 * (POST) and ends it (DELETE), and `/v2/auth/session/password/` changes the user's password.
 */
export function registerSessions(app: FastifyInstance, parts: SessionParts): void {
  const desk = new SessionDesk(parts);
  app.register(
    async (auth) => {
      acceptJsonAlone(auth);
      const query = Compile(NO_QUERY);
      auth.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store');
        readChecked(query, request.query);
      });
      serve(auth, { method: 'GET', path: SESSION }, (...pair) => desk.tell(...pair));
      serve(auth, { method: 'POST', path: SESSION }, (...pair) => desk.signIn(...pair));
      serve(auth, { method: 'DELETE', path: SESSION }, (...pair) => desk.signOut(...pair));
      refuseOthers(auth, SESSION, ['GET', 'POST', 'DELETE']);
      serve(auth, { method: 'POST', path: PASSWORD }, (...pair) => desk.change(...pair));
      refuseOthers(auth, PASSWORD, ['POST']);
    },
    { prefix: '/v2/auth' },
  );
}

/** Other sites' forms can send no JSON. */
function acceptJsonAlone(auth: FastifyInstance): void {
  const parse = createJsonParser(auth);
  auth.removeAllContentTypeParsers();
  auth.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
    parse,
  );
}

/** A request that shows a password. */
interface Verifying {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Told of a password that was not looked at. */
  readonly onUnseen?: (outcome: 'throttled' | 'busy') => Promise<void>;
}

const SIGN_IN = Compile(SignInSchema);
const CHANGE = Compile(PasswordChangeSchema);

/** Does what the endpoints say. */
class SessionDesk {
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Never an error: without a session there is a page to sign in on. */
  async tell(request: FastifyRequest, reply: FastifyReply): Promise<SessionAnswer> {
    const { door, sessions, cookie } = this.#parts;
    const id = door.idOf(request);
    if (id === null) return { session: null };
    const session = await sessions.find(id);
    if (session !== null) return this.#shown(id, await door.noteUse(request, session));
    reply.header('set-cookie', cookie.forget);
    return { session: null };
  }

  /** The id is a new one always, and the session that the browser had before ends. */
  async signIn(request: FastifyRequest, reply: FastifyReply): Promise<SessionAnswer> {
    const { door, sessions, cookie, addresses } = this.#parts;
    refuseOtherOrigins(request, addresses.auth_url);
    const { email, password } = readChecked(SIGN_IN, request.body);
    const note = (outcome: SignInAttempt['outcome'], userId: number | null): Promise<void> => {
      const address = this.#parts.addressOf(request);
      return this.#parts.noteSignIn({ email: emailKey(email), userId, address, outcome });
    };
    const user = await this.#verify(
      { email: emailKey(email), password },
      { request, reply, onUnseen: (outcome) => note(outcome, null) },
    );
    const id = user === null ? null : await sessions.begin(user);
    const session = id === null ? null : await sessions.find(id);
    await (session === null ? note('refused', null) : note('accepted', session.caller.userId));
    if (id === null || session === null) {
      reply.header('www-authenticate', REALM);
      throw new RialtoError('sign_in_refused');
    }
    const before = door.idOf(request);
    if (before !== null) await sessions.end(before);
    reply.header('set-cookie', cookie.keep(id));
    return this.#shown(id, session);
  }

  /** Also of a session that has ended: what counts is that there is none. */
  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { door, sessions, cookie } = this.#parts;
    const id = door.idOf(request);
    if (id !== null) {
      refuseOtherOrigins(request, this.#parts.addresses.auth_url);
      requireCsrfToken(request, id);
      await sessions.end(id);
    }
    return reply.code(204).header('set-cookie', cookie.forget).send();
  }

  async change(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { door, hashSecret, changePassword } = this.#parts;
    reply.header('www-authenticate', REALM);
    const { session } = await door.enterSignedIn(request);
    reply.removeHeader('www-authenticate');
    const body = readChecked(CHANGE, request.body);
    const claim = { email: session.caller.email, password: body.password };
    const user = await this.#verify(claim, { request, reply });
    const change = user === null ? null : { user, sessionHash: session.hash };
    const isChanged =
      change !== null &&
      (await changePassword({ ...change, newHash: await hashSecret(body.new_password) }));
    if (!isChanged) {
      throw invalidRequest([{ path: ['password'], message: 'is not the present password' }]);
    }
    return reply.code(204).send();
  }

  /**
   * Who has shown their password; null for a wrong one, whatever the cause is.
   *
   * @throws RialtoError when it was not looked at.
   */
  async #verify(
    { email, password }: { readonly email: string; readonly password: string },
    { request, reply, onUnseen }: Verifying,
  ): Promise<PasswordUser | null> {
    const { passwords, addressOf, metrics } = this.#parts;
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
        reply.header('retry-after', String(Math.ceil(verdict.waitMs / 1_000)));
        throw new RialtoError('too_many_sign_ins');
      case 'busy':
        await onUnseen?.('busy');
        throw new RialtoError('overloaded');
    }
  }

  #shown(id: string, { caller, expiresMs }: LiveSession): SessionAnswer {
    return {
      session: {
        csrf_token: csrfTokenOf(id),
        expires_at: showInstant(expiresMs),
        user: selfOf(caller),
        addresses: this.#parts.addresses,
      },
    };
  }
}
