import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RialtoError } from '../../base/errors.ts';
import { ownField } from '../../base/fields.ts';
import { answerOtherMethods } from '../../base/other-methods.ts';
import type { AccessTokens } from '../../identity/access-tokens.ts';
import type { ClientAuthentication } from '../../identity/client-authentication.ts';
import type { Application, LiveToken } from '../../identity/identity-store.ts';
import { parseScope, showScope } from '../../identity/scope.ts';
import { serve } from '../../management/serve.ts';
import { invalidClient, readCredentials } from './credentials.ts';
import { readForm, refuseQuery, type Form } from './form.ts';
import type { TokenMetrics } from './metrics.ts';
import { OAuthError } from './oauth-error.ts';
import type { Introspection, TokenAnswer } from './schema.ts';

/** Every parameter at its longest, percent-encoded, and as much again. */
const BODY_BYTES_MAX = 8_192;

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** How long a client waits that came when too many secrets were being verified. */
const BUSY_WAIT_MS = 1_000;

/** What the token endpoints work with. */
export interface TokenParts {
  readonly clients: Pick<ClientAuthentication, 'authenticate' | 'takeIssue'>;
  readonly tokens: AccessTokens;
  readonly metrics: TokenMetrics;
  /** The client's address, behind the operator's proxies; null when it cannot be read. */
  readonly addressOf: (request: FastifyRequest) => string | null;
}

/** A request whose client has proved who it is. */
interface Authenticated {
  readonly application: Application;
  readonly form: Form;
  readonly authorization: string | undefined;
}

/**
 * The endpoints that programs get their access tokens from (RFC 6749 section 4.4), end them at
 * (RFC 7009), and ask about them (RFC 7662): `POST /v2/auth/token/`, `/revoke/`, `/introspect/`.
 */
export function registerTokens(app: FastifyInstance, parts: TokenParts): void {
  app.register(
    async (auth) => {
      acceptFormsAlone(auth);
      auth.setErrorHandler(answerError);
      auth.addHook('onRequest', async (request, reply) => {
        reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
        refuseQuery(request.query);
      });
      post(auth, '/token', async (request) => issue(await authenticate(request, parts), parts));
      post(auth, '/revoke', async (request, reply) => {
        const { application, form } = await authenticate(request, parts);
        await parts.tokens.revoke(requiredToken(form), application);
        return reply.send();
      });
      post(auth, '/introspect', async (request) => {
        const { application, form } = await authenticate(request, parts);
        return introspection(await parts.tokens.introspect(requiredToken(form), application));
      });
    },
    { prefix: '/v2/auth' },
  );
}

function acceptFormsAlone(auth: FastifyInstance): void {
  auth.removeAllContentTypeParsers();
  auth.addContentTypeParser(
    FORM_TYPE,
    { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
    async (_request: FastifyRequest, body: string) => ({ form: body }),
  );
}

function post(
  auth: FastifyInstance,
  path: string,
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  serve(auth, { method: 'POST', path }, handle);
  answerOtherMethods(auth, path, ['POST']);
}

async function authenticate(
  request: FastifyRequest,
  { clients, metrics, addressOf }: TokenParts,
): Promise<Authenticated> {
  const body = ownField(request.body, 'form');
  if (typeof body !== 'string') throw noForm();
  const form = readForm(body);
  const { authorization } = request.headers;
  const credentials = readCredentials(authorization, form);
  const verdict = await clients.authenticate(credentials, addressOf(request));
  metrics.count(verdict.outcome);
  switch (verdict.outcome) {
    case 'accepted':
      return { application: verdict.found, form, authorization };
    case 'refused':
      throw invalidClient(authorization);
    case 'throttled':
      throw later(429, verdict.waitMs, 'too many wrong secrets; this one was not looked at');
    case 'busy':
      throw later(503, BUSY_WAIT_MS, 'too many secrets are being verified; try again');
  }
}

async function issue(
  { application, form, authorization }: Authenticated,
  { clients, tokens }: TokenParts,
): Promise<TokenAnswer> {
  if (form.grant_type === undefined) {
    throw new OAuthError('invalid_request', 'grant_type is missing; it is client_credentials');
  }
  if (form.grant_type !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'grant_type must be client_credentials');
  }
  const scope = parseScope(form.scope);
  if (scope === null) {
    throw new OAuthError('invalid_scope', 'scope may be read, write, or both with a space between');
  }
  const waitMs = clients.takeIssue(application);
  if (waitMs > 0) throw later(429, waitMs, 'too many tokens; use one for as long as it is good');
  const issued = await tokens.issue(application, scope);
  if (issued === null) throw invalidClient(authorization);
  return {
    access_token: issued.accessToken,
    expires_in: issued.expiresInSeconds,
    token_type: 'Bearer',
    scope: showScope(issued.scope),
  };
}

function requiredToken({ token }: Form): string {
  if (token === undefined) throw new OAuthError('invalid_request', 'token is missing');
  return token;
}

function introspection(token: LiveToken | null): Introspection {
  if (token === null) return { active: false };
  const { caller, clientId, createdMs, expiresMs } = token;
  return {
    active: true,
    scope: showScope(caller.scope),
    client_id: clientId,
    username: caller.email,
    token_type: 'Bearer',
    exp: secondsOf(expiresMs),
    iat: secondsOf(createdMs),
    sub: String(caller.userId),
  };
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1_000);
}

function noForm(): OAuthError {
  return new OAuthError('invalid_request', `send the parameters as ${FORM_TYPE}`);
}

function later(status: 429 | 503, waitMs: number, description: string): OAuthError {
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1_000)) };
  return new OAuthError('temporarily_unavailable', description, { status, headers });
}

/** What was not foreseen is for the server's own handler, which logs it. */
function answerError(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asOAuthError(error);
  if (known === undefined) throw error;
  return reply
    .code(known.status)
    .headers(known.headers)
    .send({ error: known.code, error_description: known.message });
}

function asOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  if (error instanceof RialtoError && error.code === 'method_not_allowed') {
    return new OAuthError('invalid_request', 'this address answers to POST alone', { status: 405 });
  }
  const status = ownField(error, 'statusCode');
  if (status === 413) {
    const description = `the body is larger than ${BODY_BYTES_MAX} bytes`;
    return new OAuthError('invalid_request', description, { status });
  }
  return status === 400 || status === 415 ? noForm() : undefined;
}
