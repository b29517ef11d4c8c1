import { Compile } from 'typebox/compile';
import { CommandError } from '../../base/errors.ts';
import type { Exit } from '../../base/exit-codes.ts';
import { ownField } from '../../base/fields.ts';
import { TokenAnswerSchema, type TokenAnswer } from '../../sign-in/tokens/schema.ts';
import { readJson } from './read-json.ts';
import { send, type Answer } from './send.ts';

/** Who signs in where. */
export interface Client {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A token, and until when it is good by this machine's clock. */
export interface TimedToken {
  readonly token: string;
  readonly scope: string;
  /** Unix time in milliseconds. */
  readonly expiresMs: number;
}

const answerValidator = Compile(TokenAnswerSchema);

/**
 * Gets an access token (RFC 6749 section 4.4).
 *
 * @throws CommandError when there is none for this client.
 */
export async function requestToken(client: Client, scope: string): Promise<TimedToken> {
  const askedMs = Date.now();
  const answer = await post(client, '/v2/auth/token/', { grant_type: 'client_credentials', scope });
  if (answer.status !== 200) throw refusal(client, answer);
  const body: unknown = readJson(answer.text);
  if (!answerValidator.Check(body)) throw noRialto(client.url);
  return timed(body, askedMs);
}

/**
 * Ends a token (RFC 7009).
 *
 * @throws CommandError when the server did not end it.
 */
export async function revokeToken(client: Client, token: string): Promise<void> {
  const answer = await post(client, '/v2/auth/revoke/', { token });
  if (answer.status !== 200) throw refusal(client, answer);
}

function post(
  { url, clientId, clientSecret }: Client,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<Answer> {
  const fields = { ...form, client_id: clientId, client_secret: clientSecret };
  return send({
    method: 'POST',
    url: `${url}${path}`,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
  });
}

function timed({ access_token: token, expires_in: seconds, scope }: TokenAnswer, askedMs: number) {
  return { token, scope, expiresMs: askedMs + seconds * 1_000 };
}

/** The server's own words are quoted; the secret is in none of them. */
function refusal({ url, clientId }: Client, { status, headers, text }: Answer): CommandError {
  const body = readJson(text);
  const code = ownField(body, 'error');
  if (code === 'invalid_client') {
    return new CommandError(
      `${url} does not know this secret of client ${clientId}, or its user is paused or archived: ` +
        `run rialto login --url ${url} with another. An application is made on the page of a ` +
        'one-time link (a box to tick; POST /api/users/{id}/password-link/ makes such a link), by ' +
        'POST /api/applications/ with a token that you have, or in the configuration file.',
      { exit: 'denied' },
    );
  }
  if (typeof code !== 'string' && status < 500) return noRialto(url);
  const description = ownField(body, 'error_description');
  const words = typeof description === 'string' ? description : `status ${status}`;
  const wait = headers['retry-after'];
  const when = wait === undefined ? '' : `; try again in ${wait} s`;
  const exit: Exit = status >= 500 || status === 429 ? 'unreachable' : 'failed';
  return new CommandError(`${url} gives no token: ${words}${when}.`, { exit });
}

function noRialto(url: string): CommandError {
  return new CommandError(
    `${url} does not answer as Rialto's control does: give the address of its port with --url.`,
    { exit: 'unreachable' },
  );
}
