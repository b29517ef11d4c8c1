import Type, { type Static } from 'typebox';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const share = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description });
const latency = (part: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    description: `milliseconds within which ${part} of the answers came; null without any`,
  });
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** Why something happened, and how often. */
const ReasonSchema = Type.Object(
  {
    reason: Type.String({ description: 'a word for programs, such as http_500' }),
    text: Type.String({ description: 'the same for people' }),
    count: count('calls'),
  },
  { title: 'CallReason', additionalProperties: false },
);

const reasons = (description: string) => Type.Array(ReasonSchema, { description });

/** How a demand partner's bidder does. */
export const BidderHealthSchema = Type.Object(
  {
    demand_partner_id: Type.Integer(),
    name: Type.String(),
    state: Type.Union(
      [
        Type.Literal('healthy'),
        Type.Literal('unreliable'),
        Type.Literal('failing'),
        Type.Literal('held_back'),
        Type.Literal('stopped'),
        Type.Literal('idle'),
        Type.Literal('not_set_up'),
      ],
      {
        description:
          'unreliable: a tenth of its calls fail, or more; failing: more than half of them do; held_back: the exchange keeps most calls from it because they failed; stopped: by the operator; idle: nothing was sent in these minutes; not_set_up: it has no bidder',
      },
    ),
    since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description:
        'when it began to be stopped, failing or held back; null in other states, and where that was before these minutes',
    }),
    sentence: Type.String({ description: 'how it does, for people' }),
    action: orNull('what to do; null where there is nothing to do'),
    window_seconds: Type.Integer({ description: 'the time that all figures are of, until now' }),
    bid_requests: count('bid requests that were sent'),
    qps: Type.Number({ minimum: 0, description: 'the same by the second' }),
    responses: count('of these, answered with bids'),
    bids: count('the bids in them'),
    no_bids: count('bid requests answered without a bid'),
    timeouts: count('bid requests answered too late or not at all'),
    errors: reasons('bid requests that failed in transport or by their status, the most first'),
    no_bid_reasons: reasons('why there was no bid, where it was said; the most first'),
    throttled: reasons('calls that matched and were not sent, the most first'),
    timeout_share: share('of the bid requests; null without any'),
    error_share: share('of the bid requests, likewise'),
    latency_ms_p50: latency('half'),
    latency_ms_p95: latency('95 %'),
    latency_ms_p99: latency('99 %'),
    wins: count('bids that won'),
    spend: Type.Number({
      minimum: 0,
      description: 'US dollars, for impressions that were counted',
    }),
    stop: Type.Union(
      [
        Type.Object(
          {
            reason: Type.String({ description: 'in the words of the operator' }),
            at: Type.String({ format: 'date-time' }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'null unless the operator has stopped all calls' },
    ),
  },
  { title: 'BidderHealth', additionalProperties: false },
);

export type BidderHealth = Static<typeof BidderHealthSchema>;
export type CallReason = Static<typeof ReasonSchema>;
