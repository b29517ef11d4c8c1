import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { profileNameOf, readUrl } from './api/access.ts';
import { CredentialsFile, DEFAULT_PROFILE, type Profile } from './api/credentials-file.ts';
import { refuseClearText } from './api/server-url.ts';
import { revokeToken } from './api/token-endpoint.ts';
import type { CommandPlace } from './program-tools.ts';
import { shown, showJson } from './terminal-text.ts';

/**
 * `rialto logout`: revokes the token of a profile and forgets all of it. It is forgotten as well when
 * the server cannot be told.
 *
 * @returns the exit code.
 * @throws CommandError when there is no such profile, or the token goes on being good.
 */
export async function logoutCommand(asJson: boolean, place: CommandPlace): Promise<number> {
  const { environment } = place;
  const file = new CredentialsFile(environment);
  const [name, profile] = findProfile(file, place);
  await file.change(name, () => null);
  const isRevoked = await revoke(profile, environment['RIALTO_CLIENT_SECRET']);
  const { url, expires_at: end } = profile;
  if (asJson) console.log(showJson({ profile: name, url, revoked: isRevoked, expires_at: end }));
  else if (isRevoked) console.log(`Signed out at ${shown(url)}; profile ${name} is forgotten.`);
  else {
    console.log(
      `Profile ${name} is forgotten. Its token cannot be revoked without the secret, and ends ` +
        `by itself at ${shown(end)}.`,
    );
  }
  return exitCodeOf('done');
}

function findProfile(file: CredentialsFile, place: CommandPlace): readonly [string, Profile] {
  const named = profileNameOf(place);
  const url = readUrl(place);
  const found = [...file.read()].find(([name, profile]) => {
    if (named !== null && name !== named) return false;
    return url === null ? named !== null || name === DEFAULT_PROFILE : profile.url === url;
  });
  if (found !== undefined) return found;
  const what = named === null ? '' : ` as profile ${named}`;
  const where = url === null ? '' : ` at ${url}`;
  throw new CommandError(`Nobody has signed in${what}${where}; there is nothing to end.`, {
    exit: 'not_found',
  });
}

/** @returns false when it cannot be told to the server whose token it is. */
async function revoke(profile: Profile, givenSecret: string | undefined): Promise<boolean> {
  const { url, client_id: clientId, token, allow_http: isHttpAllowed } = profile;
  const clientSecret = profile.client_secret ?? givenSecret;
  if (!clientSecret) return false;
  refuseClearText(url, isHttpAllowed);
  try {
    await revokeToken({ url, clientId, clientSecret }, token);
    return true;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(
      `The sign-in is forgotten here, but its token was not revoked and is good until ` +
        `${profile.expires_at}: ${error.message}`,
      { exit: 'unreachable', cause: error },
    );
  }
}
