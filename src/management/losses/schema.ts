import Type, { type Static, type TSchema } from 'typebox';

/** The answer of `GET …/losses/`: why the bids of a demand partner lost. */

const count = (description: string) => Type.Integer({ minimum: 0, description });

const LossSchema = Type.Object(
  {
    loss_reason: Type.Integer({ minimum: 1, description: 'OpenRTB 2.5 list 5.25' }),
    meaning: Type.String(),
    action: Type.String({ description: 'what the demand partner can do about it' }),
    count: count('bids that lost by this reason'),
    share: Type.Number({ minimum: 0, maximum: 1, description: 'of all bids that lost' }),
    bid_cpm_avg: nullable(
      Type.Number({ minimum: 0, description: 'US dollars CPM; null where no bid had a price' }),
    ),
    shortfall_cpm_avg: nullable(
      Type.Number({
        minimum: 0,
        description:
          'how much more would have won on average, in US dollars CPM: below the floor of the impression (100) or a higher bid (102), where the record tells it',
      }),
    ),
    top: Type.Array(
      Type.Object({ crid: Type.String(), adomain: Type.String() }, { additionalProperties: false }),
      { maxItems: 3, description: 'examples of creatives with their first advertiser domain' },
    ),
    example_auction_id: nullable(
      Type.String({ description: 'to be opened at `GET /api/auctions/{id}/`; null once expired' }),
    ),
  },
  { title: 'Loss', additionalProperties: false },
);

export const LossesSchema = Type.Object(
  {
    start_date: Type.String({ format: 'date', description: 'a UTC day, included' }),
    end_date: Type.String({ format: 'date', description: 'a UTC day, included' }),
    losses: Type.Array(LossSchema, { description: 'the most frequent first' }),
    bids: count('all bids'),
    won: nullable(
      count(
        'bids that won, as the funnel, KPIs and reports count them: where the publisher decides, once a beacon has confirmed it. Confirmations do not tell the publisher or the seat: null if one is asked for and its wins need confirming',
      ),
    ),
    not_confirmed: nullable(
      count(
        'bids that came first where the publisher decides, and that no beacon has confirmed yet; null with `won`',
      ),
    ),
  },
  { title: 'Losses', additionalProperties: false },
);

export type Losses = Static<typeof LossesSchema>;

function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}
