import type { LightMyRequestResponse } from 'fastify';
import type { Endpoint } from '../../src/management/endpoint.ts';
import { brought } from './api-requests.ts';
import { dumpStore } from './store-dump.ts';
import { idsFrom, idsOf, type Ids, type TenantCaller, type Tenants } from './tenants.ts';

/**
 * Calls every endpoint as every kind of caller, with ids that are his own, another's and nobody's,
 * and returns what tells him more than it may. Empty where tenants are apart.
 */
export async function tenancyFaults(
  tenants: Pick<Tenants, 'app' | 'db' | 'callers'>,
  endpoints: readonly Endpoint[],
): Promise<readonly string[]> {
  const matrix = new Matrix(tenants);
  // Changes by those who may make them come last: they take away what the others are tried on.
  for (const endpoint of endpoints) await matrix.tryAll(endpoint);
  for (const endpoint of endpoints) if (endpoint.method === 'GET') await matrix.tryOwn(endpoint);
  for (const endpoint of endpoints) if (endpoint.method !== 'GET') await matrix.tryOwn(endpoint);
  return matrix.faults;
}

type Which = keyof Ids;

/** What a request is made of. */
interface Asked {
  readonly endpoint: Endpoint;
  readonly caller: TenantCaller;
  readonly path: string;
  readonly body: unknown;
}

/** An answer without what every answer has anew. */
interface Told {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

class Matrix {
  readonly faults: string[] = [];
  readonly #tenants: Pick<Tenants, 'app' | 'db' | 'callers'>;

  constructor(tenants: Pick<Tenants, 'app' | 'db' | 'callers'>) {
    this.#tenants = tenants;
  }

  /** All that must be refused, or answered as if there was nothing. */
  async tryAll(endpoint: Endpoint): Promise<void> {
    const before = await dumpStore(this.#tenants.db);
    for (const caller of this.#tenants.callers) {
      if (expectedRefusal(endpoint, caller) !== null) await this.#tryRefused(endpoint, caller);
      else if (caller.isTenant) await this.#tryForeign(endpoint, caller);
    }
    const after = await dumpStore(this.#tenants.db);
    if (after !== before) this.faults.push(`${endpoint.id}: the store has changed by a stranger`);
  }

  /** What a caller has of his own, which must show nothing of others either. */
  async tryOwn(endpoint: Endpoint): Promise<void> {
    for (const caller of this.#tenants.callers) {
      const isRefused = expectedRefusal(endpoint, caller) !== null;
      if (isRefused || (!caller.isTenant && endpoint.method !== 'GET')) continue;
      const names = namesOf(endpoint);
      const path = await this.#fill(endpoint, all(names, 'mine'), caller);
      for (const body of bodiesOf(endpoint)) {
        const { status } = await this.#ask({ endpoint, caller, path, body });
        if (endpoint.method !== 'GET' || status < 400 || status >= 500 || !isOwn(names, caller))
          continue;
        this.#note({ endpoint, caller }, `${path} is the caller's own, and answers ${status}`);
      }
    }
  }

  /** Before anybody looks where a request leads, its answer depends on nothing in it. */
  async #tryRefused(endpoint: Endpoint, caller: TenantCaller): Promise<void> {
    const expected = expectedRefusal(endpoint, caller);
    const told: Told[] = [];
    for (const which of ['mine', 'others', 'missing'] as const) {
      const names = namesOf(endpoint);
      const path = await this.#fill(endpoint, all(names, which), caller);
      for (const body of bodiesOf(endpoint)) {
        const answer = await this.#ask({ endpoint, caller, path, body });
        told.push(answer);
        if (answer.status === expected) continue;
        this.#note({ endpoint, caller }, `${path} answers ${answer.status}, not ${expected}`);
      }
    }
    if (new Set(told.map((each) => JSON.stringify(each))).size > 1) {
      this.#note({ endpoint, caller }, 'is refused in different words');
    }
  }

  /** What is another's answers like what does not exist, for each of the ids and for all. */
  async #tryForeign(endpoint: Endpoint, caller: TenantCaller): Promise<void> {
    const names = namesOf(endpoint);
    const own = all(names, 'mine');
    const places = [...names.map((name) => [name]), ...(names.length > 1 ? [names] : [])];
    for (const changed of places) {
      const foreign = await this.#fill(endpoint, { ...own, ...all(changed, 'others') }, caller);
      const missing = await this.#fill(endpoint, { ...own, ...all(changed, 'missing') }, caller);
      for (const body of bodiesOf(endpoint)) {
        const a = await this.#ask({ endpoint, caller, path: foreign, body });
        const b = await this.#ask({ endpoint, caller, path: missing, body });
        if (JSON.stringify(a) === JSON.stringify(b)) continue;
        this.#note(
          { endpoint, caller },
          `${foreign} (${a.status}) is told from ${missing} (${b.status})`,
        );
      }
    }
  }

