import { TaskQueue } from '../../base/task-queue.ts';
import { ownField } from '../../base/fields.ts';
import { DEMAND_SIDE, NO_QUERY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import type { CountWrites } from '../request-rate.ts';
import type { ResourceParts } from '../resource-routes.ts';
import { BULK_MAX, BulkAnswerSchema, BulkLineItemsSchema, BulkSchema } from './bulk-schema.ts';
import { changeLineItems } from './change-line-items.ts';
import { LINE_ITEMS_PATH } from './line-item.ts';

/** What changing many line items takes. */
export interface BulkParts extends ResourceParts {
  readonly countWrites: CountWrites;
}

/** `POST …/line-items/xch/bulk/`: many line items made or changed by one request, each by itself. */
export function registerBulkLineItems(endpoints: Endpoints, parts: BulkParts): void {
  // One after the other, so that no more than one of them is ever before a single change.
  const queue = new TaskQueue();
  endpoints.add(
    {
      id: 'changeLineItems',
      method: 'POST',
      path: `${LINE_ITEMS_PATH}/bulk`,
      tag: 'Line items',
      summary: 'Create or change many line items',
      description: `Up to ${BULK_MAX} line items at a time, in a body of at most 1 MB: one with an \`id\` is changed by a JSON Merge Patch, one without is made. Each has a result of its own: of one that is refused nothing is made, and the others are made nevertheless, all in one version of the configuration. Each counts as a write: where too few of them are left for all, none is made.`,
      roles: DEMAND_SIDE,
      query: NO_QUERY,
      body: { schema: BulkSchema, patches: BulkLineItemsSchema, example: EXAMPLE },
      answer: {
        status: 201,
        meaning: 'what became of each, at least one of which was made',
        also: { status: 200, meaning: 'the same, where none was made' },
        schema: BulkAnswerSchema,
        didNothing: (body) => ownField(body, 'created') === 0 && ownField(body, 'changed') === 0,
        example: EXAMPLE_ANSWER,
      },
      errors: ['body_too_large'],
    },
    async ({ caller, params, body, request, reply }) => {
      const { line_items: items } = body;
      parts.countWrites(request, reply, items.length);
      const answer = await queue.run(() => changeLineItems(parts, { caller, params, items }));
      if (answer.created === 0) reply.code(200);
      return answer;
    },
  );
}

const EXAMPLE = {
  line_items: [
    { name: 'Default', capping: { max_qps: 100 } },
    { id: 502, status: 'PAUSED' },
  ],
};

const EXAMPLE_ANSWER = {
  created: 1,
  changed: 0,
  refused: 1,
  results: [
    { index: 0, status: 201, id: 503, code: null, errors: [] },
    { index: 1, status: 404, id: null, code: 'not_found', errors: [] },
  ],
};
