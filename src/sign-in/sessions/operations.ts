import type { ErrorCode } from '../../base/errors.ts';
import type { Content, Operation } from '../../openapi/operation.ts';
import { CodeSchema, PasswordChangeSchema, SecondFactorSchema, SignInSchema } from './bodies.ts';
import { OfferedSecretSchema, SessionAnswerSchema, type SessionAnswer } from './schema.ts';

const TAG = 'Sessions';

const EXAMPLE: SessionAnswer = {
  session: {
    csrf_token: 'Zt0Rk4m1mYxqJ8s3b0cVw2n5u7Hq9eLdKfPgAiXoEzU',
    expires_at: '2026-11-20T20:15:00.000Z',
    user: {
      id: 1_000_002,
      email: 'trader@acme.example',
      groups: ['demand-partner'],
      status: 'ACTIVE',
      association: { type: 'DEMAND_PARTNER', entity_id: 1001 },
    },
    second_factor: { is_set_up: false, is_required: false },
    addresses: {
      auth_url: 'https://control.exchange.example',
      base_url: 'https://control.exchange.example/api',
      reporting_url: 'https://control.exchange.example/reporting',
      exchange_url: 'https://ads.exchange.example',
      tracker_url: 'https://t.exchange.example',
    },
  },
};

const OFFERED = {
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  uri: 'otpauth://totp/Rialto:trader%40acme.example?issuer=Rialto&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
};

const ANSWER: Content = {
  type: 'application/json',
  schema: SessionAnswerSchema,
  example: EXAMPLE,
};

/** The endpoints of `routes.ts` as the reference describes them. */
export function sessionOperations(): readonly Operation[] {
  const path = '/v2/auth/session/';
  const common = { tag: TAG, roles: [], parameters: [], body: [] };
  const json = 'application/json';
  return [
    {
      ...common,
      id: 'getSession',
      method: 'get',
      path,
      summary: 'Tell who is signed in in this browser',
      access: { scheme: 'none' },
      answers: [
        { status: 200, meaning: 'the session, or null when there is none', contents: [ANSWER] },
      ],
      problems: ['invalid_request', 'method_not_allowed'],
    },
    {
      ...common,
      id: 'signIn',
      method: 'post',
      path,
      summary: 'Sign in with a password',
      description:
        'For the console: a session ends after 12 hours without use, and after 7 days. Who has a second factor sends its code as well, with the answer `code_required` or at once. Programs get access tokens.',
      access: { scheme: 'none' },
      body: [
        {
          type: json,
          schema: SignInSchema,
          example: { email: 'trader@acme.example', password: 'acme-password' },
        },
      ],
      answers: [
        {
          status: 200,
          meaning: 'the new session',
          headers: { 'Set-Cookie': 'the id of the session, for browsers alone' },
          contents: [ANSWER],
        },
      ],
      problems: [
        'invalid_request',
        'invalid_json',
        'sign_in_refused',
        'code_required',
        'code_refused',
        'cross_site_request',
        'method_not_allowed',
        'body_too_large',
        'unsupported_media_type',
        'too_many_sign_ins',
        'overloaded',
      ],
    },
    {
      ...common,
      id: 'signOut',
      method: 'delete',
      path,
      summary: 'Sign out',
      access: { scheme: 'session' },
      answers: [
        {
          status: 204,
          meaning: 'nobody is signed in in this browser',
          headers: { 'Set-Cookie': 'makes the browser forget the id' },
          contents: [],
        },
      ],
      problems: [
        'invalid_request',
        'invalid_json',
        'invalid_csrf_token',
        'cross_site_request',
        'method_not_allowed',
        'body_too_large',
        'unsupported_media_type',
      ],
    },
    {
      ...common,
      id: 'changePassword',
      method: 'post',
      path: `${path}password/`,
      summary: 'Change the own password',
      description: 'All other sessions of the user end.',
      access: { scheme: 'session' },
      body: [
        {
          type: json,
          schema: PasswordChangeSchema,
          example: { password: 'acme-password', new_password: 'a longer password' },
        },
      ],
      answers: [{ status: 204, meaning: 'the password is changed', contents: [] }],
      problems: SHOWING_SECRETS,
    },
    ...secondFactorOperations(),
  ];
}

/** What whoever is signed in and shows a password or a code may be answered. */
const SHOWING_SECRETS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_json',
  'session_expired',
  'invalid_csrf_token',
  'cross_site_request',
  'method_not_allowed',
  'body_too_large',
  'unsupported_media_type',
  'too_many_sign_ins',
  'overloaded',
];

function secondFactorOperations(): readonly Operation[] {
  const path = '/v2/auth/session/second-factor/';
  const type = 'application/json';
  const common = {
    tag: TAG,
    roles: [],
    parameters: [],
    method: 'post',
    access: { scheme: 'session' },
    problems: SHOWING_SECRETS,
  } as const;
  const code = [{ type, schema: CodeSchema, example: { code: '492039' } }];
  return [
    {
      ...common,
      id: 'offerSecondFactor',
      path,
      summary: 'Make the secret of a second factor',
      description:
        'TOTP (RFC 6238): SHA-1, six digits, 30 seconds. Nothing changes until it is confirmed with a code; one that waits already is replaced.',
      body: [{ type, schema: SecondFactorSchema, example: { password: 'acme-password' } }],
      answers: [
        {
          status: 200,
          meaning: 'the secret, shown this once',
          contents: [{ type, schema: OfferedSecretSchema, example: OFFERED }],
        },
      ],
    },
    {
      ...common,
      id: 'confirmSecondFactor',
      path: `${path}confirm/`,
      summary: 'Turn the second factor on with its first code',
      description: 'All other sessions of the user end.',
      body: code,
      answers: [{ status: 204, meaning: 'sign-ins need a code from now on', contents: [] }],
    },
    {
      ...common,
      id: 'removeSecondFactor',
      path: `${path}remove/`,
      summary: 'Remove the own second factor with a code',
      description: 'All other sessions of the user end.',
      body: code,
      answers: [{ status: 204, meaning: 'the password alone signs in', contents: [] }],
    },
  ];
}
