import Type, { type TSchema } from 'typebox';
import { ERRORS } from '../base/errors.ts';
import { NamedSchemas } from './named-schemas.ts';
import type { Answer, Content, Operation, Parameter } from './operation.ts';
import { plainSchema, type Json, type JsonObject } from './plain-schema.ts';
import { problemAnswers } from './problem-answers.ts';

/** What stands at the head of the document. */
export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  /** The address that the paths are below, without a slash at its end. */
  readonly address: string;
}

/** An OpenAPI 3.1 document, as JSON. */
export type OpenApiDocument = JsonObject;

/** The document of all operations, in their order. */
export function openApiDocument(
  operations: readonly Operation[],
  { title, version, description, address }: ApiInfo,
): OpenApiDocument {
  const writer = new DocumentWriter(operations);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: address }],
    tags: tags.map((name) => ({ name })),
    paths: writer.paths(),
    components: writer.components(),
  };
}

/** The same document for another address. */
export function documentAt(document: OpenApiDocument, address: string): OpenApiDocument {
  return { ...document, servers: [{ url: address }] };
}

const SECURITY_SCHEMES: JsonObject = {
  accessToken: {
    type: 'oauth2',
    description: 'A token in the header `Authorization: Bearer TOKEN`, an hour good.',
    flows: {
      clientCredentials: {
        tokenUrl: '/v2/auth/token/',
        scopes: { read: 'to ask', write: 'to change things; it brings `read` with it' },
      },
    },
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'rialto_session',
    description:
      'The session of a browser, as a sign-in sets it; `__Host-rialto_session` where control is at an https address.',
  },
  csrfToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-csrf-token',
    description: "The session's `csrf_token`, beside the cookie.",
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description:
      'The client id and secret of an application, form-encoded (RFC 6749 section 2.3.1). They may stand in the body instead.',
  },
  accountToken: {
    type: 'apiKey',
    in: 'query',
    name: 'account_auth_token',
    description: "The reporting token of a demand partner's account or of a publisher's.",
  },
};

class DocumentWriter {
  readonly #operations: readonly Operation[];
  readonly #named = new NamedSchemas();
  readonly #responses = new Map<string, JsonObject>();

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
    const contents = operations.flatMap(({ body, answers }) => [
      ...body,
      ...answers.flatMap((answer) => answer.contents),
    ]);
    for (const { schema } of contents) this.#named.note(plainSchema(schema));
    this.#named.note(plainSchema(ProblemSchema));
  }

  paths(): JsonObject {
    const paths = new Map<string, Record<string, Json>>();
    for (const operation of this.#operations) {
      const item = paths.get(operation.path) ?? {};
      item[operation.method] = this.#operation(operation);
      paths.set(operation.path, item);
    }
    return Object.fromEntries(paths);
  }

  /** After the paths: it holds the answers that they refer to. */
  components(): JsonObject {
    const responses = [...this.#responses].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      schemas: this.#named.components(),
      responses: Object.fromEntries(responses),
      securitySchemes: SECURITY_SCHEMES,
    };
  }

  #operation(operation: Operation): JsonObject {
    const { id, tag, summary, description, roles, parameters, body } = operation;
    return {
      operationId: id,
      tags: [tag],
      summary,
      ...(description === undefined ? {} : { description }),
      ...(roles.length === 0 ? {} : { 'x-roles': roles }),
      security: securityOf(operation),
      ...(parameters.length === 0
        ? {}
        : { parameters: parameters.map((each) => this.#parameter(each)) }),
      ...(body.length === 0
        ? {}
        : { requestBody: { required: true, content: this.#content(body) } }),
      responses: this.#answers(operation),
    };
  }

  #parameter(parameter: Parameter): JsonObject {
    const { name, in: place, required, description, schema, example } = parameter;
    return {
      name,
      in: place,
      required,
      description,
      ...(parameter.isCommaSeparated === true ? { style: 'form', explode: false } : {}),
      schema: this.#schema(schema),
      ...exampleOf(example),
    };
  }

  #answers({ answers, problems }: Operation): JsonObject {
    const byStatus = new Map<string, Json>();
    for (const answer of answers) byStatus.set(String(answer.status), this.#answer(answer));
    for (const { name, status, response } of problemAnswers(problems)) {
      // An answer of the operation's own goes before.
      if (byStatus.has(String(status))) continue;
      this.#responses.set(name, response);
      byStatus.set(String(status), { $ref: `#/components/responses/${name}` });
    }
    return Object.fromEntries([...byStatus].toSorted(([a], [b]) => Number(a) - Number(b)));
  }

  #answer({ meaning, headers = {}, contents }: Answer): JsonObject {
    const described = Object.entries(headers).map(([name, says]): [string, Json] => [
      name,
      { description: says, schema: { type: 'string' } },
    ]);
    return {
      description: meaning,
      ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) }),
      ...(contents.length === 0 ? {} : { content: this.#content(contents) }),
    };
  }

  #content(contents: readonly Content[]): JsonObject {
    const forms = contents.map(({ type, schema, example }): [string, Json] => [
      type,
      { schema: this.#schema(schema), ...exampleOf(example) },
    ]);
    return Object.fromEntries(forms);
  }

  #schema(schema: TSchema): JsonObject {
    return this.#named.refer(plainSchema(schema));
  }
}

function securityOf({ access, method }: Operation): Json {
  const session: JsonObject = method === 'get' ? { session: [] } : { session: [], csrfToken: [] };
  switch (access.scheme) {
    case 'accessToken':
      return [{ accessToken: [access.scope] }, session];
    case 'session':
      return [session];
    case 'none':
      return [];
    case 'client':
      // The credentials may stand in the body, where no scheme says so.
      return [{ client: [] }, {}];
    case 'accountToken':
      return [{ accountToken: [] }];
  }
}

function exampleOf(example: unknown): JsonObject {
  if (example === undefined) return {};
  const json: Json = JSON.parse(JSON.stringify(example));
  return { example: json };
}

/** What every error of the management API says (RFC 9457), with a code from the error table. */
const ProblemSchema = Type.Object(
  {
    title: Type.String({ description: 'the message of the code, for people' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'the status of the answer' }),
    code: Type.Enum(Object.keys(ERRORS), {
      description: 'what a program may rely on: a code never changes its meaning',
    }),
    errors: Type.Array(
      Type.Object(
        {
          pointer: Type.String({
            description: 'a JSON pointer (RFC 6901) to what is wrong; empty is the whole',
          }),
          message: Type.String({ description: 'what would be right' }),
          line: Type.Optional(Type.Integer({ minimum: 1, description: 'of a body in YAML' })),
          column: Type.Optional(Type.Integer({ minimum: 1, description: 'of a body in YAML' })),
        },
        { additionalProperties: false },
      ),
      { description: 'everything that is wrong with the request' },
    ),
    resource_id: Type.Optional(
      Type.String({ description: 'with `secret_already_shown` alone: the id of what was made' }),
    ),
  },
  { additionalProperties: false, title: 'Problem' },
);
