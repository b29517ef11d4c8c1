import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { RialtoError } from '../base/errors.ts';
import { ownField } from '../base/fields.ts';
import {
  claimKey,
  keepAnswer,
  releaseKey,
  type KeptAnswer,
  type KeyedRequest,
} from '../configuration/idempotency-keys.ts';
import type { Database } from '../configuration/schema.ts';
import type { Asked } from './asked.ts';
import type { Endpoint } from './endpoint.ts';

/** Where keys and the answers to their requests are kept. */
export interface IdempotencyParts {
  readonly db: Kysely<Database>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** Whether a request to the endpoint may carry an `Idempotency-Key`: it makes something. */
export function makesSomething({ method, answer }: Endpoint): boolean {
  return method === 'POST' && answer.status === 201;
}

/**
 * Does the work of a request once for its `Idempotency-Key`
 * (draft-ietf-httpapi-idempotency-key-header): who sends it again within a day, after an answer that was
 * lost, gets the first answer and nothing is made. What was refused keeps no key. A control that ends
 * between work and answer leaves a key whose outcome nobody knows, which is said.
 */
export class IdempotentRequests {
  readonly #parts: IdempotencyParts;
  /** Of this process, each until it is answered; another process's are told to come again. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(parts: IdempotencyParts) {
    this.#parts = parts;
  }

  /**
   * @throws RialtoError for another body under the key, for a request that is under way elsewhere or of
   *   unknown outcome, and where the answer had a secret, which is shown once.
   */
  async answer(
    endpoint: Endpoint,
    asked: Asked<unknown, unknown>,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    const key = keyOf(asked);
    if (key === null || !makesSomething(endpoint)) return work();
    const request: KeyedRequest = {
      userId: asked.caller.userId,
      address: pathOf(asked.request.url),
      key,
      bodyHash: createHash('sha256')
        .update(JSON.stringify(asked.body) ?? '')
        .digest('base64url'),
    };
    const place = JSON.stringify([request.userId, request.address, key]);
    const before = this.#underWay.get(place) ?? Promise.resolve();
    const answered = before.then(() => this.#once({ request, endpoint, asked }, work));
    const settled = Promise.allSettled([answered]);
    this.#underWay.set(place, settled);
    try {
      return await answered;
    } finally {
      if (this.#underWay.get(place) === settled) this.#underWay.delete(place);
    }
  }

  async #once(first: First, work: () => Promise<unknown>): Promise<unknown> {
    const { db, now } = this.#parts;
    const claim = await claimKey(db, first.request, now());
    switch (claim.kind) {
      case 'claimed':
        return answerFirst(db, first, work);
      case 'answered':
        return repeat(claim.answer, first.asked);
      case 'unsettled':
        throw new RialtoError('idempotency_key_unsettled');
      case 'another_body':
        throw new RialtoError('idempotency_key_reused');
    }
  }
}

interface First {
  readonly request: KeyedRequest;
  readonly endpoint: Endpoint;
  readonly asked: Asked<unknown, unknown>;
}

async function answerFirst(
  db: Kysely<Database>,
  { request, endpoint, asked }: First,
  work: () => Promise<unknown>,
): Promise<unknown> {
  try {
    const body = await work();
    if (endpoint.answer.didNothing?.(body) === true) await releaseKey(db, request);
    else await keepAnswer(db, request, keptOf(endpoint, asked, body));
    return body;
  } catch (error) {
    // What was refused, also for a moment, did nothing; of what failed nobody knows.
    if (error instanceof RialtoError && error.code !== 'internal') await releaseKey(db, request);
    throw error;
  }
}

function keptOf(
  { answer }: Endpoint,
  { reply, params }: Asked<unknown, unknown>,
  body: unknown,
): KeptAnswer {
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  const status = reply.statusCode;
  if (answer.shownOnce === undefined) {
    return { status, headers, body: JSON.stringify(body), resourceId: null };
  }
  const id = ownField(body, answer.shownOnce);
  const isId = typeof id === 'string' || typeof id === 'number';
  const resourceId = isId ? String(id) : (params[answer.shownOnce] ?? null);
  return { status, headers, body: null, resourceId };
}

const KEPT_HEADERS = ['location', 'etag'];

function repeat({ status, headers, body, resourceId }: KeptAnswer, asked: Asked<unknown, unknown>) {
  if (body === null) throw new RialtoError('secret_already_shown', [], { resourceId });
  const { reply } = asked;
  return reply
    .code(status)
    .headers({ ...headers, 'idempotency-replayed': 'true' })
    .type('application/json; charset=utf-8')
    .send(body);
}

function keyOf({ request }: Asked<unknown, unknown>): string | null {
  const { 'idempotency-key': key } = request.headers;
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const message = 'the Idempotency-Key header must be 1 to 255 visible ASCII characters';
  throw new RialtoError('invalid_request', [{ pointer: '', message }]);
}

function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.replace(/\/$/, '');
}
