import Type from 'typebox';
import { RialtoError } from '../../base/errors.ts';
import {
  generateToken,
  liveTokens,
  revokeToken,
  type StoredToken,
} from '../../configuration/applications.ts';
import { secondsLeft } from '../../identity/access-tokens.ts';
import { parseScope, showScope } from '../../identity/scope.ts';
import { actorOf } from '../actor.ts';
import { EVERYBODY, NO_BODY, NO_QUERY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import type { ResourceParts } from '../resource-routes.ts';
import { showInstant } from '../shown.ts';
import { findApplication, findOwnApplication } from './find.ts';
import {
  ACCESS_TOKEN_EXAMPLE,
  MadeTokenSchema,
  type MadeToken,
  NewTokenSchema,
  ShownTokenSchema,
  TOKEN_EXAMPLE,
  type ShownToken,
} from './schema.ts';

const TAG = 'Applications';
const PATH = '/applications/:client_id/tokens';

/** 128 bits of the token's hash: no two tokens share an id, and it leads to no token. */
const ID_LENGTH = 32;

/** The access tokens of an application that are in use. */
export function registerApplicationTokens(endpoints: Endpoints, parts: ResourceParts): void {
  addReading(endpoints, parts);
  addMaking(endpoints, parts);
}

function addReading(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      id: 'listApplicationTokens',
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: 'List the access tokens of an application that are in use',
      description: 'The newest first. There are never more than 100.',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the tokens, without themselves',
        schema: Type.Array(ShownTokenSchema),
        example: [TOKEN_EXAMPLE],
      },
    },
    async ({ caller, params }) => {
      const { id } = await findApplication(db, caller, params);
      const nowMs = now();
      return (await liveTokens(db, id, nowMs)).map((token) => show(token, nowMs));
    },
  );
}

function addMaking(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      id: 'createApplicationToken',
      method: 'POST',
      path: PATH,
      tag: TAG,
      summary: 'Generate an access token for an application',
      description:
        'It is shown once and good for an hour, for what the caller may do at most. With the 101st token the oldest ends.',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: { schema: NewTokenSchema, example: { scope: 'read' } },
      answer: {
        status: 201,
        meaning: 'the token',
        schema: MadeTokenSchema,
        shownOnce: 'id',
        example: { ...TOKEN_EXAMPLE, access_token: ACCESS_TOKEN_EXAMPLE },
      },
    },
    async ({ caller, params, body }): Promise<MadeToken> => {
      const asked = parseScope(body.scope) ?? [];
      const scope = asked.filter((each) => caller.scope.includes(each));
      const by = { actor: actorOf(caller), nowMs: now() };
      const { accessToken, token } = await db.transaction().execute(async (transaction) => {
        const application = await findOwnApplication(transaction, caller, params);
        return generateToken(transaction, application, { scope, by });
      });
      const shown = {
        token_hash: token.hash,
        token_prefix: token.prefix,
        scope: showScope(token.scope),
        created_at: token.createdMs,
        expires_at: token.expiresMs,
        last_used_at: null,
      };
      return { ...show(shown, now()), access_token: accessToken };
    },
  );
  endpoints.add(
    {
      id: 'revokeApplicationToken',
      method: 'DELETE',
      path: `${PATH}/:token_id`,
      tag: TAG,
      summary: 'Revoke an access token of an application',
      description: 'It ends at once.',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 204, meaning: 'it is revoked', schema: null },
    },
    async ({ caller, params }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      await db.transaction().execute(async (transaction) => {
        const application = await findApplication(transaction, caller, params);
        const tokens = await liveTokens(transaction, application.id, by.nowMs);
        const token = tokens.find((each) => idOf(each) === params['token_id']);
        if (token === undefined) throw new RialtoError('not_found');
        await revokeToken(transaction, application, { token, by });
      });
    },
  );
}

function idOf({ token_hash: hash }: Pick<StoredToken, 'token_hash'>): string {
  return hash.slice(0, ID_LENGTH);
}

function show(token: Omit<StoredToken, 'application_id'>, nowMs: number): ShownToken {
  const { last_used_at: lastUsedMs } = token;
  return {
    id: idOf(token),
    prefix: token.token_prefix,
    scope: token.scope,
    created_at: showInstant(token.created_at),
    expires_at: showInstant(token.expires_at),
    expires_in: secondsLeft(token.expires_at, nowMs),
    last_used_at: lastUsedMs === null ? null : showInstant(lastUsedMs),
  };
}
