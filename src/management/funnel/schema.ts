import Type, { type Static, type TSchema } from 'typebox';

/**
 * The answer of `GET …/funnel/`: how many of a demand partner's bid requests and bids came how far, and
 * what became of the others. The count of a step, less its drops, plus what was carried over, is the
 * count of the next one; between bid requests and bids it is `requests` of the step `bids`.
 */

const count = (description: string) => Type.Integer({ minimum: 0, description });

const UnitSchema = Type.Enum(['bid requests', 'bids', 'impressions'], {
  description: 'what is counted',
});

const StepSchema = Type.Object(
  {
    step: Type.Enum(['matched', 'sent', 'answered', 'bids', 'in_auction', 'won', 'billed']),
    count: count('how many came so far'),
    unit: UnitSchema,
    requests: nullable(
      count('of `bids`: the bid requests that were answered with them, with one bid or several'),
    ),
    carried_over: count(
      'of `won` and `billed`: how many are of auctions of another day, since beacons count on their own',
    ),
    meaning: Type.String(),
  },
  { title: 'FunnelStep', additionalProperties: false },
);

const DropSchema = Type.Object(
  {
    before: Type.Enum(['sent', 'answered', 'bids', 'in_auction', 'won', 'billed'], {
      description: 'the step that was not reached',
    }),
    code: Type.String({
      description:
        'the reason of a bid request, the loss reason of a bid (OpenRTB 2.5 list 5.25), `not_confirmed` or `no_impression`',
    }),
    count: count('how many'),
    unit: UnitSchema,
    meaning: Type.String(),
    action: Type.String({ description: 'what the demand partner can do about it' }),
    auction_filter: nullable(
      Type.Object(
        {
          outcome: Type.Optional(Type.String()),
          reason: Type.Optional(Type.String()),
          loss_reason: Type.Optional(Type.Integer()),
        },
        {
          additionalProperties: false,
          description: 'what lists such auctions at `GET /api/auctions/`',
        },
      ),
    ),
  },
  { title: 'FunnelDrop', additionalProperties: false },
);

export const FunnelSchema = Type.Object(
  {
    start_date: Type.String({ format: 'date', description: 'a UTC day, included' }),
    end_date: Type.String({ format: 'date', description: 'a UTC day, included' }),
    lineitem_id: nullable(Type.Integer({ description: 'null for all line items together' })),
    steps: Type.Array(StepSchema),
    drops: Type.Array(DropSchema, { description: 'by step, the most frequent first' }),
  },
  { title: 'Funnel', additionalProperties: false },
);

export type Funnel = Static<typeof FunnelSchema>;
export type FunnelStep = Static<typeof StepSchema>;
export type FunnelDrop = Static<typeof DropSchema>;

function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}
