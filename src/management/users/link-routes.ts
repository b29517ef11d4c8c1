import type { Kysely } from 'kysely';
import type { Database } from '../../configuration/schema.ts';
import { makeUserLink, type UserLinkPurpose } from '../../configuration/user-links.ts';
import type { Caller } from '../../identity/caller.ts';
import { linkUrl, type NewLink } from '../../identity/one-time-links.ts';
import { actorOf } from '../actor.ts';
import { NO_BODY, NO_QUERY, OPERATORS } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import type { Params } from '../resource.ts';
import type { ResourceParts } from '../resource-routes.ts';
import { showInstant } from '../shown.ts';
import { LINK_EXAMPLE, MadeLinkSchema, type MadeLink } from './schema.ts';

/** What the endpoints of users work with. */
export interface UserParts extends ResourceParts {
  /** Control's address that others see, without a slash at its end. */
  readonly authUrl: string;
}

type FindUser = (
  db: Kysely<Database>,
  caller: Caller,
  params: Params,
) => Promise<Database['users']>;

/** The one-time links that an operator makes for users who are there already. */
export function addLinks(endpoints: Endpoints, parts: UserParts, findUser: FindUser): void {
  const common =
    'The link is shown once and works once, for 24 hours; it takes the place of any link that the user has, an invitation too.';
  const links: readonly LinkEndpoint[] = [
    {
      id: 'createPasswordLink',
      purpose: 'password',
      path: 'password-link',
      summary: 'Create a link by which a user chooses a new password',
      description: `${common} The password stays as it is until the link is used.`,
    },
    {
      id: 'createSecondFactorLink',
      purpose: 'second_factor',
      path: 'second-factor-link',
      summary: 'Create a link by which a user removes their second factor',
      description: `${common} For somebody who has lost what makes the codes. The second factor stays until the link is used, and the password is not touched.`,
    },
  ];
  for (const link of links) addLink(endpoints, parts, { ...link, findUser });
}

interface LinkEndpoint {
  readonly id: string;
  readonly purpose: UserLinkPurpose;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
}

function addLink(
  endpoints: Endpoints,
  { db, now, authUrl }: UserParts,
  {
    id,
    purpose,
    path,
    summary,
    description,
    findUser,
  }: LinkEndpoint & { readonly findUser: FindUser },
): void {
  endpoints.add(
    {
      id,
      method: 'POST',
      path: `/users/:user_id/${path}`,
      tag: 'Users',
      summary,
      description,
      roles: OPERATORS,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 201,
        meaning: 'the link',
        schema: MadeLinkSchema,
        shownOnce: 'user_id',
        example: LINK_EXAMPLE,
      },
    },
    async ({ caller, params }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      const link = await db.transaction().execute(async (transaction) => {
        const user = await findUser(transaction, caller, params);
        const made = await makeUserLink(transaction, user, purpose, by);
        if (!made.ok) throw invalidRequest([{ path: [], message: made.message }]);
        return made.link;
      });
      return showMade(authUrl, link);
    },
  );
}

/** A link as it is shown once. */
export function showMade(authUrl: string, link: NewLink): MadeLink {
  return { url: linkUrl(authUrl, link), expires_at: showInstant(link.expiresMs) };
}
