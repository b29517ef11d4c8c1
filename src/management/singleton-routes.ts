import type { Kysely } from 'kysely';
import Type, { type StaticEncode, type TObject } from 'typebox';
import { RialtoError } from '../base/errors.ts';
import { changeConfiguration } from '../configuration/change.ts';
import type { Element, Plan } from '../configuration/plan.ts';
import type { Database } from '../configuration/schema.ts';
import type { Caller, CallerRole } from '../identity/caller.ts';
import { actorOf } from './actor.ts';
import { BodyReader, type BodyRules } from './body-reader.ts';
import { NO_BODY, NO_QUERY } from './endpoint.ts';
import type { Asked } from './asked.ts';
import { invalidRequest, type Endpoints } from './endpoints.ts';
import { answerTagged, etagOf, requireMatch } from './etag.ts';
import type { Params } from './resource.ts';
import { ETAG, PATCHING, type ResourceParts } from './resource-routes.ts';

/** A resource of which there is one at its address, or none yet. */
export interface Singleton<Schema extends TObject> extends BodyRules<Schema> {
  /** `Bidder`, for the names of operations. */
  readonly name: string;
  readonly tag: string;
  readonly description?: string;
  /** After `/api`. */
  readonly path: string;
  readonly example: object;
  readonly readers: readonly CallerRole[];
  readonly writers: readonly CallerRole[];
  /**
   * It as it is shown; null where there is none yet, which a PATCH makes.
   *
   * @throws RialtoError `not_found` for an address that is not the caller's.
   */
  readonly find: (db: Kysely<Database>, caller: Caller, params: Params) => Promise<object | null>;
  /** Plans what is to be made or changed; its form is checked already. */
  readonly plan: (plan: Plan, element: Element<StaticEncode<Schema>>, params: Params) => void;
}

/** The endpoints of a singleton: get, and make or change by JSON Merge Patch (RFC 7396). */
export function addSingleton<Schema extends TObject>(
  endpoints: Endpoints,
  singleton: Singleton<Schema>,
  parts: ResourceParts,
): void {
  const { path, name, noun, tag, readers, writers, shown, schema, example } = singleton;
  const about = singleton.description === undefined ? {} : { description: singleton.description };
  const bodies = new BodyReader(singleton);
  const given = Object.entries(example).filter(([key]) => key in schema.properties);
  const patches = Type.Partial(Type.Object(schema.properties), { title: `${name}Fields` });
  endpoints.add(
    {
      id: `get${name}`,
      method: 'GET',
      path,
      tag,
      summary: `Get the ${noun}`,
      ...about,
      roles: readers,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 200, meaning: `the ${noun}`, schema: shown, example, headers: ETAG },
    },
    async ({ caller, params, request, reply }) =>
      answerTagged(request, reply, await present(singleton, parts.db, { caller, params })),
  );
  endpoints.add(
    {
      id: `update${name}`,
      method: 'PATCH',
      path,
      tag,
      summary: `Change the ${noun}`,
      description: PATCHING,
      roles: writers,
      query: NO_QUERY,
      body: { schema: Type.Unknown(), patches, example: Object.fromEntries(given.slice(0, 2)) },
      answer: { status: 200, meaning: `the ${noun} now`, schema: shown, example, headers: ETAG },
      errors: ['precondition_failed'],
    },
    async (asked) => {
      const now = await change(singleton, bodies, { asked, parts });
      asked.reply.header('etag', etagOf(now));
      return now;
    },
  );
}

interface Asking {
  readonly asked: Asked<object, unknown>;
  readonly parts: ResourceParts;
}

async function change<Schema extends TObject>(
  singleton: Singleton<Schema>,
  bodies: BodyReader<Schema>,
  { asked: { caller, params, body, request }, parts: { db, now } }: Asking,
): Promise<object> {
  const by = { actor: actorOf(caller), nowMs: now() };
  const changed = await changeConfiguration(db, by, {
    plan: async (plan, transaction) => {
      const before = await singleton.find(transaction, caller, params);
      requireMatch(request, before);
      singleton.plan(plan, bodies.readPatch(body, { before, id: {}, caller }), params);
    },
    read: (transaction) => present(singleton, transaction, { caller, params }),
  });
  if (changed.ok) return changed.result;
  throw invalidRequest(changed.findings);
}

async function present<Schema extends TObject>(
  singleton: Singleton<Schema>,
  db: Kysely<Database>,
  { caller, params }: Pick<Asked<object, unknown>, 'caller' | 'params'>,
): Promise<object> {
  const shown = await singleton.find(db, caller, params);
  if (shown === null) throw new RialtoError('not_found');
  return shown;
}
