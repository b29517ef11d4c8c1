import Type, { type Static } from 'typebox';
import { EMAIL, ID, STATUS, mapping, nullable } from '../../resources/vocabulary.ts';
import { LINK_PURPOSES } from '../../identity/link-purposes.ts';
import { SelfSchema } from '../self/schema.ts';
import { INSTANT, shownSchema } from '../shown.ts';

const GROUP = Type.Enum(['operator', 'demand-partner', 'publisher'], {
  description: 'operator, demand-partner or publisher',
});

/** Whom a new user belongs to. */
const ASSOCIATION = mapping('an association', {
  type: Type.Enum(['DEMAND_PARTNER', 'PUBLISHER'], { description: 'DEMAND_PARTNER or PUBLISHER' }),
  entity_id: ID,
});

/** What a user is made of: an association, or for an operator the group. */
export const NewUserSchema = mapping('a new user', {
  email: EMAIL,
  groups: Type.Optional(
    Type.Array(GROUP, {
      minItems: 1,
      maxItems: 1,
      description: 'a list of one group: operator, demand-partner or publisher',
    }),
  ),
  association: Type.Optional(nullable(ASSOCIATION)),
});

export type NewUser = Static<typeof NewUserSchema>;

/** What can be changed of a user. */
export const UserPatchSchema = mapping('user fields', { status: Type.Optional(STATUS) });

/** The filters of the list. */
export const USER_FILTERS = {
  email: Type.Optional(EMAIL),
  role: Type.Optional(GROUP),
  demand_partner_id: Type.Optional(ID),
  publisher_id: Type.Optional(ID),
  status: Type.Optional(STATUS),
};

/** The last one-time link of a user; the link itself is shown once, when it is made. */
const ShownLinkSchema = Type.Object(
  {
    purpose: Type.Enum([...LINK_PURPOSES], {
      description: 'invitation, password or second_factor',
    }),
    state: Type.Enum(['open', 'expired'], { description: 'open or expired' }),
    created_at: INSTANT,
    expires_at: INSTANT,
  },
  { additionalProperties: false },
);

const { id, email, groups, association } = SelfSchema.properties;

/** A user as others see one, in the words of `/self/`. */
export const ShownUserSchema = shownSchema('User', {
  id,
  email,
  groups,
  status: STATUS,
  association,
  has_password: Type.Boolean({ description: 'whether the user has chosen a password' }),
  has_second_factor: Type.Boolean({
    description: 'whether the user signs in with a code as well',
  }),
  link: Type.Union([ShownLinkSchema, Type.Null()], {
    description: 'the last one-time link, until it is used; null when there is none',
  }),
});

export type ShownUser = Static<typeof ShownUserSchema>;

/** A link as it is shown once. */
export const MadeLinkSchema = Type.Object(
  {
    url: Type.String({ description: 'the address for the user to open; it works once' }),
    expires_at: INSTANT,
  },
  { additionalProperties: false, title: 'OneTimeLink' },
);

export type MadeLink = Static<typeof MadeLinkSchema>;

/** A user who was just made. */
export const InvitedUserSchema = Type.Object(
  { ...ShownUserSchema.properties, invitation: MadeLinkSchema },
  { additionalProperties: false, title: 'InvitedUser' },
);

export type InvitedUser = Static<typeof InvitedUserSchema>;

export const USER_EXAMPLE: ShownUser = {
  id: 1_000_002,
  email: 'trader@acme.example',
  groups: ['demand-partner'],
  status: 'ACTIVE',
  association: { type: 'DEMAND_PARTNER', entity_id: 1001 },
  has_password: false,
  has_second_factor: false,
  link: {
    purpose: 'invitation',
    state: 'open',
    created_at: '2026-11-20T08:15:00.000Z',
    expires_at: '2026-11-23T08:15:00.000Z',
  },
  created_at: '2026-11-20T08:15:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

export const LINK_EXAMPLE: MadeLink = {
  url: 'https://control.exchange.example/v2/auth/link/?token=rialto_link_dG5b5uxsPauVU9MbhL0chz7p6oTLEJslTAgEd2e8x3k',
  expires_at: '2026-11-23T08:15:00.000Z',
};
