import Type, { type Static } from 'typebox';
import { SelfSchema } from '../../management/self/schema.ts';

/** What a user is told of where the exchange is, for programs and publishers' pages. */
const AddressesSchema = Type.Object(
  {
    auth_url: Type.String({ description: 'where access tokens are got' }),
    base_url: Type.String({ description: 'the management API' }),
    reporting_url: Type.String({ description: 'the daily reports' }),
    exchange_url: Type.Union([Type.String(), Type.Null()], {
      description: 'where auctions are held; null if it is not known to control',
    }),
    tracker_url: Type.Union([Type.String(), Type.Null()], {
      description: 'where impressions and clicks are counted; null if it is not known to control',
    }),
  },
  { additionalProperties: false },
);

export type Addresses = Static<typeof AddressesSchema>;

/** The session of a browser, as the console needs it. */
const SessionSchema = Type.Object(
  {
    csrf_token: Type.String({
      description: 'the header `x-csrf-token` of every request that is not GET or HEAD',
    }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'when it ends unless it is used until then',
    }),
    user: SelfSchema,
    second_factor: Type.Object(
      {
        is_set_up: Type.Boolean({ description: 'whether the user signs in with a code as well' }),
        is_required: Type.Boolean({
          description: 'whether only who has a second factor may change anything',
        }),
      },
      { additionalProperties: false },
    ),
    addresses: AddressesSchema,
  },
  { additionalProperties: false },
);

/** A second factor that waits for its first code. */
export const OfferedSecretSchema = Type.Object(
  {
    secret: Type.String({ description: 'for an authenticator app, in base32; shown this once' }),
    uri: Type.String({ description: 'the same as an otpauth: address, for a QR code' }),
  },
  { additionalProperties: false, title: 'OfferedSecondFactor' },
);

/** The answer of `GET /v2/auth/session/`, and of a sign-in. */
export const SessionAnswerSchema = Type.Object(
  {
    session: Type.Union([SessionSchema, Type.Null()], {
      description: 'null for a browser in which nobody is signed in',
    }),
  },
  { additionalProperties: false, title: 'Session' },
);

export type SessionAnswer = Static<typeof SessionAnswerSchema>;
