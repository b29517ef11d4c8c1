import Type, { type Static } from 'typebox';

/** The answer of `POST /v2/auth/token/` (RFC 6749 section 5.1). */
export const TokenAnswerSchema = Type.Object(
  {
    access_token: Type.String({ description: 'opaque' }),
    expires_in: Type.Integer({ description: 'the seconds that the token is still good for' }),
    token_type: Type.Literal('Bearer'),
    scope: Type.String({ description: '"read", or "read write"' }),
  },
  { title: 'TokenAnswer' },
);

export type TokenAnswer = Static<typeof TokenAnswerSchema>;

/** The answer of `POST /v2/auth/introspect/` (RFC 7662 section 2.2). */
export const IntrospectionSchema = Type.Union([
  Type.Object({ active: Type.Literal(false) }),
  Type.Object({
    active: Type.Literal(true),
    scope: Type.String(),
    client_id: Type.String(),
    username: Type.String({ description: "the e-mail address of the application's user" }),
    token_type: Type.Literal('Bearer'),
    exp: Type.Integer({ description: 'Unix time in seconds' }),
    iat: Type.Integer({ description: 'Unix time in seconds' }),
    sub: Type.String({ description: 'the id of the user' }),
  }),
]);

export type Introspection = Static<typeof IntrospectionSchema>;
