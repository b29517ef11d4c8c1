import Type, { type Static } from 'typebox';
import { NAME, mapping } from '../../resources/vocabulary.ts';
import { ShownPreviousSchema } from '../grace.ts';
import { INSTANT, shownSchema } from '../shown.ts';

/** What an application is made of; the exchange gives the rest. */
export const NewApplicationSchema = mapping('an application', { name: NAME });

/** An application as its user sees it; the secret is shown once, when it is made or rolled. */
export const ShownApplicationSchema = shownSchema('Application', {
  client_id: Type.String(),
  name: NAME,
  user_id: Type.Integer({ description: 'the user whom it belongs to' }),
  previous_secret: ShownPreviousSchema,
});

export type ShownApplication = Static<typeof ShownApplicationSchema>;

/** An application with its secret, as it is shown once. */
export const ApplicationSecretSchema = Type.Object(
  {
    ...ShownApplicationSchema.properties,
    client_secret: Type.String({ description: 'shown this once' }),
  },
  { additionalProperties: false, title: 'ApplicationSecret' },
);

export type ApplicationSecret = Static<typeof ApplicationSecretSchema>;

export const APPLICATION_EXAMPLE: ShownApplication = {
  client_id: 'app-5f0d6b1f1d9a4c0e8a7b3c2d',
  name: 'Campaign sync',
  user_id: 1_000_002,
  previous_secret: null,
  created_at: '2026-11-20T08:15:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

export const SECRET_EXAMPLE = 'rialto_secret_dG5b5uxsPauVU9MbhL0chz7p6oTLEJslTAgEd2e8x3k';

/** What a generated token may do. */
export const NewTokenSchema = mapping('an access token', {
  scope: Type.Optional(
    Type.Enum(['read', 'write', 'read write'], {
      description: 'read (also when it is left out), or write, which brings read with it',
    }),
  ),
});

const TOKEN_PROPERTIES = {
  id: Type.String({ description: 'names the token in addresses' }),
  prefix: Type.String({ description: 'the first characters of the token' }),
  scope: Type.String({ description: '"read", or "read write"' }),
  created_at: INSTANT,
  expires_at: INSTANT,
  expires_in: Type.Integer({ description: 'the seconds that the token is still good for' }),
  last_used_at: Type.Union([INSTANT, Type.Null()], {
    description: 'to the minute; null before the first use',
  }),
};

/** A token in use. */
export const ShownTokenSchema = Type.Object(TOKEN_PROPERTIES, {
  additionalProperties: false,
  title: 'AccessToken',
});

export type ShownToken = Static<typeof ShownTokenSchema>;

/** A token as it is shown once. */
export const MadeTokenSchema = Type.Object(
  { ...TOKEN_PROPERTIES, access_token: Type.String({ description: 'shown this once' }) },
  { additionalProperties: false, title: 'MadeAccessToken' },
);

export type MadeToken = Static<typeof MadeTokenSchema>;

export const TOKEN_EXAMPLE: ShownToken = {
  id: '2176a6187878c99575d54827aa4dfa21',
  prefix: 'rialto_23_dG5',
  scope: 'read',
  created_at: '2026-11-20T08:15:00.000Z',
  expires_at: '2026-11-20T09:15:00.000Z',
  expires_in: 3_600,
  last_used_at: null,
};

export const ACCESS_TOKEN_EXAMPLE = 'rialto_23_dG5b5uxsPauVU9MbhL0chz7p6oTLEJslTAgEd2e8';
