import { sql } from 'kysely';
import Type from 'typebox';
import { listRows } from '../../configuration/resource-rows.ts';
import {
  addDelivery,
  createEvent,
  DELIVERIES_KEPT,
  trimDeliveries,
} from '../../subscriptions/deliveries.ts';
import { EVERYBODY, NO_BODY, NO_QUERY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { answerPage, LIST_HEADERS, listQuery, pageOf } from '../page.ts';
import type { ResourceParts } from '../resource-routes.ts';
import type { ChannelApi } from './channel-api.ts';
import { findSubscription } from './find.ts';
import { DELIVERY_EXAMPLE, ShownDeliverySchema } from './schema.ts';
import { showDelivery } from './show.ts';

/** What was sent to a subscription, and a test of it. */
export function registerDeliveries(
  endpoints: Endpoints,
  api: ChannelApi,
  { db, now }: ResourceParts,
): void {
  const { channel, operation, tag, onePath, parameter, one } = api;
  endpoints.add(
    {
      id: `list${operation}Deliveries`,
      method: 'GET',
      path: `${onePath}/deliveries`,
      tag,
      summary: `List what was sent to ${one}, or waits`,
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
      const { id } = await findSubscription(db, caller, { channel, text: params[parameter] });
      const page = pageOf({ sort: '-created_at', ...query });
      const rows = {
        table: 'deliveries',
        key: 'id',
        within: sql`subscription_id = ${id}`,
      } as const;
      const found = await listRows(db, rows, { page, filters: new Map() });
      answerPage(request, reply, { page, total: found.total });
      return found.rows.map((row) => showDelivery(row));
    },
  );
  endpoints.add(
    {
      id: `test${operation}`,
      method: 'POST',
      path: `${onePath}/test`,
      tag,
      summary: `Send a test to ${one}`,
      description:
        'Sends an event of the type `subscription.test` within a second or so; the list of deliveries says what came of it. Where it is paused it is sent when it goes on.',
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
        const named = { channel, text: params[parameter] };
        const { id, name } = await findSubscription(transaction, caller, named);
        const event = createEvent({ type: 'subscription.test', data: { name } }, now());
        const added = await addDelivery(transaction, id, event);
        await trimDeliveries(transaction, id);
        return added;
      });
      return showDelivery(delivery);
    },
  );
}
