import type { TObject } from 'typebox';
import type { Channel, SubscriptionChoice } from '../../configuration/subscriptions.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Finding } from '../../configuration/finding.ts';
import type { Caller } from '../../identity/caller.ts';
import { EVENT_TYPES, eventTypesFor } from '../../subscriptions/event-types.ts';
import type { ResourceParts } from '../resource-routes.ts';
import type { ShownRecipient, SubscriptionSchemas } from './schema.ts';

/** What the endpoints of webhooks and of e-mail recipients differ in. */
export interface ChannelApi {
  readonly channel: Channel;
  /** In the names of operations: `listWebhooks`. */
  readonly operation: string;
  readonly tag: string;
  /** `/webhooks`, and `/webhooks/:webhook_id`. */
  readonly path: string;
  readonly onePath: string;
  /** The parameter with its id. */
  readonly parameter: string;
  /** `webhook`, with its article: `a webhook`. */
  readonly noun: string;
  readonly one: string;
  readonly schemas: SubscriptionSchemas;
  readonly shown: TObject;
  readonly example: ShownRecipient;
  /** What making one does, as the reference says it. */
  readonly making: string;
  /** For a channel with secrets, which are shown once. */
  readonly secret: {
    readonly create: () => string;
    readonly schema: TObject;
    readonly example: object;
  } | null;
  readonly show: (row: Database['subscriptions'], nowMs: number) => ShownRecipient;
  /** What is wrong with an address beyond its form, where it is chosen or to be used again. */
  readonly check: (choice: SubscriptionChoice, caller: Caller) => Promise<Finding[]>;
}

export interface SubscriptionParts extends ResourceParts {
  /** Whether the node has a mail server. */
  readonly sendsEmail: boolean;
}

/** What is wrong with the types of events that somebody asks for. */
export function findWrongTypes(
  { role }: Pick<Caller, 'role'>,
  { events }: Pick<SubscriptionChoice, 'events'>,
): Finding[] {
  const allowed: readonly string[] = eventTypesFor(role);
  return events.flatMap((type, index): Finding[] => {
    if (events.indexOf(type) < index) {
      return [{ path: ['events', index], message: 'is there twice' }];
    }
    if (allowed.includes(type)) return [];
    const message = `is for others: a ${role} can be told of ${allowed.join(', ')}`;
    return [{ path: ['events', index], message }];
  });
}

/** All types, each with who may ask for it. */
export function typesInWords(): string {
  return Object.entries(EVENT_TYPES)
    .filter(([type]) => type !== 'subscription.test')
    .map(([type, { roles }]) => `\`${type}\` (${roles.join(', ')})`)
    .join(', ');
}
