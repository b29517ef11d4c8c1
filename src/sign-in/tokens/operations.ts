import Type, { type TProperties } from 'typebox';
import type { Answer, Operation } from '../../openapi/operation.ts';
import { LENGTH_MAX, type Parameter } from './form.ts';
import { OAUTH_ERROR_CODES } from './oauth-error.ts';
import { FORM_TYPE } from './routes.ts';
import { IntrospectionSchema, TokenAnswerSchema } from './schema.ts';

/** An error as RFC 6749 section 5.2 has it. */
const OAuthErrorSchema = Type.Object(
  {
    error: Type.Enum([...OAUTH_ERROR_CODES]),
    error_description: Type.String({ description: 'for people' }),
  },
  { title: 'OAuthError' },
);

const MEANINGS: Readonly<Record<Parameter, string>> = {
  client_id: 'the client id of an application, where HTTP Basic does not carry it',
  client_secret: 'its secret, likewise',
  grant_type: '`client_credentials`',
  scope: '`read` (also when it is left out) or `write`, which brings `read` with it',
  token: 'the access token',
  token_type_hint: 'is ignored',
};

const TOKEN = 'rialto_23_dG5b5uxsPauVU9MbhL0chz7p6oTLEJslTAgEd2e8';

/** The endpoints of `routes.ts` as the reference describes them. */
export function tokenOperations(): readonly Operation[] {
  const token = Type.Object({ token: text('token'), ...optional('token_type_hint'), ...CLIENT });
  return [
    operation('issueToken', 'token', 'Get an access token', {
      form: Type.Object({
        grant_type: Type.Literal('client_credentials', { description: MEANINGS.grant_type }),
        ...optional('scope'),
        ...CLIENT,
      }),
      example: {
        grant_type: 'client_credentials',
        scope: 'read',
        client_id: 'acme-client',
        client_secret: 'acme-secret',
      },
      answer: {
        meaning: 'the token, which is shown this once',
        schema: TokenAnswerSchema,
        example: { access_token: TOKEN, expires_in: 3_600, token_type: 'Bearer', scope: 'read' },
      },
    }),
    operation('revokeToken', 'revoke', 'Revoke an access token', {
      form: token,
      example: { token: TOKEN, client_id: 'acme-client', client_secret: 'acme-secret' },
      answer: { meaning: 'the token is good no more, if it was one of this application' },
    }),
    operation('introspectToken', 'introspect', 'Ask about an access token', {
      form: token,
      example: { token: TOKEN, client_id: 'acme-client', client_secret: 'acme-secret' },
      answer: {
        meaning:
          'what it is; of every token that is not of this application, that it is not active',
        schema: IntrospectionSchema,
        example: {
          active: true,
          scope: 'read',
          client_id: 'acme-client',
          username: 'engineer@acme.example',
          token_type: 'Bearer',
          exp: 1_795_253_700,
          iat: 1_795_250_100,
          sub: '1000002',
        },
      },
    }),
  ];
}

const CLIENT = { ...optional('client_id'), ...optional('client_secret') };

function text(name: Parameter) {
  return Type.String({ maxLength: LENGTH_MAX[name], description: MEANINGS[name] });
}

function optional(name: Parameter): TProperties {
  return { [name]: Type.Optional(text(name)) };
}

interface Parts {
  readonly form: ReturnType<typeof Type.Object>;
  readonly example: object;
  readonly answer: {
    readonly meaning: string;
    readonly schema?: typeof TokenAnswerSchema | typeof IntrospectionSchema;
    readonly example?: object;
  };
}

function operation(
  id: string,
  path: string,
  summary: string,
  { form, example, answer }: Parts,
): Operation {
  const { meaning, schema, example: answered } = answer;
  const contents =
    schema === undefined ? [] : [{ type: 'application/json', schema, example: answered }];
  return {
    id,
    method: 'post',
    path: `/v2/auth/${path}/`,
    tag: 'Tokens',
    summary,
    roles: [],
    access: { scheme: 'client' },
    parameters: [],
    body: [{ type: FORM_TYPE, schema: form, example }],
    answers: [{ status: 200, meaning, contents }, ...ERRORS],
    problems: [],
  };
}

const RETRY = { 'Retry-After': 'how long to wait, in seconds' };

const ERRORS: readonly Answer[] = [
  refused(400, 'invalid_request', 'a parameter is missing, repeated, too long or in the address'),
  refused(401, 'invalid_client', 'the client is unknown or its secret wrong'),
  refused(405, 'invalid_request', 'another method than POST'),
  refused(413, 'invalid_request', 'the body is too large'),
  refused(429, 'temporarily_unavailable', 'too many wrong secrets, or too many tokens'),
  refused(503, 'temporarily_unavailable', 'too many secrets are being verified'),
];

function refused(
  status: number,
  error: (typeof OAUTH_ERROR_CODES)[number],
  meaning: string,
): Answer {
  const example = { error, error_description: meaning };
  const headers = {
    401: { 'WWW-Authenticate': '`Basic`, where the request had an `Authorization` header' },
    405: { Allow: 'POST' },
    429: RETRY,
    503: RETRY,
  };
  return {
    status,
    meaning,
    headers: Object.entries(headers).find(([each]) => each === String(status))?.[1] ?? {},
    contents: [{ type: 'application/json', schema: OAuthErrorSchema, example }],
  };
}
