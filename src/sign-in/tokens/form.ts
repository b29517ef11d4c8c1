import { OAuthError } from './oauth-error.ts';

/** The parameters that the token endpoints know, and the most characters each may have. */
export const LENGTH_MAX = {
  client_id: 128,
  client_secret: 256,
  grant_type: 64,
  scope: 256,
  token: 256,
  token_type_hint: 64,
} as const;

export type Parameter = keyof typeof LENGTH_MAX;

const PARAMETERS: readonly Parameter[] = [
  'client_id',
  'client_secret',
  'grant_type',
  'scope',
  'token',
  'token_type_hint',
];

/** The parameters that were given; RFC 6749 section 3.2: without a value it is as if it was not. */
export type Form = { readonly [Name in Parameter]?: string };

/**
 * Reads an `application/x-www-form-urlencoded` body. Parameters that nobody knows are ignored, as
 * RFC 6749 section 3.2 says.
 *
 * @throws OAuthError when one that is known is repeated or too long.
 */
export function readForm(body: string): Form {
  const given = new URLSearchParams(body);
  const form: { [Name in Parameter]?: string } = {};
  for (const name of PARAMETERS) {
    const [value = '', ...others] = given.getAll(name);
    if (others.length > 0) {
      throw new OAuthError('invalid_request', `${name} is given several times; give it once`);
    }
    checkLength(name, value);
    if (value !== '') form[name] = value;
  }
  return form;
}

/**
 * Keeps secrets out of addresses, which are logged on the way (RFC 6749 section 2.3.1).
 *
 * @param query the query string as it was parsed.
 * @throws OAuthError when it has a parameter of the form in it.
 */
export function refuseQuery(query: unknown): void {
  const name = PARAMETERS.find((each) => Object.hasOwn(Object(query), each));
  if (name === undefined) return;
  throw new OAuthError('invalid_request', `${name} stands in the address; send it in the body`);
}

/** @throws OAuthError when the value is longer than any that could be right. */
export function checkLength(name: Parameter, value: string): void {
  const lengthMax = LENGTH_MAX[name];
  if (value.length <= lengthMax) return;
  throw new OAuthError('invalid_request', `${name} is longer than ${lengthMax} characters`);
}
