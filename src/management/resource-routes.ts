import type { Kysely } from 'kysely';
import Type, { type TObject, type TProperties } from 'typebox';
import { RialtoError } from '../base/errors.ts';
import { changeConfiguration, type Change } from '../configuration/change.ts';
import {
  EVERYTHING,
  countRows,
  findRow,
  listRows,
  type ResourceTable,
  type Rows,
} from '../configuration/resource-rows.ts';
import type { Database } from '../configuration/schema.ts';
import type { Caller } from '../identity/caller.ts';
import { actorOf } from './actor.ts';
import { BodyReader } from './body-reader.ts';
import { NO_BODY, NO_QUERY } from './endpoint.ts';
import type { Asked } from './asked.ts';
import { invalidRequest, type Endpoints } from './endpoints.ts';
import { answerTagged, etagOf, requireMatch } from './etag.ts';
import { answerPage, LIST_HEADERS, listQuery, pageOf } from './page.ts';
import type { Params, Resource } from './resource.ts';

/** What changing a resource takes. */
export interface ResourceParts {
  readonly db: Kysely<Database>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/**
 * The endpoints of a kind of resource: list, get, create, and change by JSON Merge Patch (RFC 7396).
 * Nothing is deleted: what is over is archived. Every answer with one resource carries its ETag, and
 * a change with `If-Match` is held against it.
 */
export function addResource<
  Table extends ResourceTable,
  Schema extends TObject,
  Filters extends TProperties,
  Extra extends object,
>(
  endpoints: Endpoints,
  resource: Resource<Table, Schema, Filters, Extra>,
  parts: ResourceParts,
): void {
  const service = new ResourceService(resource, parts);
  addReading(endpoints, resource, service);
  addChanging(endpoints, resource, service);
}

function addReading<
  Table extends ResourceTable,
  Schema extends TObject,
  Filters extends TProperties,
  Extra extends object,
>(
  endpoints: Endpoints,
  resource: Resource<Table, Schema, Filters, Extra>,
  service: ResourceService<Table, Schema, Filters, Extra>,
): void {
  const { path, param, name, noun, plural, tag, readers: roles, shown, example } = resource;
  const about = resource.description === undefined ? {} : { description: resource.description };
  endpoints.add(
    {
      id: `list${name}s`,
      method: 'GET',
      path,
      tag,
      summary: `List ${plural}`,
      ...about,
      roles,
      query: listQuery(resource.filters, resource.sorts),
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: `the ${plural}`,
        schema: Type.Array(shown),
        example: [example],
        headers: LIST_HEADERS,
      },
    },
    (asked) => service.list(asked),
  );
  endpoints.add(
    {
      id: `get${name}`,
      method: 'GET',
      path: `${path}/:${param}`,
      tag,
      summary: `Get one ${noun}`,
      roles,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 200, meaning: `the ${noun}`, schema: shown, example, headers: ETAG },
    },
    (asked) => service.get(asked),
  );
}

/** What is said of the header of every answer with one resource. */
export const ETAG = { ETag: 'which form of it this is; send it as If-Match with a change' };

function addChanging<
  Table extends ResourceTable,
  Schema extends TObject,
  Filters extends TProperties,
  Extra extends object,
>(
  endpoints: Endpoints,
  resource: Resource<Table, Schema, Filters, Extra>,
  service: ResourceService<Table, Schema, Filters, Extra>,
): void {
  const { path, param, name, noun, tag, creators, writers, shown, example } = resource;
  const fields = { ...resource.schema.properties };
  if (resource.newId !== null) delete fields['id'];
  const given = Object.entries(example).filter(([key]) => key in fields);
  const patches = Type.Partial(Type.Object(fields), { title: `${name}Fields` });
  const needed: ReadonlySet<string> = new Set(['id', ...resource.fields.needed]);
  const made = Type.Object(
    Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [
        key,
        needed.has(key)
          ? Type.Required(Type.Object({ field })).properties.field
          : Type.Optional(field),
      ]),
    ),
    { title: `New${name}`, additionalProperties: false },
  );
  const one = /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
  endpoints.add(
    {
      id: `create${name}`,
      method: 'POST',
      path,
      tag,
      summary: `Create ${one}`,
      roles: creators,
      query: NO_QUERY,
      body: { schema: Type.Unknown(), patches: made, example: Object.fromEntries(given) },
      answer: {
        status: 201,
        meaning: `the ${noun} that was made`,
        schema: shown,
        example,
        headers: { Location: 'its address', ...ETAG },
      },
    },
    (asked) => service.create(asked),
  );
  endpoints.add(
    {
      id: `update${name}`,
      method: 'PATCH',
      path: `${path}/:${param}`,
      tag,
      summary: `Change ${one}`,
      description: PATCHING,
      roles: writers,
      query: NO_QUERY,
      body: { schema: Type.Unknown(), patches, example: Object.fromEntries(given.slice(0, 2)) },
      answer: { status: 200, meaning: `the ${noun} now`, schema: shown, example, headers: ETAG },
      errors: ['precondition_failed'],
    },
    (asked) => service.change(asked),
  );
}

export const PATCHING =
  'A JSON Merge Patch (RFC 7396): keys that are left out stay as they are, objects are merged, lists are replaced, null takes a value back.';

type AnyAsked = Asked<object, unknown>;

