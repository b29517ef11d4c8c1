import type { CallerRole } from '../identity/caller.ts';

/** What webhooks and recipients of e-mail can be told of: who may ask for it, and when it is sent. */
export const EVENT_TYPES = {
  'bidder.unhealthy': {
    roles: ['operator', 'demand-partner'],
    meaning: 'a bidder fails, or the exchange holds its calls back',
  },
  'bidder.healthy': {
    roles: ['operator', 'demand-partner'],
    meaning: 'a bidder that was unhealthy answers again',
  },
  'budget.used_up': {
    roles: ['operator', 'demand-partner'],
    meaning: 'a daily limit of a line item leaves nothing to buy until the next day (UTC)',
  },
  'line_item.no_traffic': {
    roles: ['operator', 'demand-partner'],
    meaning: 'an active line item has had no bid request for an hour',
  },
  'line_item.traffic_resumed': {
    roles: ['operator', 'demand-partner'],
    meaning: 'it has bid requests again',
  },
  'creative.awaiting_review': {
    roles: ['operator', 'demand-partner', 'publisher'],
    meaning: 'a creative is not shown before the operator, or a publisher, has approved it',
  },
  'certificate.expiring': {
    roles: ['operator', 'demand-partner'],
    meaning:
      'the TLS certificate of a bidder expires within two weeks, or what the operator has set',
  },
  'certificate.expired': {
    roles: ['operator', 'demand-partner'],
    meaning: 'it has expired: the bidder is no longer called',
  },
  'certificate.renewed': {
    roles: ['operator', 'demand-partner'],
    meaning: 'the bidder shows another one, which is valid for longer',
  },
  'batch.quarantined': {
    roles: ['operator'],
    meaning:
      'records of a batch are in no report, because the analytics store refused them or the journal is damaged',
  },
  'attention.raised': {
    roles: ['operator'],
    meaning:
      'something else stands under `attention` of the status: a node that is silent, a disk that is full, say',
  },
  'attention.resolved': { roles: ['operator'], meaning: 'it stands there no more' },
  'subscription.test': {
    roles: ['operator', 'demand-partner', 'publisher'],
    meaning: 'somebody asked for a test',
  },
} as const satisfies Record<string, EventTypeInfo>;

interface EventTypeInfo {
  readonly roles: readonly CallerRole[];
  readonly meaning: string;
}

export type EventType = keyof typeof EVENT_TYPES;

/** Those that a user of this kind can be told of; tests come by themselves. */
export function eventTypesFor(role: CallerRole): EventType[] {
  return SUBSCRIBABLE.filter((type) => EVENT_TYPES[type].roles.some((each) => each === role));
}

/** All but tests. */
export const SUBSCRIBABLE: readonly EventType[] = Object.keys(EVENT_TYPES)
  .filter(isEventType)
  .filter((type) => type !== 'subscription.test');

function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENT_TYPES, text);
}
