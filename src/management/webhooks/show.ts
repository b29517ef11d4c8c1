import type { Database } from '../../configuration/schema.ts';
import { showPrevious } from '../grace.ts';
import { showInstant, shownTimes } from '../shown.ts';
import type { ShownDelivery, ShownWebhook } from './schema.ts';

/** A webhook without its secret. */
export function showWebhook(row: Database['webhooks'], nowMs: number): ShownWebhook {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: JSON.parse(row.events),
    status: row.status,
    previous_secret: showPrevious(row.previous_secret_until, nowMs),
    ...shownTimes(row),
  };
}

export function showDelivery(row: Database['webhook_deliveries']): ShownDelivery {
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
