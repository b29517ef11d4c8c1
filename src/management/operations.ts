import Type, { type TSchema } from 'typebox';
import type { ErrorCode } from '../base/errors.ts';
import { definedField } from '../base/fields.ts';
import type { Answer, Content, Operation, Parameter } from '../openapi/operation.ts';
import { makesSomething } from './idempotency.ts';
import { NO_BODY, type Endpoint, type EndpointAnswer } from './endpoint.ts';

/** The endpoints of the management API as the reference describes them. */
export function managementOperations(endpoints: readonly Endpoint[]): readonly Operation[] {
  return endpoints.map(operationOf);
}

function operationOf(endpoint: Endpoint): Operation {
  const { id, method, path, tag, summary, description, roles, scope } = endpoint;
  return {
    id,
    method: METHODS[method],
    path: `/api${path.replaceAll(/:(\w+)/g, '{$1}')}/`,
    tag,
    summary,
    ...(description === undefined ? {} : { description }),
    roles,
    access: { scheme: 'accessToken', scope: scope ?? (method === 'GET' ? 'read' : 'write') },
    parameters: parametersOf(endpoint),
    body: bodyOf(endpoint),
    answers: answersOf(endpoint),
    problems: problemsOf(endpoint),
  };
}

const METHODS = {
  GET: 'get',
  POST: 'post',
  PATCH: 'patch',
  PUT: 'put',
  DELETE: 'delete',
} as const satisfies Record<Endpoint['method'], Operation['method']>;

function parametersOf(endpoint: Endpoint): readonly Parameter[] {
  const { path, query, queryExample } = endpoint;
  const inPath = pathParameters(path).map(({ name, description, schema, example }): Parameter => ({
    name,
    in: 'path',
    required: true,
    description,
    schema,
    example,
  }));
  const inQuery = Object.entries(query.properties).map(([name, schema]): Parameter => ({
    name,
    in: 'query',
    required: !Type.IsOptional(schema),
    description: String(Reflect.get(schema, 'description') ?? ''),
    schema,
    example: queryExample?.[name],
  }));
  return [...inPath, ...inQuery, ...conditionsOf(endpoint), ...repetitionOf(endpoint)];
}

const ETAGS = Type.String();

/** Headers that hold a request against what the client has seen. */
function conditionsOf(endpoint: Endpoint): readonly Parameter[] {
  const example = '"0f3a9c2b7d1e4f5a6b7c8d"';
  const header = { in: 'header', required: false, schema: ETAGS, example } as const;
  if (isTagged(endpoint)) {
    const description = 'answers 304 and nothing else if the resource is as this ETag has it';
    return [{ ...header, name: 'If-None-Match', description }];
  }
  if (endpoint.errors?.includes('precondition_failed') !== true) return [];
  const description = 'changes the resource only if it is as this ETag has it';
  return [{ ...header, name: 'If-Match', description }];
}

/** The header that makes a repetition harmless. */
function repetitionOf(endpoint: Endpoint): readonly Parameter[] {
  if (!makesSomething(endpoint)) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'a text of your own, new for each thing that is to be made: the same request under the same key is answered as the first was, for a day, and makes nothing',
      schema: Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$' }),
      example: '0a1f7c1e-4a61-4c0b-9b0e-2f6c1d9a7e55',
    },
  ];
}

function isTagged({ method, answer }: Endpoint): boolean {
  return method === 'GET' && Object.hasOwn(answer.headers ?? {}, 'ETag');
}

/** RFC 7396 has a content type of its own; plain JSON does as well. */
const PATCH_TYPES: readonly string[] = ['application/merge-patch+json', 'application/json'];

function bodyOf({ method, body }: Endpoint): readonly Content[] {
  if (body === NO_BODY || method === 'GET') return [];
  const { schema, patches, example, type: own = 'application/json' } = body;
  const types = method === 'PATCH' ? PATCH_TYPES : [own];
  return types.map((type) => ({ type, schema: patches ?? schema, example }));
}

function answersOf(endpoint: Endpoint): readonly Answer[] {
  const { status, meaning, also, headers } = endpoint.answer;
  const contents = contentsOf(endpoint.answer);
  const own: Answer = { status, meaning, headers: { ...headers, ...RATE_HEADERS }, contents };
  const answers = also === undefined ? [own] : [own, { ...own, ...also }];
  if (!isTagged(endpoint)) return answers;
  const unchanged = { status: 304, meaning: 'the client has it as it is', contents: [] };
  return [...answers, { ...unchanged, headers: RATE_HEADERS }];
}

