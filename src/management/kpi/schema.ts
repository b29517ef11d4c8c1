import Type, { type Static } from 'typebox';
import { isDate } from '../../analytics/dates.ts';

/** A day that exists: `format` alone would take 2026-02-30. */
const DAY = Type.Refine(
  Type.String({
    format: 'date',
    maxLength: 10,
    description: 'a day that exists, as YYYY-MM-DD',
  }),
  (text) => typeof text === 'string' && isDate(text),
);

/** More than a partner has; what they come to on the days asked for is bounded beside it. */
const LINE_ITEMS_MAX = 10_000;

const LINE_ITEM_ID = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'the id of a line item, a whole number',
});

/** What is asked for. Source: management API, "KPI request"; both dates are required. */
export const KpiRequestSchema = Type.Object(
  {
    start_date: DAY,
    end_date: DAY,
    lineitems: Type.Optional(
      Type.Array(LINE_ITEM_ID, {
        maxItems: LINE_ITEMS_MAX,
        description: `a list of at most ${LINE_ITEMS_MAX} ids of line items; all of the partner's where it is left out, none where it is empty`,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'a KPI request',
    description: 'a mapping of start_date, end_date and lineitems',
  },
);

export type KpiRequest = Static<typeof KpiRequestSchema>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** One line item on one day. */
export const KpiSchema = Type.Object(
  {
    lineitem_id: Type.Integer({ description: 'the line item' }),
    date: Type.String({ format: 'date', description: 'the UTC day' }),
    dsp_requests: count('bid requests that were sent; one counts for each line item it matched'),
    responses: count('of these, answered with bids'),
    no_bids: count('of these, answered without'),
    timeouts: count('of these, answered too late or not at all'),
    errors: count('of these, failed in transport or with a status other than 200 and 204'),
    throttled: count('matched and not sent: limits, health or consent'),
    bids: count('bids of this line item'),
    bids_in_auction: count('of these, valid and above the floor'),
    wins: count('of these, won'),
    impressions: count('impressions that were counted'),
    clicks: count('clicks that were counted'),
    gross_revenue: Type.Number({ minimum: 0, description: 'what impressions cost, in US dollars' }),
  },
  { title: 'Kpi', additionalProperties: false },
);

export type Kpi = Static<typeof KpiSchema>;