  async #ask({ endpoint, caller, path, body }: Asked): Promise<Told> {
    const { method, queryExample = {}, body: described } = endpoint;
    const type = body === undefined ? {} : { 'content-type': described.type ?? 'application/json' };
    const query = Object.entries(queryExample).map(([name, value]) => `${name}=${brought(value)}`);
    const answer = await this.#tenants.app.inject({
      method,
      url: `/api${path}/?${query.join('&')}`,
      headers: { ...headersOf(caller), ...type },
      ...(body === undefined ? {} : { body: textOf(endpoint, body) }),
    });
    if (answer.statusCode >= 500 && !isWaiting(answer)) {
      this.#note({ endpoint, caller }, `${path} answers ${answer.statusCode}: ${answer.body}`);
    }
    this.#search({ endpoint, caller, path, body }, answer);
    return toldBy(answer, path);
  }

  #search({ endpoint, caller, path, body }: Asked, answer: LightMyRequestResponse): void {
    const said = `${answer.body} ${JSON.stringify(answer.headers)}`.toLowerCase();
    const asked = `${path} ${JSON.stringify(body) ?? ''}`.toLowerCase();
    for (const text of caller.hidden) {
      // What the caller has said himself is no news to him.
      if (said.includes(text) && !asked.includes(text)) {
        this.#note({ endpoint, caller }, `${path} shows ${text}: ${answer.body.slice(0, 300)}`);
      }
    }
  }

  #note({ endpoint, caller }: Pick<Asked, 'endpoint' | 'caller'>, what: string): void {
    this.faults.push(`${endpoint.id} by ${caller.name}: ${what}`);
  }

  async #fill(
    endpoint: Endpoint,
    which: Readonly<Record<string, Which>>,
    { own = {} }: Pick<TenantCaller, 'own'> = {},
  ): Promise<string> {
    let path = endpoint.path;
    for (const [name, each] of Object.entries(which)) {
      const ids = (await idsOf(this.#tenants.db, name)) ?? (await this.#listed(endpoint, name));
      const id = each === 'mine' ? (own[name] ?? ids[each]) : ids[each];
      path = path.replace(`:${name}`, id);
    }
    return path;
  }

  /** The ids of a parameter without a fixture, out of the collection that it names one of. */
  async #listed(endpoint: Endpoint, name: string): Promise<Ids> {
    const [collection = ''] = endpoint.path.split(`/:${name}`);
    const operator = this.#tenants.callers.find(({ role }) => role === 'operator');
    const found: string[] = [];
    for (const which of ['mine', 'others'] as const) {
      const names = namesOf({ path: collection });
      const path = await this.#fill({ ...endpoint, path: collection }, all(names, which));
      const headers = { authorization: `Bearer ${operator?.token ?? ''}` };
      const answer = await this.#tenants.app.inject({ url: `/api${path}/`, headers });
      const list: unknown = answer.statusCode === 200 ? answer.json() : [];
      const items = Array.isArray(list) ? list : [];
      const item: unknown = which === 'mine' ? items[0] : items.at(-1);
      const id: unknown = Reflect.get(Object(item), name) ?? Reflect.get(Object(item), 'id');
      found.push(typeof id === 'string' || typeof id === 'number' ? String(id) : '');
    }
    const [mine = '', others = ''] = found;
    // Where there is none, ids that look like one.
    return idsFrom(mine || '987654322', others || '987654323');
  }
}

/** What proves who calls: a token, or a browser's session. */
function headersOf({ token, session = {} }: TenantCaller): Readonly<Record<string, string>> {
  return token === null ? session : { authorization: `Bearer ${token}` };
}

/** The status of who may not call an endpoint at all, wherever it leads; null for who may. */
function expectedRefusal(endpoint: Endpoint, caller: TenantCaller): number | null {
  if (caller.refused !== null) return caller.refused;
  const asks = endpoint.method === 'GET' || endpoint.scope === 'read';
  if (!caller.mayWrite && !asks) return 403;
  return endpoint.roles.includes(caller.role) ? null : 403;
}

/** Tests have no analytics store: what asks it is refused. */
function isWaiting({ statusCode, body }: LightMyRequestResponse): boolean {
  return statusCode === 503 && body.includes('"code":"analytics_unavailable"');
}

/** Whether the ids in a path, as they are the caller's own, must lead somewhere. */
function isOwn(names: readonly string[], { role }: TenantCaller): boolean {
  const owned = OWNED[role] ?? [];
  return names.length > 0 && names.every((name) => owned.includes(name));
}

const OWNED: Readonly<Record<string, readonly string[]>> = {
  'demand-partner': ['demand_partner_id', 'line_item_id'],
  publisher: ['publisher_id', 'app_id', 'site_id', 'ad_space_id'],
};

function namesOf({ path }: Pick<Endpoint, 'path'>): string[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
}

function all(names: readonly string[], which: Which): Readonly<Record<string, Which>> {
  return Object.fromEntries(names.map((name) => [name, which]));
}

/** Bodies that are no JSON are sent as they stand. */
function textOf({ body: { type } }: Endpoint, body: unknown): string {
  return type !== undefined && typeof body === 'string' ? brought(body) : JSON.stringify(body);
}

/** As it should be, empty, and of a wrong form. */
function bodiesOf({ method, body }: Endpoint): readonly unknown[] {
  return method === 'GET' ? [undefined] : [body.example, {}, { zz: 1 }];
}

/** Without the ids of the request, which an answer may repeat. */
function toldBy({ statusCode, headers, body }: LightMyRequestResponse, path: string): Told {
  const kept = Object.entries(headers).filter(([name]) => !VARYING.has(name));
  let [head, text] = [JSON.stringify(kept), body];
  for (const id of path
    .split('/')
    .filter((segment) => segment.length > 2 && /\d|[-_]|qq/.test(segment))) {
    head = head.replaceAll(id, 'ID');
    text = text.replaceAll(id, 'ID');
  }
  return { status: statusCode, headers: head, body: text };
}

/** What is left of the caller's writes is another number in each answer, and tells of nobody else. */
const VARYING: ReadonlySet<string> = new Set(['date', 'content-length', 'ratelimit']);
