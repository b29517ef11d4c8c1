import type { FastifyInstance } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { RialtoError } from '../base/errors.ts';
import { ownField } from '../base/fields.ts';
import { answerOtherMethods } from '../base/other-methods.ts';
import { jsonPointer, type Problem } from '../base/problem.ts';
import { checkSchema } from '../configuration/check-schema.ts';
import type { Finding } from '../configuration/finding.ts';
import type { Asked } from './asked.ts';
import { callerOf } from './authenticate.ts';
import { checkText } from './check-text.ts';
import type { Endpoint } from './endpoint.ts';
import { serve, type Served } from './serve.ts';
import { IdempotentRequests, type IdempotencyParts } from './idempotency.ts';
import { UserQueues } from './user-queues.ts';

/** Returns the answer's body; the status is the endpoint's, unless the reply has got another. */
type Handle<Query, Body> = (asked: Asked<Query, Body>) => Promise<unknown>;

/** The endpoints of the management API, as they are added to a server. */
export class Endpoints {
  readonly #api: FastifyInstance;
  readonly #idempotency: IdempotentRequests | null;
  readonly #all: Endpoint[] = [];
  readonly #queues = new UserQueues();

  /** @param idempotency where keys of requests are kept; null for endpoints that make nothing. */
  constructor(api: FastifyInstance, idempotency: IdempotencyParts | null) {
    this.#api = api;
    this.#idempotency = idempotency === null ? null : new IdempotentRequests(idempotency);
  }

  /** Those that were added so far. */
  get all(): readonly Endpoint[] {
    return this.#all;
  }

  /** Adds an endpoint, with and without the slash at the end of its path. */
  add<Query extends TObject, Body extends TSchema>(
    endpoint: Endpoint<Query, Body>,
    handle: Handle<Static<Query>, Static<Body>>,
  ): void {
    this.#all.push(endpoint);
    const query = Compile(endpoint.query);
    const body = Compile(endpoint.body.schema);
    const { method, path, scope } = endpoint;
    const served: Served = scope === undefined ? { method, path } : { method, path, scope };
    serve(this.#api, served, async (request, reply) => {
      const caller = callerOf(request);
      if (!endpoint.roles.includes(caller.role)) throw new RialtoError('forbidden');
      const { params } = request;
      const asked = {
        caller,
        params: Object(params),
        query: check(query, readQuery(endpoint.query, Object(readText(request.query)))),
        body: readChecked(body, request.body),
        request,
        reply,
      };
      reply.code(endpoint.answer.status);
      return this.#queues.run(caller.userId, () =>
        this.#idempotency === null
          ? handle(asked)
          : this.#idempotency.answer(endpoint, asked, () => handle(asked)),
      );
    });
  }

  /** Answers all other methods on the paths of the endpoints. */
  answerOtherMethods(): void {
    for (const path of new Set(this.#all.map((endpoint) => endpoint.path))) {
      const methods = this.#all.filter((each) => each.path === path).map(({ method }) => method);
      // A method that is not there asks for no scope.
      answerOtherMethods(this.#api, path, methods, { config: { scope: 'read' } });
    }
  }
}

/** What is wrong with a request, as its answer says it. */
export function invalidRequest(findings: readonly Finding[]): RialtoError {
  return new RialtoError('invalid_request', problemsOf(findings));
}

/** Findings about a document as problems with JSON pointers; no more than somebody reads. */
export function problemsOf(findings: readonly Finding[]): Problem[] {
  const told = findings.slice(0, PROBLEMS_MAX);
  if (told.length < findings.length) told.push({ path: [], message: 'has more faults than these' });
  return told.map(({ path, message }) => ({ pointer: jsonPointer(...path), message }));
}

const PROBLEMS_MAX = 100;

/** A query's texts as what its schema asks for; what is not written like that stays a text. */
function readQuery({ properties }: TObject, query: object): object {
  const read = Object.entries(query).map(([name, value]): [string, unknown] => {
    const type = ownField(ownField(properties, name), 'type');
    if (type === 'integer' && /^-?[0-9]{1,15}$/.test(value)) return [name, Number(value)];
    if (type === 'boolean' && /^(?:true|false)$/.test(value)) return [name, value === 'true'];
    return [name, value];
  });
  return Object.fromEntries(read);
}

function readText(body: unknown): unknown {
  const findings = checkText(body);
  if (findings.length > 0) throw invalidRequest(findings);
  return body;
}

/**
 * What a request has sent, when it is as the schema asks for.
 *
 * @throws RialtoError with all that is wrong.
 */
export function readChecked<Schema extends TSchema>(
  validator: Validator<{}, Schema>,
  sent: unknown,
): Static<Schema> {
  return check(validator, readText(sent));
}

function check<Schema extends TSchema>(
  validator: Validator<{}, Schema>,
  value: unknown,
): Static<Schema> {
  if (validator.Check(value)) return value;
  throw invalidRequest(checkSchema(validator, value));
}
