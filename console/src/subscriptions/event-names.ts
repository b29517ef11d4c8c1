import type { ShownWebhook } from '../../../src/management/subscriptions/schema.ts';

/** A type of event; tests come by themselves. */
export type EventType = Exclude<ShownWebhook['events'][number], 'subscription.test'>;

/** What each type is called where it is chosen. */
export const EVENT_NAMES: Readonly<Record<string, string>> & Readonly<Record<EventType, string>> = {
  'bidder.unhealthy': 'A bidder fails',
  'bidder.healthy': 'A bidder is well again',
  'budget.used_up': 'The daily limit of a line item is used up',
  'line_item.no_traffic': 'A line item has had no bid request for an hour',
  'line_item.traffic_resumed': 'A line item has bid requests again',
  'creative.awaiting_review': 'Creatives wait for a review',
  'certificate.expiring': 'The certificate of a bidder expires soon',
  'certificate.expired': 'The certificate of a bidder has expired',
  'certificate.renewed': 'A bidder has renewed its certificate',
  'batch.quarantined': 'A batch is quarantined',
  'attention.raised': 'Something else needs attention',
  'attention.resolved': 'Something else is resolved',
};

/** Those that nobody but the operator is told of. */
const OPERATORS: ReadonlySet<string> = new Set([
  'batch.quarantined',
  'attention.raised',
  'attention.resolved',
]);

/** The types that a user of this kind may choose, in their order. */
export function eventsFor(
  role: 'operator' | 'demand-partner' | 'publisher',
): readonly (readonly [type: string, name: string])[] {
  return Object.entries(EVENT_NAMES).filter(([type]) => {
    if (role === 'operator') return true;
    if (role === 'publisher') return type === 'creative.awaiting_review';
    return !OPERATORS.has(type);
  });
}
