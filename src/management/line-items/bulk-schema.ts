import Type, { type Static } from 'typebox';
import { LineItemSchema } from '../../resources/line-item.ts';

/** In one request. */
export const BULK_MAX = 1_000;

/** Told of one line item: the answer must stay small, since it may be kept under an Idempotency-Key. */
export const BULK_ERRORS_MAX = 10;

/** What is sent, as far as it is checked before each is looked at by itself. */
export const BulkSchema = Type.Object(
  {
    line_items: Type.Array(Type.Unknown(), {
      minItems: 1,
      maxItems: BULK_MAX,
      description: `a list of 1 to ${BULK_MAX} line items`,
    }),
  },
  { additionalProperties: false, title: 'this request' },
);

/** The same for the reference. */
export const BulkLineItemsSchema = Type.Object(
  {
    line_items: Type.Array(
      Type.Partial(LineItemSchema, {
        title: 'BulkLineItem',
        description:
          'With an `id` a JSON Merge Patch of the line item that has it, without one what a new one is made of.',
      }),
      { minItems: 1, maxItems: BULK_MAX },
    ),
  },
  { title: 'BulkLineItems', additionalProperties: false },
);

const BulkResultSchema = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'its place in the request, counted from 0' }),
    status: Type.Integer({
      description:
        'what a request for it alone is answered with: 201 made, 200 changed, else refused',
    }),
    id: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'of the line item; null where it was refused',
    }),
    code: Type.Union([Type.String(), Type.Null()], {
      description: 'of the table of errors, where it was refused',
    }),
    errors: Type.Array(
      Type.Object(
        {
          pointer: Type.String({
            description: 'where in the request, as a JSON pointer (RFC 6901)',
          }),
          message: Type.String(),
        },
        { title: 'BulkProblem', additionalProperties: false },
      ),
      { description: `what is wrong with it, ${BULK_ERRORS_MAX} faults at most` },
    ),
  },
  { title: 'BulkResult', additionalProperties: false },
);

/** What became of each. */
export const BulkAnswerSchema = Type.Object(
  {
    created: Type.Integer({ minimum: 0 }),
    changed: Type.Integer({ minimum: 0, description: 'how many were changed, or were so already' }),
    refused: Type.Integer({ minimum: 0 }),
    results: Type.Array(BulkResultSchema, {
      description: 'one for each, in the order of the request',
    }),
  },
  { title: 'BulkAnswer', additionalProperties: false },
);

export type BulkResult = Static<typeof BulkResultSchema>;
export type BulkAnswer = Static<typeof BulkAnswerSchema>;
