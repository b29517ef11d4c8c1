import Type, { type Static } from 'typebox';
import { listOfSome, mapping, NAME, WEB_ADDRESS } from '../../resources/vocabulary.ts';
import { EVENT_TYPES, SUBSCRIBABLE } from '../../webhooks/event-types.ts';
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

const KEYS = { name: NAME, url: WEB_ADDRESS, events: EVENTS };

/** What a webhook is made of; the exchange gives the rest. */
export const NewWebhookSchema = mapping('a webhook', { ...KEYS, status: Type.Optional(STATUS) });

/** What is changed of it. */
export const WebhookPatchSchema = mapping('a change of a webhook', {
  name: Type.Optional(NAME),
  url: Type.Optional(WEB_ADDRESS),
  events: Type.Optional(EVENTS),
  status: Type.Optional(STATUS),
});

/** A webhook as its owner sees it; the secret is shown once, when it is made or rolled. */
export const ShownWebhookSchema = shownSchema('Webhook', {
  id: Type.Integer(),
  ...KEYS,
  status: STATUS,
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

/** What is sent to a webhook, or was. */
export const ShownDeliverySchema = Type.Object(
  {
    id: Type.String({ description: 'of the delivery; `Rialto-Delivery` in each try' }),
    event_id: Type.String({ description: 'of the event: `id` in the body' }),
    type: Type.Enum(Object.keys(EVENT_TYPES), { description: 'the type of the event' }),
    state: Type.Enum(['pending', 'delivered', 'given_up'], {
      description:
        'pending until it is answered with a status of 200 to 299, or given up after a day',
    }),
    tries: Type.Integer({ minimum: 0 }),
    created_at: INSTANT,
    tried_at: nullable(INSTANT, 'the last try; null before the first'),
    next_try_at: nullable(INSTANT, 'when it is tried next; null once it was delivered or given up'),
    answer_status: nullable(Type.Integer(), 'the HTTP status of the last answer'),
    failure: nullable(
      Type.String(),
      'why there was no answer, as a code: `timeout`, `ECONNREFUSED`',
    ),
    body: Type.String({ description: 'what is sent, to the byte' }),
  },
  { additionalProperties: false, title: 'WebhookDelivery' },
);

export type ShownDelivery = Static<typeof ShownDeliverySchema>;

export const WEBHOOK_EXAMPLE: ShownWebhook = {
  id: 1_000_001,
  name: 'Pager',
  url: 'https://hooks.acme.example/rialto',
  events: ['bidder.unhealthy', 'bidder.healthy', 'budget.used_up'],
  status: 'ACTIVE',
  previous_secret: null,
  created_at: '2026-11-20T08:15:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

export const SECRET_EXAMPLE = 'rialto_whsec_dG5b5uxsPauVU9MbhL0chz7p6oTLEJslTAgEd2e8x3k';

export const DELIVERY_EXAMPLE: ShownDelivery = {
  id: 'dlv_5f0d6b1f-1d9a-4c0e-8a7b-3c2d1e0f9a8b',
  event_id: 'evt_0a1f7c1e-4a61-4c0b-9b0e-2f6c1d9a7e55',
  type: 'webhook.test',
  state: 'delivered',
  tries: 1,
  created_at: '2026-11-20T08:15:00.000Z',
  tried_at: '2026-11-20T08:15:00.600Z',
  next_try_at: null,
  answer_status: 204,
  failure: null,
  body: '{"id":"evt_0a1f7c1e-4a61-4c0b-9b0e-2f6c1d9a7e55","type":"webhook.test","created_at":"2026-11-20T08:15:00.000Z","data":{"webhook_id":1000001}}',
};