/** Does what the endpoints of one kind of resource say. */
class ResourceService<
  Table extends ResourceTable,
  Schema extends TObject,
  Filters extends TProperties,
  Extra extends object,
> {
  readonly #resource: Resource<Table, Schema, Filters, Extra>;
  readonly #parts: ResourceParts;
  readonly #bodies: BodyReader<Schema>;

  constructor(resource: Resource<Table, Schema, Filters, Extra>, parts: ResourceParts) {
    this.#resource = resource;
    this.#parts = parts;
    this.#bodies = new BodyReader(resource);
  }

  async list({ caller, params, query, request, reply }: AnyAsked): Promise<unknown> {
    const rows = await this.#rows(this.#parts.db, caller, params);
    const { limit, offset, sort, ...given } = Object(query);
    const page = pageOf({ limit, offset, sort });
    const filters = new Map<string, string | number>(Object.entries(given));
    const found = await listRows(this.#parts.db, rows, { page, filters });
    answerPage(request, reply, { page, total: found.total });
    return this.#show(this.#parts.db, caller, found.rows);
  }

  async get({ caller, params, request, reply }: AnyAsked): Promise<unknown> {
    const shown = await this.#find(this.#parts.db, caller, params);
    return answerTagged(request, reply, shown);
  }

  async create({ caller, params, body, request, reply }: AnyAsked): Promise<unknown> {
    const { newId } = this.#resource;
    const made = await this.#carryOut(caller, params, {
      plan: async (plan, transaction) => {
        await this.#refuseBeyond(transaction, await this.#rows(transaction, caller, params));
        const element = this.#bodies.readNew(body, caller, newId?.(plan));
        const { id } = element.input;
        if (typeof id !== 'string' && typeof id !== 'number') {
          throw new TypeError('a new resource has no id');
        }
        if (newId === null) await this.#refuseTaken(transaction, id);
        this.#resource.plan(plan, element, params);
        return id;
      },
    });
    const [path = ''] = request.url.split('?');
    reply.header('location', `${path.replace(/\/$/, '')}/${encodeURIComponent(made.id)}/`);
    reply.header('etag', etagOf(made.shown));
    return made.shown;
  }

  async change({ caller, params, body, request, reply }: AnyAsked): Promise<unknown> {
    const { shown } = await this.#carryOut(caller, params, {
      plan: async (plan, transaction) => {
        const id = this.#id(params);
        const before = await this.#find(transaction, caller, params);
        requireMatch(request, before);
        const element = this.#bodies.readPatch(body, { before, id: { id }, caller });
        this.#resource.plan(plan, element, params);
        return id;
      },
    });
    reply.header('etag', etagOf(shown));
    return shown;
  }

  async #carryOut(
    caller: Caller,
    params: Params,
    { plan }: Pick<Change<string | number, never>, 'plan'>,
  ): Promise<{ readonly id: string | number; readonly shown: object }> {
    const { db, now } = this.#parts;
    const by = { actor: actorOf(caller), nowMs: now() };
    const changed = await changeConfiguration(db, by, {
      plan,
      read: async (transaction, id) => {
        const params2 = { ...params, [this.#resource.param]: String(id) };
        return { id, shown: await this.#find(transaction, caller, params2) };
      },
    });
    if (changed.ok) return changed.result;
    throw invalidRequest(changed.findings);
  }

  async #rows(db: Kysely<Database>, caller: Caller, params: Params): Promise<Rows<Table, Extra>> {
    const { table, key, computed } = this.#resource;
    const within = await this.#resource.within(db, caller, params);
    return { table, key, within, ...(computed === undefined ? {} : { computed }) };
  }

  async #find(db: Kysely<Database>, caller: Caller, params: Params): Promise<object> {
    const id = this.#id(params);
    const row = await findRow(db, await this.#rows(db, caller, params), id);
    const [shown] = row === null ? [] : await this.#show(db, caller, [row]);
    if (shown === undefined) throw new RialtoError('not_found');
    return shown;
  }

  async #show(
    db: Kysely<Database>,
    caller: Caller,
    rows: readonly (Database[Table] & Extra)[],
  ): Promise<readonly object[]> {
    const { show, complete } = this.#resource;
    const completed = await complete?.(db, caller);
    return rows.map((row) => {
      const shown = show(row, caller);
      return completed === undefined ? shown : completed(row, shown);
    });
  }

  async #refuseBeyond(db: Kysely<Database>, rows: Rows<Table, Extra>): Promise<void> {
    const { most, plural } = this.#resource;
    if (most === undefined || (await countRows(db, rows)) < most) return;
    const message = `there are ${most} ${plural} already, the most there may be; change one that is archived instead`;
    throw invalidRequest([{ path: [], message }]);
  }

  /** A plan would change what has the id already. */
  async #refuseTaken(db: Kysely<Database>, id: string | number): Promise<void> {
    const { table, key, noun } = this.#resource;
    if ((await findRow(db, { table, key, within: EVERYTHING }, id)) === null) return;
    const message = `is taken: there is a ${noun} with this id, which a PATCH of it changes`;
    throw invalidRequest([{ path: ['id'], message }]);
  }

  #id(params: Params): string | number {
    const id = this.#resource.readId(params[this.#resource.param] ?? '');
    if (id === null) throw new RialtoError('not_found');
    return id;
  }
}
