import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Compile } from 'typebox/compile';
import { RialtoError } from '../../base/errors.ts';
import { createJsonParser } from '../../base/json-body.ts';
import { answerOtherMethods } from '../../base/other-methods.ts';
import { emailKey } from '../../configuration/resources/user.ts';
import type { PasswordChange } from '../../configuration/session-store.ts';
import type { SignInAttempt } from '../../configuration/sign-in-log.ts';
import type { SecretHasher } from '../../identity/secret-hasher.ts';
import type { LiveSession, PasswordUser } from '../../identity/session-store.ts';
import { csrfTokenOf, type Sessions } from '../../identity/sessions.ts';
import { REALM } from '../../management/authenticate.ts';
import { NO_QUERY } from '../../management/endpoint.ts';
import { invalidRequest, readChecked } from '../../management/endpoints.ts';
import { selfOf } from '../../management/self/show.ts';
import { serve } from '../../management/serve.ts';
import { showInstant } from '../../management/shown.ts';
import { PasswordChangeSchema, SignInSchema } from './bodies.ts';
import type { SessionCookie } from './cookie.ts';
import { checkPassword, seenCode, type Verifying } from './password-check.ts';
import type { Addresses, SessionAnswer } from './schema.ts';
import { registerSecondFactors, type SecondFactorParts } from './second-factor-routes.ts';
import { refuseOtherOrigins, requireCsrfToken } from './session-door.ts';

/** The longest two passwords, every character of them escaped, and the keys. */
const BODY_BYTES_MAX = 32_768;

/** What the endpoints of sessions work with. */
export interface SessionParts extends SecondFactorParts {
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  /** Sets a password; false when the present one is another meanwhile. */
  readonly changePassword: (change: PasswordChange) => Promise<boolean>;
  readonly hashSecret: SecretHasher;
  readonly addresses: Addresses;
  /** Writes a sign-in down; never rejects. */
  readonly noteSignIn: (attempt: SignInAttempt) => Promise<void>;
}

const SESSION = '/session';
const PASSWORD = '/session/password';

/**
 * The sessions of browsers, for the console: `/v2/auth/session/` tells of one (GET), begins one
 * (POST) and ends it (DELETE), `/v2/auth/session/password/` changes the user's password, and
 * `/v2/auth/session/second-factor/` sets up a second factor.
 */
export function registerSessions(app: FastifyInstance, parts: SessionParts): void {
  const service = new SessionService(parts);
  app.register(
    async (auth) => {
      acceptJsonAlone(auth);
      const query = Compile(NO_QUERY);
      auth.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store');
        readChecked(query, request.query);
      });
      serve(auth, { method: 'GET', path: SESSION }, (...pair) => service.tell(...pair));
      serve(auth, { method: 'POST', path: SESSION }, (...pair) => service.signIn(...pair));
      serve(auth, { method: 'DELETE', path: SESSION }, (...pair) => service.signOut(...pair));
      answerOtherMethods(auth, SESSION, ['GET', 'POST', 'DELETE']);
      serve(auth, { method: 'POST', path: PASSWORD }, (...pair) => service.change(...pair));
      answerOtherMethods(auth, PASSWORD, ['POST']);
      registerSecondFactors(auth, parts);
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

/** Told of a right password beside which no code, or a wrong one, was shown. */
type OnCode = (outcome: 'code_required' | 'code_refused') => Promise<void>;

const SIGN_IN = Compile(SignInSchema);
const CHANGE = Compile(PasswordChangeSchema);

/** Does what the endpoints say. */
class SessionService {
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
    const { email, password, code } = readChecked(SIGN_IN, request.body);
    const note = (outcome: SignInAttempt['outcome'], userId: number | null): Promise<void> => {
      const address = this.#parts.addressOf(request);
      return this.#parts.noteSignIn({ email: emailKey(email), userId, address, outcome });
    };
    const verifying: Verifying = { request, reply, onUnseen: (outcome) => note(outcome, null) };
    const claim = { email: emailKey(email), password };
    const user = await checkPassword(this.#parts, claim, verifying);
    const onCode: OnCode = (outcome) => note(outcome, null);
    const step = user && (await this.#stepOf(user, code, { ...verifying, onCode }));
    const id = user && (await sessions.begin(user, step));
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
    const user = await checkPassword(this.#parts, claim, { request, reply });
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
   * The step of the code that a user has shown beside the password; null without a second factor.
   *
   * @throws RialtoError unless the code is right.
   */
  async #stepOf(
    { id }: PasswordUser,
    code: string | undefined,
    { reply, onUnseen, onCode }: Verifying & { readonly onCode: OnCode },
  ): Promise<number | null> {
    const looked = await this.#parts.secondFactors.check(id, code);
    const verdict = await seenCode(looked, this.#parts, { reply, ...(onUnseen && { onUnseen }) });
    if (verdict.outcome === 'right') return verdict.step;
    reply.header('www-authenticate', REALM);
    if (verdict.outcome === 'missing') {
      await onCode('code_required');
      throw new RialtoError('code_required');
    }
    await onCode('code_refused');
    throw new RialtoError('code_refused');
  }

  #shown(id: string, { caller, expiresMs, secondFactor }: LiveSession): SessionAnswer {
    return {
      session: {
        csrf_token: csrfTokenOf(id),
        expires_at: showInstant(expiresMs),
        user: selfOf(caller),
        second_factor: { is_set_up: secondFactor.isSetUp, is_required: secondFactor.isRequired },
        addresses: this.#parts.addresses,
      },
    };
  }
}
