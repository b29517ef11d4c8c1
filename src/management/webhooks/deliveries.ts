import { sql } from 'kysely';
import Type from 'typebox';
import { listRows } from '../../configuration/resource-rows.ts';
import {
  addDelivery,
  createEvent,
  DELIVERIES_KEPT,
  trimDeliveries,
} from '../../webhooks/deliveries.ts';
import { EVERYBODY, NO_BODY, NO_QUERY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { answerPage, LIST_HEADERS, listQuery, pageOf } from '../page.ts';
import type { ResourceParts } from '../resource-routes.ts';
import { findWebhook } from './find.ts';
import { DELIVERY_EXAMPLE, ShownDeliverySchema } from './schema.ts';
import { showDelivery } from './show.ts';

const TAG = 'Webhooks';
const ONE = '/webhooks/:webhook_id';

/** What was sent to a webhook, and a test of it. */
export function registerDeliveries(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      id: 'listWebhookDeliveries',
      method: 'GET',
      path: `${ONE}/deliveries`,
      tag: TAG,
      summary: 'List what was sent to a webhook, or waits',
      description: `The newest first unless \`sort\` says otherwise. The last ${DELIVERIES_KEPT.toLocaleString('en-US')} are kept, also of those that wait.`,
      roles: EVERYBODY,
      query: listQuery({}, ['created_at']),
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the deliveries',
        schema: Type.Array(ShownDeliverySchema),
        example: [DELIVERY_EXAMPLE],
        headers: LIST_HEADERS,
      },
    },
    async ({ caller, params, query, request, reply }) => {
      const { id } = await findWebhook(db, caller, params);
      const page = pageOf({ sort: '-created_at', ...query });
      const rows = {
        table: 'webhook_deliveries',
        key: 'id',
        within: sql`webhook_id = ${id}`,
      } as const;
      const found = await listRows(db, rows, { page, filters: new Map() });
      answerPage(request, reply, { page, total: found.total });
      return found.rows.map((row) => showDelivery(row));
    },
  );
  endpoints.add(
    {
      id: 'testWebhook',
      method: 'POST',
      path: `${ONE}/test`,
      tag: TAG,
      summary: 'Send a test to a webhook',
      description:
        'Sends an event of the type `webhook.test` within a second or so; the list of deliveries says what came of it. One that is paused gets it when it goes on.',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 201,
        meaning: 'the delivery, as it waits',
        schema: ShownDeliverySchema,
        example: {
          ...DELIVERY_EXAMPLE,
          state: 'pending',
          tries: 0,
          tried_at: null,
          next_try_at: DELIVERY_EXAMPLE.created_at,
          answer_status: null,
        },
      },
    },
    async ({ caller, params }) => {
      const delivery = await db.transaction().execute(async (transaction) => {
        const { id } = await findWebhook(transaction, caller, params);
        const event = createEvent({ type: 'webhook.test', data: { webhook_id: id } }, now());
        const added = await addDelivery(transaction, id, event);
        await trimDeliveries(transaction, id);
        return added;
      });
      return showDelivery(delivery);
    },
  );
}
