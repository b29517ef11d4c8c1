import type { Kysely, RawBuilder } from 'kysely';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { RialtoError } from '../../base/errors.ts';
import { ownField } from '../../base/fields.ts';
import { changeConfiguration } from '../../configuration/change.ts';
import { checkSchema } from '../../configuration/check-schema.ts';
import type { Finding } from '../../configuration/finding.ts';
import { linksOf, replaceLink } from '../../configuration/one-time-link-store.ts';
import { confirmedOf } from '../../configuration/second-factor-store.ts';
import { EVERYTHING, findRow, listRows, type Rows } from '../../configuration/resource-rows.ts';
import { emailKey } from '../../configuration/resources/user.ts';
import type { Database } from '../../configuration/schema.ts';
import { writeLinkAudit } from '../../configuration/user-links.ts';
import type { Caller } from '../../identity/caller.ts';
import { makeLink } from '../../identity/one-time-links.ts';
import { actorOf } from '../actor.ts';
import { EVERYBODY, NO_BODY, NO_QUERY, OPERATORS } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { answerTagged, etagOf, requireMatch } from '../etag.ts';
import { isObject } from '../merge-patch.ts';
import { ownedBy } from '../owners.ts';
import { answerPage, LIST_HEADERS, listQuery, pageOf } from '../page.ts';
import { readNumericId, type Params } from '../resource.ts';
import { ETAG } from '../resource-routes.ts';
import { addLinks, showMade, type UserParts } from './link-routes.ts';
import { planNewUser, planStatus } from './rules.ts';
import {
  InvitedUserSchema,
  LINK_EXAMPLE,
  NewUserSchema,
  ShownUserSchema,
  USER_EXAMPLE,
  type InvitedUser,
  USER_FILTERS,
  UserPatchSchema,
  type ShownUser,
} from './schema.ts';
import { showUser } from './show.ts';

const TAG = 'Users';
const PATH = '/users';
const ONE = '/users/:user_id';

/** The people who sign in, and the one-time links by which they choose their passwords. */
export function registerUsers(endpoints: Endpoints, parts: UserParts): void {
  addReading(endpoints, parts);
  addInviting(endpoints, parts);
  addLinks(endpoints, parts, findUser);
  addChanging(endpoints, parts);
}

function addReading(endpoints: Endpoints, { db, now }: UserParts): void {
  endpoints.add(
    {
      id: 'listUsers',
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: 'List users',
      description:
        'An operator sees all; others see the users of their own demand partner or publisher.',
      roles: EVERYBODY,
      query: listQuery(USER_FILTERS, ['id', 'email', 'status', 'created_at', 'updated_at']),
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the users',
        schema: Type.Array(ShownUserSchema),
        example: [USER_EXAMPLE],
        headers: LIST_HEADERS,
      },
    },
    async ({ caller, query, request, reply }) => {
      const { limit: _limit, offset: _offset, sort: _sort, ...given } = query;
      const page = pageOf(query);
      const found = await listRows(db, visibleTo(caller), { page, filters: filtersOf(given) });
      answerPage(request, reply, { page, total: found.total });
      return showAll(db, found.rows, now());
    },
  );
  endpoints.add(
    {
      id: 'getUser',
      method: 'GET',
      path: ONE,
      tag: TAG,
      summary: 'Get one user',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the user',
        schema: ShownUserSchema,
        example: USER_EXAMPLE,
        headers: ETAG,
      },
    },
    async ({ caller, params, request, reply }) => {
      const row = await findUser(db, caller, params);
      return answerTagged(request, reply, await show(db, row, now()));
    },
  );
}

function addInviting(endpoints: Endpoints, { db, now, authUrl }: UserParts): void {
  endpoints.add(
    {
      id: 'createUser',
      method: 'POST',
      path: PATH,
      tag: TAG,
      summary: 'Create a user and a link to invite them with',
      description:
        'The link is shown once; give it to the user, who chooses a password there. It works once, for 72 hours. An operator has `groups` `["operator"]` and no association.',
      roles: OPERATORS,
      query: NO_QUERY,
      body: {
        schema: NewUserSchema,
        example: { email: USER_EXAMPLE.email, association: USER_EXAMPLE.association },
      },
      answer: {
        status: 201,
        meaning: 'the user that was made, and their invitation',
        schema: InvitedUserSchema,
        shownOnce: 'id',
        example: { ...USER_EXAMPLE, invitation: LINK_EXAMPLE },
        headers: { Location: 'its address', ...ETAG },
      },
    },
    async ({ caller, body, reply }): Promise<InvitedUser> => {
      const by = { actor: actorOf(caller), nowMs: now() };
      const changed = await changeConfiguration(db, by, {
        plan: (plan) => planNewUser(plan, body),
        read: async (transaction) => {
          const row = await transaction
            .selectFrom('users')
            .selectAll()
            .where('email', '=', emailKey(body.email))
            .executeTakeFirstOrThrow();
          const link = makeLink('invitation', row.id, by.nowMs);
          await replaceLink(transaction, link);
          await writeLinkAudit(transaction, row.email, link, by);
          return { shown: await show(transaction, row, by.nowMs), link };
        },
      });
      if (!changed.ok) throw invalidRequest(changed.findings);
      const { shown, link } = changed.result;
      reply.header('location', `/api${PATH}/${shown.id}/`).header('etag', etagOf(shown));
      return { ...shown, invitation: showMade(authUrl, link) };
    },
  );
}

