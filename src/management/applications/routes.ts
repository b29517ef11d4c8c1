import Type from 'typebox';
import { RialtoError } from '../../base/errors.ts';
import {
  APPLICATIONS_MAX,
  deleteApplication,
  renameApplication,
  rollSecret,
} from '../../configuration/applications.ts';
import { ID } from '../../resources/vocabulary.ts';
import { listRows } from '../../configuration/resource-rows.ts';
import type { Database } from '../../configuration/schema.ts';
import { createRandomSecret } from '../../identity/random-secret.ts';
import type { SecretHasher } from '../../identity/secret-hasher.ts';
import { LOCAL_USER_ID } from '../../identity/caller.ts';
import { actorOf } from '../actor.ts';
import { EVERYBODY, NO_BODY, NO_QUERY } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { answerTagged, etagOf, requireMatch } from '../etag.ts';
import { GraceSchema, previousOf, showPrevious } from '../grace.ts';
import { answerPage, LIST_HEADERS, listQuery, pageOf } from '../page.ts';
import { ETAG, type ResourceParts } from '../resource-routes.ts';
import { shownTimes } from '../shown.ts';
import { applicationsOf, findApplication, findOwnApplication } from './find.ts';
import { makeApplication, SECRET_MARK } from './make-application.ts';
import {
  APPLICATION_EXAMPLE,
  ApplicationSecretSchema,
  NewApplicationSchema,
  SECRET_EXAMPLE,
  type ApplicationSecret,
  ShownApplicationSchema,
  type ShownApplication,
} from './schema.ts';

/** What the endpoints of applications work with. */
export interface ApplicationParts extends ResourceParts {
  readonly hashSecret: SecretHasher;
}

const TAG = 'Applications';
const PATH = '/applications';
const ONE = '/applications/:client_id';

/** What users' programs sign in with. Users manage their own; operators see and remove others'. */
export function registerApplications(endpoints: Endpoints, parts: ApplicationParts): void {
  addReading(endpoints, parts);
  addMaking(endpoints, parts);
  addChanging(endpoints, parts);
}

function addReading(endpoints: Endpoints, { db, now }: ApplicationParts): void {
  endpoints.add(
    {
      id: 'listApplications',
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: "List the caller's applications",
      description:
        'Operators name another user with `user_id`; nobody else sees what is another’s.',
      roles: EVERYBODY,
      query: listQuery({ user_id: Type.Optional(ID) }, ['client_id', 'name', 'created_at']),
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the applications',
        schema: Type.Array(ShownApplicationSchema),
        example: [APPLICATION_EXAMPLE],
        headers: LIST_HEADERS,
      },
    },
    async ({ caller, query, request, reply }) => {
      const { user_id: asked = caller.userId } = query;
      const page = pageOf(query);
      const rows = applicationsOf(caller.role === 'operator' ? null : caller.userId);
      const filters = new Map([['user_id', asked]]);
      const found = await listRows(db, rows, { page, filters });
      answerPage(request, reply, { page, total: found.total });
      return found.rows.map((row) => show(row, now()));
    },
  );
  endpoints.add(
    {
      id: 'getApplication',
      method: 'GET',
      path: ONE,
      tag: TAG,
      summary: 'Get one application',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the application',
        schema: ShownApplicationSchema,
        example: APPLICATION_EXAMPLE,
        headers: ETAG,
      },
    },
    async ({ caller, params, request, reply }) =>
      answerTagged(request, reply, show(await findApplication(db, caller, params), now())),
  );
}

