import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import type { Self } from '../management/self/schema.ts';
import {
  allowsHttp,
  DEFAULT_SCOPE,
  profileNameOf,
  readUrl,
  storedToken,
  type Access,
} from './api/access.ts';
import { ApiClient } from './api/client.ts';
import { CredentialsFile, DEFAULT_PROFILE, type Profile } from './api/credentials-file.ts';
import { DEFAULT_URL, refuseClearText } from './api/server-url.ts';
import { requestToken } from './api/token-endpoint.ts';
import type { CommandPlace } from './program-tools.ts';
import { createQuestioner, type Questioner } from './prompt.ts';
import { shown, showJson } from './terminal-text.ts';

export interface LoginSwitches {
  readonly asJson: boolean;
  /** The secret is not stored, so that the sign-in ends with its token. */
  readonly forgetsSecret: boolean;
  readonly allowsHttp: boolean;
}

/**
 * `rialto login`: gets a token with the id and the secret of an application, sees that it works, and
 * stores it for the commands that follow.
 *
 * @returns the exit code.
 * @throws CommandError when there is no token for these, or they cannot be stored.
 */
export async function signIn(
  switches: LoginSwitches,
  place: CommandPlace,
  questioner: Questioner = createQuestioner(),
): Promise<number> {
  const { flags, environment } = place;
  const name = profileNameOf(place) ?? DEFAULT_PROFILE;
  const file = new CredentialsFile(environment);
  const before = file.read().get(name);
  const url = readUrl(place) ?? before?.url ?? DEFAULT_URL;
  const isAllowed = switches.allowsHttp || allowsHttp(environment);
  refuseClearText(url, isAllowed);
  const scope = readScope(flags['--scope'] ?? (environment['RIALTO_SCOPE'] || DEFAULT_SCOPE));
  const known = before?.url === url ? before.client_id : undefined;
  const clientId = await readClientId(place, { questioner, url, known });
  const clientSecret = await readSecret(place, questioner);

  const issued = await requestToken({ url, clientId, clientSecret }, scope);
  const self = await new ApiClient(accessFor(url, issued.token)).self();
  const profile: Profile = {
    url,
    client_id: clientId,
    client_secret: switches.forgetsSecret ? null : clientSecret,
    scope: issued.scope,
    allow_http: isAllowed,
    ...storedToken(issued),
  };
  await file.change(name, () => profile);
  const document = documentOf(name, profile, self);
  console.log(switches.asJson ? showJson(document) : describe(document, file.path));
  return exitCodeOf('done');
}

interface Sought {
  readonly questioner: Questioner;
  readonly url: string;
  /** The id that the profile had before. */
  readonly known: string | undefined;
}

async function readClientId(
  { flags, environment }: CommandPlace,
  { questioner, url, known }: Sought,
): Promise<string> {
  const given = flags['--client-id'] ?? (environment['RIALTO_CLIENT_ID'] || undefined);
  if (given !== undefined) return given;
  if (questioner.isPerson) {
    const hint = known === undefined ? '' : ` (${shown(known)})`;
    const answer = await questioner.ask(`Client id at ${shown(url)}${hint}: `);
    if (answer.trim() !== '') return answer.trim();
  }
  if (known !== undefined) return known;
  throw new CommandError(
    'Which application signs in? Give its id with --client-id (RIALTO_CLIENT_ID).',
    { exit: 'usage' },
  );
}

async function readSecret({ environment }: CommandPlace, questioner: Questioner): Promise<string> {
  const secret =
    environment['RIALTO_CLIENT_SECRET'] || (await questioner.askSecret('Client secret: '));
  if (secret !== '') return secret;
  throw new CommandError(
    'There is no secret: type it when you are asked, set RIALTO_CLIENT_SECRET, or send it as the ' +
      'first line of the input.',
    { exit: 'usage' },
  );
}

function readScope(text: string): string {
  if (text === 'read' || text === 'read write') return text;
  if (text === 'write' || text === 'write read') return DEFAULT_SCOPE;
  throw new CommandError(`--scope is "${text}", but must be read or 'read write'.`, {
    exit: 'usage',
  });
}

/** A token that was just given, and has no successor. */
function accessFor(url: string, token: string): Access {
  const refused = async (): Promise<string> => {
    throw new CommandError(`${url} does not take the token that it has just given.`, {
      exit: 'denied',
    });
  };
  const remedy = 'run rialto login again';
  return { url, source: 'sign-in', remedy, token: async () => token, renew: refused };
}

function documentOf(name: string, profile: Profile, self: Self) {
  const { url, client_id, client_secret: secret, scope, expires_at } = profile;
  return { profile: name, url, client_id, scope, expires_at, keeps_secret: secret !== null, self };
}

function describe(document: ReturnType<typeof documentOf>, path: string): string {
  const { profile, url, scope, expires_at: end, keeps_secret: keepsSecret, self } = document;
  const { email, groups, association } = self;
  const of = association === null ? '' : ` ${association.entity_id}`;
  const lasts = keepsSecret ? 'its token renews by itself' : `until ${end}`;
  return [
    `Signed in at ${shown(url)} as ${shown(email)}, ${groups.join(', ')}${of} (${scope}).`,
    `Profile ${profile} is kept in ${path}; ${lasts}.`,
  ].join('\n');
}