function addChanging(endpoints: Endpoints, { db, now }: UserParts): void {
  const validator = Compile(UserPatchSchema);
  endpoints.add(
    {
      id: 'updateUser',
      method: 'PATCH',
      path: ONE,
      tag: TAG,
      summary: 'Change a user',
      description:
        'A JSON Merge Patch (RFC 7396) of `status`. Who is not ACTIVE cannot sign in, and neither can their applications. The last active operator stays. An e-mail address names its user in configuration files and cannot be changed: make another user and archive this one.',
      roles: OPERATORS,
      query: NO_QUERY,
      body: { schema: Type.Unknown(), patches: UserPatchSchema, example: { status: 'PAUSED' } },
      answer: {
        status: 200,
        meaning: 'the user now',
        schema: ShownUserSchema,
        example: { ...USER_EXAMPLE, status: 'PAUSED' },
        headers: ETAG,
      },
      errors: ['precondition_failed'],
    },
    async ({ caller, params, body, request, reply }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      const changed = await changeConfiguration(db, by, {
        plan: async (plan, transaction) => {
          const row = await findUser(transaction, caller, params);
          const before = await show(transaction, row, by.nowMs);
          requireMatch(request, before);
          const { given, findings } = settable(body, before);
          if (!validator.Check(given) || findings.length > 0) {
            throw invalidRequest([...findings, ...checkSchema(validator, given)]);
          }
          const user = plan.state.users.get(row.email);
          if (user !== undefined) planStatus(plan, user, given.status ?? row.status);
        },
        read: async (transaction) =>
          show(transaction, await findUser(transaction, caller, params), by.nowMs),
      });
      if (!changed.ok) throw invalidRequest(changed.findings);
      reply.header('etag', etagOf(changed.result));
      return changed.result;
    },
  );
}

/** The keys of a patch that can be set; others may come back as they are. */
function settable(
  body: unknown,
  before: ShownUser,
): { readonly given: object; readonly findings: readonly Finding[] } {
  if (!isObject(body)) {
    throw invalidRequest([{ path: [], message: 'must be a JSON object with the keys to set' }]);
  }
  const findings: Finding[] = [];
  const given = Object.entries(body).filter(([key, value]) => {
    if (key === 'status' || !Object.hasOwn(before, key)) return true;
    if (JSON.stringify(value) !== JSON.stringify(ownField(before, key))) {
      findings.push({ path: [key], message: `of a user cannot be changed` });
    }
    return false;
  });
  return { given: Object.fromEntries(given), findings };
}

/** The users that a caller may see: all, or those of the same demand partner or publisher. */
function visibleTo(caller: Caller): Rows<'users'> {
  return { table: 'users', key: 'id', within: withinOf(caller) };
}

function withinOf({ role, entityId }: Caller): RawBuilder<unknown> {
  if (role === 'operator') return EVERYTHING;
  // An id that nobody has: a user without an owner sees nobody.
  const column = role === 'publisher' ? 'publisher_id' : 'demand_partner_id';
  return ownedBy(column, entityId ?? 0);
}

const STORED_ROLES: Readonly<Record<string, Database['users']['role']>> = {
  operator: 'OPERATOR',
  'demand-partner': 'DEMAND_PARTNER',
  publisher: 'PUBLISHER',
};

/** The filters as the table's columns say them. */
function filtersOf(given: object): ReadonlyMap<string, string | number> {
  const filters = new Map<string, string | number>(Object.entries(given));
  const { email, role } = Object.fromEntries(filters);
  if (typeof email === 'string') filters.set('email', emailKey(email));
  if (role !== undefined) filters.set('role', STORED_ROLES[role] ?? '');
  return filters;
}

async function findUser(
  db: Kysely<Database>,
  caller: Caller,
  { user_id: text = '' }: Params,
): Promise<Database['users']> {
  const id = readNumericId(text);
  const row = id === null ? null : await findRow(db, visibleTo(caller), id);
  if (row === null) throw new RialtoError('not_found');
  return row;
}

async function show(
  db: Kysely<Database>,
  row: Database['users'],
  nowMs: number,
): Promise<ShownUser> {
  const [shown] = await showAll(db, [row], nowMs);
  if (shown === undefined) throw new Error('a user was not shown');
  return shown;
}

async function showAll(
  db: Kysely<Database>,
  rows: readonly Database['users'][],
  nowMs: number,
): Promise<readonly ShownUser[]> {
  const ids = rows.map(({ id }) => id);
  const links = await linksOf(db, ids);
  const confirmed = await confirmedOf(db, ids);
  return rows.map((row) =>
    showUser(row, { link: links.get(row.id), hasSecondFactor: confirmed.has(row.id) }, nowMs),
  );
}
