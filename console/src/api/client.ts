import { ApiProblem, problemOf, UNREACHABLE } from './problem.ts';
import { isUnattended } from './attendance.ts';

type Scalar = string | number | boolean;

/** Parameters of a query; those that are undefined or empty are left out. */
export type Query = Readonly<Record<string, Scalar | null | undefined>>;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** From the server's root: `/api/demand-partners/101/`. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** Sent as JSON; a string is sent as it is, with `type`. */
  readonly body?: unknown;
  readonly type?: string | undefined;
  /** For a change of what was read with this ETag. */
  readonly ifMatch?: string | null | undefined;
}

/** An answer that succeeded. */
export interface Answer<Body> {
  readonly body: Body;
  readonly etag: string | null;
  /** How many a list has in all, of `X-Total-Count`. */
  readonly total: number | null;
  /** Where a list goes on, of `Link`: a path with its query. */
  readonly next: string | null;
}

let csrfToken: string | null = null;

/** What changes carry, so that no other site can send them: of the session, null without one. */
export function signChangesFor(session: { readonly csrf_token: string } | null): void {
  csrfToken = session?.csrf_token ?? null;
}

/**
 * Calls control. The body is taken to be what the address is documented to answer.
 *
 * @throws ApiProblem unless the answer is a success.
 */
export async function call<Body>(wanted: Call, signal?: AbortSignal): Promise<Answer<Body>> {
  const answer = await send(wanted, signal);
  if (!answer.ok) throw await problemOf(answer);
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  // The one place where what the network says gets the type that the schemas give it.
  const body: Body = isJson ? await answer.json() : await answer.text();
  return { body, etag: answer.headers.get('etag'), total: totalOf(answer), next: nextOf(answer) };
}

/** The address of a call, without the server. */
export function addressOf({ path, query = {} }: Pick<Call, 'path' | 'query'>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function send(wanted: Call, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch(addressOf(wanted), {
      method: wanted.method,
      headers: headersOf(wanted),
      body: bodyOf(wanted.body),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiProblem(0, { code: 'unreachable', message: UNREACHABLE }, { cause: error });
  }
}

function headersOf({ method, body, type, ifMatch }: Call): Record<string, string> {
  return {
    accept: 'application/json',
    ...(isUnattended() ? { 'x-unattended': '1' } : {}),
    ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
    ...(method === 'GET' || csrfToken === null ? {} : { 'x-csrf-token': csrfToken }),
    ...(ifMatch === undefined || ifMatch === null ? {} : { 'if-match': ifMatch }),
  };
}

function bodyOf(body: unknown): string | null {
  if (body === undefined) return null;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function totalOf(answer: Response): number | null {
  const text = answer.headers.get('x-total-count');
  return text === null ? null : Number(text);
}

function nextOf(answer: Response): string | null {
  const next = /<([^>]*)>;\s*rel="?next"?/.exec(answer.headers.get('link') ?? '')?.[1];
  if (next === undefined) return null;
  const { pathname, search } = new URL(next, window.location.origin);
  return pathname + search;
}
