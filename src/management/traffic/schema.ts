import Type, { type Static } from 'typebox';

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));
const dollars = (description: string) => Type.Optional(Type.Number({ minimum: 0, description }));
const latency = (share: string) =>
  Type.Optional(
    Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: `milliseconds within which ${share} of the answers came, to about 2 %; null without any`,
    }),
  );
const INSTANT = Type.String({ format: 'date-time' });

/**
 * What went on in a time. Who sees what: an operator all of it (of one demand partner all but ad
 * requests), a publisher ad requests and its payout, a demand partner its own calls, bids and
 * spend. What somebody does not see is left out.
 */
const FIGURES = {
  ad_requests: count('impressions that were on sale; not of a demand partner'),
  filled_requests: count('of these, sold; not of a demand partner'),
  bid_requests: count(
    'bid requests that were sent; not shown to publishers, as all down to errors',
  ),
  responses: count('of these, answered with bids'),
  no_bids: count('of these, answered without'),
  timeouts: count('of these, answered too late or not at all'),
  errors: count('of these, failed in transport or with a status other than 200 and 204'),
  throttled: count('matched and not sent: limits, health or consent; not shown to publishers'),
  bids: count('bids that came; not shown to publishers'),
  wins: count('bids that won'),
  impressions: count('impressions that were counted'),
  clicks: count('clicks that were counted'),
  gross_revenue: dollars('US dollars that demand partners pay; not shown to publishers'),
  payout: dollars('US dollars that publishers get; not shown to demand partners'),
  latency_ms_p50: latency('half'),
  latency_ms_p95: latency('95 %'),
  latency_ms_p99: latency('99 %'),
};

/** The figures of the whole time. */
const TrafficFiguresSchema = Type.Object(FIGURES, {
  title: 'TrafficFigures',
  additionalProperties: false,
});

/** The figures of one step. */
const TrafficPointSchema = Type.Object(
  { at: Type.String({ format: 'date-time', description: 'when the step begins' }), ...FIGURES },
  { title: 'TrafficPoint', additionalProperties: false },
);

/** Live figures, as `GET /api/traffic/` answers with them. */
export const TrafficSchema = Type.Object(
  {
    from: INSTANT,
    to: Type.String({
      format: 'date-time',
      description: 'when the step ends that is under way; not included',
    }),
    step_seconds: Type.Union([Type.Literal(10), Type.Literal(60), Type.Literal(300)]),
    complete_until: Type.String({
      format: 'date-time',
      description: 'all that happened until then is counted; what came later may still be missing',
    }),
    points: Type.Array(TrafficPointSchema, {
      description: 'one for every step, zeros included, the earliest first; at most 301',
    }),
    total: TrafficFiguresSchema,
  },
  { title: 'Traffic', additionalProperties: false },
);

export type TrafficFigures = Static<typeof TrafficFiguresSchema>;
export type Traffic = Static<typeof TrafficSchema>;