/** See `request-rate.ts`; the form is that of draft-ietf-httpapi-ratelimit-headers. */
const RATE_HEADERS = {
  'RateLimit-Policy':
    'how many reads, or writes, the user may make at once (`q`), and gets back in `w` seconds',
  RateLimit: 'how many are left (`r`), and in how many seconds there is one more (`t`)',
};

/** One form for each content type that the same answer may come in. */
function contentsOf({ schema, example, type, asText }: EndpointAnswer): readonly Content[] {
  if (schema === null) return [];
  const own: Content = {
    type: type ?? 'application/json',
    schema,
    ...definedField('example', example),
  };
  return asText === undefined ? [own] : [own, { ...asText, schema: Type.String() }];
}

/** What every endpoint may answer with, what its form brings with it, and what it says itself. */
function problemsOf(endpoint: Endpoint): readonly ErrorCode[] {
  const { path, method, scope, answer, errors = [] } = endpoint;
  return [
    'invalid_request',
    'missing_token',
    'invalid_token',
    'session_expired',
    'insufficient_scope',
    'forbidden',
    'cross_site_request',
    'method_not_allowed',
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(method === 'GET' ? [] : BODY_PROBLEMS),
    method === 'GET' || scope === 'read' ? 'too_many_reads' : 'too_many_writes',
    ...(makesSomething(endpoint) ? KEY_PROBLEMS : []),
    ...(answer.shownOnce === undefined ? [] : (['secret_already_shown'] as const)),
    ...errors,
  ];
}

const KEY_PROBLEMS: readonly ErrorCode[] = ['idempotency_key_unsettled', 'idempotency_key_reused'];

/** Also where no body is asked for: one that comes is read. */
const BODY_PROBLEMS: readonly ErrorCode[] = [
  'invalid_csrf_token',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
];

/** A parameter of an address, as the reference describes it. */
interface PathParameter {
  readonly description: string;
  readonly schema: TSchema;
  readonly example: string | number;
}

const ID = Type.Integer({ minimum: 1 });
const TEXT = Type.String();

/** Those whose form or example says more than their name does. */
const KNOWN: Readonly<Record<string, PathParameter>> = {
  demand_partner_id: {
    description: 'the demand partner; `association.entity_id` of its users',
    schema: ID,
    example: 1001,
  },
  publisher_id: {
    description: 'the publisher; `association.entity_id` of its users',
    schema: ID,
    example: 2001,
  },
  line_item_id: { description: 'the line item', schema: ID, example: 501 },
  app_id: { description: 'the app', schema: ID, example: 3001 },
  site_id: { description: 'the site', schema: ID, example: 3002 },
  ad_space_id: { description: 'the ad space', schema: ID, example: 4001 },
  deal_id: { description: 'the deal', schema: TEXT, example: 'planet-acme-1' },
  client_id: {
    description: "the application's `client_id`",
    schema: TEXT,
    example: 'app-5f0d6b1f1d9a4c0e8a7b3c2d',
  },
  token_id: { description: 'the `id` of the token', schema: TEXT, example: '2f1d6a0c9b8e7f34' },
  entry_id: { description: 'the `id` of the entry', schema: TEXT, example: '2f1d6a0c9b8e7f34' },
  auction_id: {
    description: 'the auction: `BidRequest.id`, or what an answer to a publisher has as its id',
    schema: TEXT,
    example: '019aa1b2c3d4e5f60718293a4b5c6d7e',
  },
};

/** The parameters of a path such as `/line-items/:line_item_id`, in their order. */
function pathParameters(path: string): readonly (PathParameter & { readonly name: string })[] {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  return names.map((name) => Object.assign({ name }, KNOWN[name] ?? byName(name)));
}

/** Most names say what they are: `user_id` is the id of a user. */
function byName(name: string): PathParameter {
  const noun = name.replace(/_id$/, '').replaceAll('_', ' ');
  if (!name.endsWith('_id')) return { description: `the ${noun}`, schema: TEXT, example: name };
  return { description: `the ${noun}`, schema: ID, example: 1_000_001 };
}
