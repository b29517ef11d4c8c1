import Type, { type Static } from 'typebox';

const Cell = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/** The report of the reporting API. */
export const ShownReportSchema = Type.Object(
  {
    status: Type.Literal('success'),
    data: Type.Array(Type.Record(Type.String(), Cell), {
      description: 'a row for each group: its dimensions, then the metrics',
    }),
    result_count: Type.Integer({ minimum: 0 }),
  },
  { title: 'Report', additionalProperties: false },
);

export type ShownReport = Static<typeof ShownReportSchema>;

const Count = Type.Integer({ minimum: 0 });
const Dollars = Type.Number({ minimum: 0, description: 'an amount in USD' });

const SUMS = {
  impressions: Count,
  clicks: Count,
  wins: Count,
  /** What a demand partner pays, or a publisher gets. */
  amount: Dollars,
};

/** A month of one account, as it is billed or paid. */
export const StatementSchema = Type.Object(
  {
    statement: Type.String({ description: 'its number, which is the same for ever' }),
    month: Type.String({ description: 'YYYY-MM, in UTC' }),
    account: Type.Object({
      type: Type.Union([Type.Literal('DEMAND_PARTNER'), Type.Literal('PUBLISHER')]),
      id: Type.Integer(),
      name: Type.String(),
    }),
    currency: Type.Literal('USD'),
    amount_is: Type.Union([Type.Literal('gross_revenue'), Type.Literal('payout')], {
      description: 'what the report calls the amounts',
    }),
    revenue_share: Type.Union([Type.Null(), Type.Number()], {
      description: 'of a publisher: its share as it is set now; null for a demand partner',
    }),
    final: Type.Boolean({ description: 'false while figures may still change' }),
    final_from: Type.String({ description: 'the UTC day from which on it is final' }),
    total: Type.Object(SUMS, { additionalProperties: false }),
    days: Type.Array(
      Type.Object({ date: Type.String(), ...SUMS }, { additionalProperties: false }),
      { description: 'each day of the month, the current one included, zeros too' },
    ),
    parts: Type.Array(
      Type.Object(
        {
          id: Type.Union([Type.Null(), Type.Integer()]),
          name: Type.Union([Type.Null(), Type.String()]),
          ...SUMS,
        },
        { additionalProperties: false },
      ),
      { description: 'the same by line item of a demand partner, or by ad space of a publisher' },
    ),
  },
  { title: 'Statement', additionalProperties: false },
);

export type Statement = Static<typeof StatementSchema>;

const Figure = Type.Union([Type.Null(), Type.Number()]);

const DifferenceSchema = Type.Object(
  {
    metric: Type.Enum(['impressions', 'clicks', 'wins', 'revenue']),
    ours: Type.Number(),
    theirs: Figure,
    difference: Type.Union([Type.Null(), Type.Number()], { description: 'theirs less ours' }),
    percent: Type.Union([Type.Null(), Type.Number()], {
      description: 'of ours; null where ours is 0',
    }),
  },
  { additionalProperties: false },
);

export type Difference = Static<typeof DifferenceSchema>;

const CauseSchema = Type.Object(
  {
    code: Type.String(),
    sentence: Type.String(),
    metrics: Type.Array(Type.String(), { description: 'the metrics that it is about' }),
    figures: Type.Record(Type.String(), Type.Number(), {
      description: 'the numbers that support it',
    }),
  },
  { additionalProperties: false },
);

/** The figures of both sides. */
export const ComparisonSchema = Type.Object(
  {
    start_date: Type.String(),
    end_date: Type.String(),
    metrics: Type.Array(Type.String()),
    agrees: Type.Boolean(),
    time_zone_hours: Type.Union([Type.Null(), Type.Integer()], {
      description: 'hours ahead of UTC in which their days fit ours; null for UTC, or if unknown',
    }),
    total: Type.Array(DifferenceSchema, { description: 'of the days that they have figures of' }),
    days: Type.Array(
      Type.Object(
        {
          date: Type.String(),
          agrees: Type.Boolean(),
          differences: Type.Array(DifferenceSchema),
          causes: Type.Array(CauseSchema, { description: 'the likeliest first' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'Comparison', additionalProperties: false },
);

export type Comparison = Static<typeof ComparisonSchema>;
