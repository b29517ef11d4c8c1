import { CommandError } from '../../base/errors.ts';
import type { CommandPlace } from '../program-tools.ts';
import {
  CredentialsFile,
  DEFAULT_PROFILE,
  readProfileName,
  type Profile,
} from './credentials-file.ts';
import { DEFAULT_URL, readServerUrl, refuseClearText } from './server-url.ts';
import { requestToken, type TimedToken } from './token-endpoint.ts';

/** What lets a command into a server. */
export interface Access {
  readonly url: string;
  /** What it was taken from, for people: `profile default`, `RIALTO_TOKEN`. */
  readonly source: string;
  /** The command that makes a new one. */
  readonly remedy: string;
  /**
   * A token that is good by this machine's clock.
   *
   * @throws CommandError when there is none.
   */
  readonly token: () => Promise<string>;
  /**
   * A new token, in the place of one that the server has refused.
   *
   * @throws CommandError when there is none.
   */
  readonly renew: () => Promise<string>;
  /** How often a server that says 503 is asked; once if left out. */
  readonly triesMax?: number;
}

/** A token that ends within this time might end on its way. */
const SPARE_MS = 30_000;

/**
 * Finds what the command line, the environment or the stored sign-ins say of a server. A token or a
 * secret goes to the server that it is for, and to no other.
 *
 * @returns null where nobody has signed in, and no server is named.
 * @throws CommandError when a server or a profile is named that nobody has signed in to.
 */
export function findAccess({ flags, environment }: CommandPlace): Access | null {
  const url = readUrl({ flags, environment });
  if (flags['--profile'] === undefined) {
    const given = accessOfEnvironment(url ?? DEFAULT_URL, environment);
    if (given !== null) return given;
  }
  const file = new CredentialsFile(environment);
  const name = profileNameOf({ flags, environment });
  const profiles = file.read();
  const profile = profiles.get(name ?? DEFAULT_PROFILE);
  if (name !== null) {
    if (profile === undefined) {
      throw notSignedIn(`There is no profile ${name}`, url ?? DEFAULT_URL, name);
    }
    if (url === null || url === profile.url) return accessOfProfile(name, profile, file);
    throw new CommandError(
      `Profile ${name} is signed in at ${profile.url}, not at ${url}: leave one of the two out.`,
      { exit: 'usage' },
    );
  }
  if (url === null) {
    return profile === undefined ? null : accessOfProfile(DEFAULT_PROFILE, profile, file);
  }
  if (profile?.url === url) return accessOfProfile(DEFAULT_PROFILE, profile, file);
  const other = [...profiles].find(([, each]) => each.url === url);
  if (other !== undefined) return accessOfProfile(other[0], other[1], file);
  throw notSignedIn(`Not signed in at ${url}`, url, null);
}

/** @throws CommandError when nobody has signed in. */
export function requireAccess(place: CommandPlace): Access {
  const access = findAccess(place);
  if (access !== null) return access;
  throw notSignedIn('Not signed in', DEFAULT_URL, null);
}

/** The server that is named, by `--url` or `RIALTO_URL`. */
export function readUrl({ flags, environment }: CommandPlace): string | null {
  const flag = flags['--url'];
  if (flag !== undefined) return readServerUrl(flag, '--url');
  const variable = environment['RIALTO_URL'];
  return variable ? readServerUrl(variable, 'RIALTO_URL') : null;
}

/** The profile that is named, by `--profile` or `RIALTO_PROFILE`. */
export function profileNameOf({ flags, environment }: CommandPlace): string | null {
  const flag = flags['--profile'];
  if (flag !== undefined) return readProfileName(flag, '--profile');
  const variable = environment['RIALTO_PROFILE'];
  return variable ? readProfileName(variable, 'RIALTO_PROFILE') : null;
}

/** Whether `RIALTO_ALLOW_HTTP` says that plain http is safe. */
export function allowsHttp(environment: CommandPlace['environment']): boolean {
  return environment['RIALTO_ALLOW_HTTP'] === '1';
}

/** The command that signs in at a server. */
function loginCommand(url: string, profile: string | null): string {
  const named = profile === null || profile === DEFAULT_PROFILE ? '' : ` --profile ${profile}`;
  return `rialto login --url ${url}${named}`;
}

/** For machines: a token, or the id and the secret of an application. */
function accessOfEnvironment(url: string, environment: CommandPlace['environment']): Access | null {
  const token = environment['RIALTO_TOKEN'];
  const clientId = environment['RIALTO_CLIENT_ID'];
  const clientSecret = environment['RIALTO_CLIENT_SECRET'];
  if (token) {
    refuseClearText(url, allowsHttp(environment));
    const renew = async (): Promise<string> => {
      throw new CommandError(
        `${url} does not take the token in RIALTO_TOKEN (any more): get a new one, or set ` +
          'RIALTO_CLIENT_ID and RIALTO_CLIENT_SECRET.',
        { exit: 'denied' },
      );
    };
    const remedy = 'set RIALTO_TOKEN to another';
    return { url, source: 'RIALTO_TOKEN', remedy, token: async () => token, renew };
  }
  if (!clientId || !clientSecret) return null;
  refuseClearText(url, allowsHttp(environment));
  let kept: TimedToken | null = null;
  const scope = environment['RIALTO_SCOPE'] || DEFAULT_SCOPE;
  const renew = async (): Promise<string> => {
    kept = await requestToken({ url, clientId, clientSecret }, scope);
    return kept.token;
  };
  return {
    url,
    source: 'RIALTO_CLIENT_ID',
    remedy: 'set RIALTO_SCOPE and RIALTO_CLIENT_ID to what may do it',
    token: async () => (kept === null || !isGood(kept.expiresMs) ? renew() : kept.token),
    renew,
  };
}

/** Commands change things, too; who wants to be safe from that says `--scope read`. */
export const DEFAULT_SCOPE = 'read write';

function accessOfProfile(name: string, profile: Profile, file: CredentialsFile): Access {
  const { url, scope, client_id: clientId, client_secret: clientSecret } = profile;
  refuseClearText(url, profile.allow_http);
  let present = profile;
  const renew = async (): Promise<string> => {
    if (clientSecret === null) {
      throw notSignedIn(`The sign-in of profile ${name} at ${url} has ended`, url, name);
    }
    const issued = await requestToken({ url, clientId, clientSecret }, scope);
    present = { ...present, ...storedToken(issued) };
    // Who has signed out, or in as another, in the meantime is not undone.
    await file.change(name, (before) =>
      before?.url === url && before.client_id === clientId ? { ...before, ...present } : before,
    );
    return present.token;
  };
  return {
    url,
    source: `profile ${name}`,
    remedy: `run ${loginCommand(url, name)}`,
    token: async () => (isGood(Date.parse(present.expires_at)) ? present.token : renew()),
    renew,
  };
}

/** A token as a profile holds it. */
export function storedToken({ token, expiresMs }: TimedToken) {
  return { token, expires_at: new Date(expiresMs).toISOString() };
}

function isGood(expiresMs: number): boolean {
  return expiresMs - Date.now() > SPARE_MS;
}

function notSignedIn(problem: string, url: string, profile: string | null): CommandError {
  return new CommandError(`${problem}: run ${loginCommand(url, profile)}.`, { exit: 'denied' });
}
