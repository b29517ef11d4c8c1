import Type, { type Static } from 'typebox';
import { MAIL_ADDRESS_LENGTH_MAX, MAIL_ADDRESS_PATTERN } from '../../base/mail-address.ts';
import { listOfSome, mapping, NAME, WEB_ADDRESS } from '../../resources/vocabulary.ts';
import { EVENT_TYPES, SUBSCRIBABLE } from '../../subscriptions/event-types.ts';
import { ShownPreviousSchema } from '../grace.ts';
import { INSTANT, shownSchema } from '../shown.ts';

const EVENTS = listOfSome(
  Type.Enum([...SUBSCRIBABLE], { description: 'a type of event' }),
  'types of events',
  SUBSCRIBABLE.length,
);
const STATUS = Type.Enum(['ACTIVE', 'PAUSED'], {
  description: 'ACTIVE, or PAUSED: nothing new is told, and what waits is sent when it goes on',
});

const MAIL_ADDRESS = Type.String({
  maxLength: MAIL_ADDRESS_LENGTH_MAX,
  pattern: MAIL_ADDRESS_PATTERN,
  description: 'an e-mail address; names of domains beyond ASCII in their `xn--` form',
});

function schemasOf(noun: string, address: Type.TString) {
  const keys = { name: NAME, address, events: EVENTS };
  const { name, events } = keys;
  return {
    keys: { ...keys, status: STATUS },
    /** What is sent to make one; the exchange gives the rest. */
    create: mapping(`a new ${noun}`, { ...keys, status: Type.Optional(STATUS) }),
    /** What is changed of one. */
    patch: mapping(`a change of a ${noun}`, {
      name: Type.Optional(name),
      address: Type.Optional(address),
      events: Type.Optional(events),
      status: Type.Optional(STATUS),
    }),
  };
}

export type SubscriptionSchemas = Pick<ReturnType<typeof schemasOf>, 'create' | 'patch'>;

const { keys: webhookKeys, ...webhookSchemas } = schemasOf('webhook', WEB_ADDRESS);
const { keys: recipientKeys, ...recipientSchemas } = schemasOf('recipient', MAIL_ADDRESS);
export { recipientSchemas, webhookSchemas };

/** Somebody who gets e-mail, as their account sees it. */
export const ShownRecipientSchema = shownSchema('EmailRecipient', {
  id: Type.Integer(),
  ...recipientKeys,
});

export type ShownRecipient = Static<typeof ShownRecipientSchema>;

/** A webhook as its owner sees it; the secret is shown once, when it is made or rolled. */
export const ShownWebhookSchema = shownSchema('Webhook', {
  id: Type.Integer(),
  ...webhookKeys,
  previous_secret: ShownPreviousSchema,
});

export type ShownWebhook = Static<typeof ShownWebhookSchema>;

/** A webhook with its secret, as it is shown once. */
export const WebhookSecretSchema = Type.Object(
  {
    ...ShownWebhookSchema.properties,
    secret: Type.String({ description: 'what deliveries are signed with; shown this once' }),
  },
  { additionalProperties: false, title: 'WebhookSecret' },
);

export type WebhookSecret = Static<typeof WebhookSecretSchema>;

const nullable = <Value extends Type.TSchema>(value: Value, description: string) =>
  Type.Union([value, Type.Null()], { description });

/** What is sent to a webhook or a recipient of e-mail, or was. */
export const ShownDeliverySchema = Type.Object(
  {
    id: Type.String({
      description: 'of the delivery; `Rialto-Delivery` in each try, and in the `Message-ID`',
    }),
    event_id: Type.String({ description: 'of the event: `id` in the body' }),
    type: Type.Enum(Object.keys(EVENT_TYPES), { description: 'the type of the event' }),
    state: Type.Enum(['pending', 'delivered', 'given_up'], {
      description:
        'pending until it is answered with a status of 200 to 299, or given up after a day or when the mail server says that there is no such address',
    }),
    tries: Type.Integer({ minimum: 0 }),
    created_at: INSTANT,
    tried_at: nullable(INSTANT, 'the last try; null before the first'),
    next_try_at: nullable(INSTANT, 'when it is tried next; null once it was delivered or given up'),
    answer_status: nullable(Type.Integer(), 'the status of the last answer, of HTTP or SMTP'),
    failure: nullable(
      Type.String(),
      'why there was no answer, as a code: `timeout`, `ECONNREFUSED`',
    ),
    body: Type.String({
      description: 'the event as JSON: what a webhook is sent, to the byte, and an e-mail words',
    }),
  },
  { additionalProperties: false, title: 'Delivery' },
);

export type ShownDelivery = Static<typeof ShownDeliverySchema>;

const TIMES = {
  created_at: '2026-11-20T08:15:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
} as const;

export const WEBHOOK_EXAMPLE: ShownWebhook = {
  id: 1_000_001,
  name: 'Pager',
  address: 'https://hooks.acme.example/rialto',
  events: ['bidder.unhealthy', 'bidder.healthy', 'budget.used_up'],
  status: 'ACTIVE',
  previous_secret: null,
  ...TIMES,
};

export const RECIPIENT_EXAMPLE: ShownRecipient = {
  id: 1_000_002,
  name: 'Ad operations',
  address: 'adops@acme.example',
  events: ['bidder.unhealthy', 'budget.used_up'],
  status: 'ACTIVE',
  ...TIMES,
};

export const SECRET_EXAMPLE = 'rialto_whsec_dG5b5uxsPauVU9MbhL0chz7p6oTLEJslTAgEd2e8x3k';

export const DELIVERY_EXAMPLE: ShownDelivery = {
  id: 'dlv_5f0d6b1f-1d9a-4c0e-8a7b-3c2d1e0f9a8b',
  event_id: 'evt_0a1f7c1e-4a61-4c0b-9b0e-2f6c1d9a7e55',
  type: 'subscription.test',
  state: 'delivered',
  tries: 1,
  created_at: '2026-11-20T08:15:00.000Z',
  tried_at: '2026-11-20T08:15:00.600Z',
  next_try_at: null,
  answer_status: 204,
  failure: null,
  body: '{"id":"evt_0a1f7c1e-4a61-4c0b-9b0e-2f6c1d9a7e55","type":"subscription.test","created_at":"2026-11-20T08:15:00.000Z","data":{"name":"Pager"}}',
};
