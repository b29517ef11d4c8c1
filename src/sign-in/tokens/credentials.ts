import type { ClientCredentials } from '../../identity/client-authentication.ts';
import { checkLength, type Form } from './form.ts';
import { OAuthError } from './oauth-error.ts';

/** What RFC 6749 section 5.2 asks for in answer to an `Authorization` header that does not do. */
const CHALLENGE = { 'www-authenticate': 'Basic realm="rialto", charset="UTF-8"' };

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads what the client proves itself with, by HTTP Basic or in the form (RFC 6749 section 2.3.1).
 *
 * @throws OAuthError invalid_client where there is nothing that could be credentials,
 *   invalid_request where there are two.
 */
export function readCredentials(authorization: string | undefined, form: Form): ClientCredentials {
  if (authorization === undefined) return fromForm(form);
  if (form.client_secret !== undefined) {
    const both = 'client_secret is given beside an Authorization header; use one of them';
    throw new OAuthError('invalid_request', both);
  }
  const credentials = fromHeader(authorization);
  if (form.client_id !== undefined && form.client_id !== credentials.clientId) {
    const differs = 'client_id is another one than in the Authorization header; leave it out';
    throw new OAuthError('invalid_request', differs);
  }
  return credentials;
}

/** Nobody is told whether the client exists or which part of its credentials is wrong. */
export function invalidClient(authorization: string | undefined, description?: string): OAuthError {
  return new OAuthError(
    'invalid_client',
    description ?? 'there is no client that has this id and this secret',
    { status: 401, headers: authorization === undefined ? {} : CHALLENGE },
  );
}

function fromForm({ client_id: clientId, client_secret: clientSecret }: Form): ClientCredentials {
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const missing = 'give client_id and client_secret in the form, or use HTTP Basic';
  throw invalidClient(undefined, missing);
}

function fromHeader(authorization: string): ClientCredentials {
  const [scheme = '', encoded = '', ...rest] = authorization.split(' ');
  const isBasic = scheme.toLowerCase() === 'basic' && rest.length === 0 && BASE64.test(encoded);
  const pair = isBasic ? Buffer.from(encoded, 'base64').toString('utf8') : '';
  const colon = pair.indexOf(':');
  const clientId = formDecoded(pair.slice(0, Math.max(0, colon)));
  const clientSecret = formDecoded(pair.slice(colon + 1));
  if (colon < 1 || clientId === undefined || clientSecret === undefined) {
    const malformed =
      'the Authorization header is no HTTP Basic with form-encoded client id and secret';
    throw invalidClient(authorization, malformed);
  }
  checkLength('client_id', clientId);
  checkLength('client_secret', clientSecret);
  return { clientId, clientSecret };
}

/** Undefined for what no encoder makes. */
function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
