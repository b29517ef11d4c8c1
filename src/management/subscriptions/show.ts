import type { Database } from '../../configuration/schema.ts';
import { showPrevious } from '../grace.ts';
import { showInstant, shownTimes } from '../shown.ts';
import type { ShownDelivery, ShownRecipient, ShownWebhook } from './schema.ts';

type Row = Database['subscriptions'];

export function showRecipient(row: Row): ShownRecipient {
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    events: JSON.parse(row.events),
    status: row.status,
    ...shownTimes(row),
  };
}

/** A webhook without its secret. */
export function showWebhook(row: Row, nowMs: number): ShownWebhook {
  const { created_at, updated_at, ...shown } = showRecipient(row);
  const previous = showPrevious(row.previous_secret_until, nowMs);
  return { ...shown, previous_secret: previous, created_at, updated_at };
}

export function showDelivery(row: Database['deliveries']): ShownDelivery {
  return {
    id: row.id,
    event_id: row.event_id,
    type: row.type,
    state: row.state,
    tries: row.tries,
    created_at: showInstant(row.created_at),
    tried_at: row.tried_at === null ? null : showInstant(row.tried_at),
    next_try_at: row.next_try_at === null ? null : showInstant(row.next_try_at),
    answer_status: row.answer_status,
    failure: row.failure,
    body: row.body,
  };
}