function addMaking(endpoints: Endpoints, { db, now, hashSecret }: ApplicationParts): void {
  endpoints.add(
    {
      id: 'createApplication',
      method: 'POST',
      path: PATH,
      tag: TAG,
      summary: 'Create an application',
      description: `It belongs to the caller and may do what the caller may. The secret is shown once. A user has at most ${APPLICATIONS_MAX}.`,
      roles: EVERYBODY,
      query: NO_QUERY,
      body: { schema: NewApplicationSchema, example: { name: APPLICATION_EXAMPLE.name } },
      answer: {
        status: 201,
        meaning: 'the application and its secret',
        schema: ApplicationSecretSchema,
        shownOnce: 'client_id',
        example: { ...APPLICATION_EXAMPLE, client_secret: SECRET_EXAMPLE },
        headers: { Location: 'its address', ...ETAG },
      },
      errors: ['overloaded'],
    },
    async ({ caller, body, reply }): Promise<ApplicationSecret> => {
      // An application belongs to a user, which the local operator is not.
      if (caller.userId === LOCAL_USER_ID) throw new RialtoError('forbidden');
      const by = { actor: actorOf(caller), nowMs: now() };
      const wanted = { userId: caller.userId, name: body.name };
      const made = await makeApplication({ db, hashSecret }, wanted, by);
      if (made === null) {
        const message = `a user has at most ${APPLICATIONS_MAX} applications; remove one first`;
        throw invalidRequest([{ path: [], message }]);
      }
      const shown = show(made.row, by.nowMs);
      reply.header('location', `/api${PATH}/${made.row.client_id}/`).header('etag', etagOf(shown));
      return { ...shown, client_secret: made.secret };
    },
  );
  endpoints.add(
    {
      id: 'rollApplicationSecret',
      method: 'POST',
      path: `${ONE}/secret`,
      tag: TAG,
      summary: 'Give an application another secret',
      description:
        'The new secret is shown once. The one that it had stays good for `grace_seconds` (with 0 it ends at once), the one before that ends. Access tokens stay good for what is left of their hour; revoke them where the secret has leaked.',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: { schema: GraceSchema, example: { grace_seconds: 3_600 } },
      answer: {
        status: 201,
        meaning: 'the application and its new secret',
        schema: ApplicationSecretSchema,
        shownOnce: 'client_id',
        example: {
          ...APPLICATION_EXAMPLE,
          previous_secret: { expires_at: '2026-11-20T09:15:00.000Z' },
          client_secret: SECRET_EXAMPLE,
        },
        headers: ETAG,
      },
      errors: ['overloaded', 'precondition_failed'],
    },
    async ({ caller, params, body, reply }) => {
      const row = await findOwnApplication(db, caller, params);
      const secret = createRandomSecret(SECRET_MARK);
      const secretHash = await hashSecret(secret, row.secret_hash);
      const by = { actor: actorOf(caller), nowMs: now() };
      const previous = previousOf(row.secret_hash, body, by.nowMs);
      const rolled = await rollSecret(db, row, { secretHash, previous, by });
      if (rolled === null) throw new RialtoError('precondition_failed');
      const shown = show(rolled, by.nowMs);
      reply.header('etag', etagOf(shown));
      return { ...shown, client_secret: secret };
    },
  );
}

function addChanging(endpoints: Endpoints, { db, now }: ApplicationParts): void {
  endpoints.add(
    {
      id: 'updateApplication',
      method: 'PATCH',
      path: ONE,
      tag: TAG,
      summary: 'Rename an application',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: { schema: NewApplicationSchema, example: { name: 'Campaign sync 2' } },
      answer: {
        status: 200,
        meaning: 'the application now',
        schema: ShownApplicationSchema,
        example: { ...APPLICATION_EXAMPLE, name: 'Campaign sync 2' },
        headers: ETAG,
      },
      errors: ['precondition_failed'],
    },
    async ({ caller, params, body, request, reply }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      const shown = await db.transaction().execute(async (transaction) => {
        const row = await findApplication(transaction, caller, params);
        requireMatch(request, show(row, by.nowMs));
        const renamed = await renameApplication(transaction, row, { name: body.name, by });
        return show(renamed, by.nowMs);
      });
      reply.header('etag', etagOf(shown));
      return shown;
    },
  );
  endpoints.add(
    {
      id: 'deleteApplication',
      method: 'DELETE',
      path: ONE,
      tag: TAG,
      summary: 'Remove an application with its tokens',
      description:
        'Its secret and its tokens end at once. A configuration file that still has it makes it anew when it is applied.',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 204, meaning: 'it is removed', schema: null },
    },
    async ({ caller, params }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      await db.transaction().execute(async (transaction) => {
        const row = await findApplication(transaction, caller, params);
        await deleteApplication(transaction, row, by);
      });
    },
  );
}

function show(row: Database['applications'], nowMs: number): ShownApplication {
  return {
    client_id: row.client_id,
    name: row.name,
    user_id: row.user_id,
    previous_secret: showPrevious(row.previous_secret_until, nowMs),
    ...shownTimes(row),
  };
}
