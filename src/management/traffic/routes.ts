import type { Kysely } from 'kysely';
import Type, { type Static } from 'typebox';
import {
  addTraffic,
  NO_TRAFFIC,
  type TrafficQuestion,
  type TrafficSums,
} from '../../analytics/traffic.ts';
import { RecentAnswers } from '../../base/recent-answers.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Caller } from '../../identity/caller.ts';
import { EVERYBODY, NO_BODY } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { demandPartnerOf, publisherOf } from '../owners.ts';
import { showInstant } from '../shown.ts';
import { figuresOf, type View } from './figures.ts';
import { TrafficSchema, type Traffic } from './schema.ts';

/** What live figures are read with. */
export interface TrafficParts {
  readonly db: Kysely<Database>;
  /** @throws RialtoError as long as the analytics store is not open. */
  readonly readTraffic: (question: TrafficQuestion) => Promise<ReadonlyMap<number, TrafficSums>>;
  /** Until when everything that happened is in the rollups, in Unix time in milliseconds. */
  readonly filledUntilMs: () => number;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

const MINUTES_DEFAULT = 60;
const MINUTE_S = 60;
/** The longest time that is told in steps of a length; one of five minutes does for a day. */
const STEPS: readonly { readonly stepS: Traffic['step_seconds']; readonly minutesMax: number }[] = [
  { stepS: 10, minutesMax: 30 },
  { stepS: 60, minutesMax: 300 },
];
const STEP_LONGEST_S = 300;
/** Consoles ask every five seconds, and records come in every two or so. */
const GOOD_FOR_MS = 1_500;

const ID = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const QUERY = Type.Object(
  {
    minutes: Type.Optional(
      Type.Integer({
        minimum: 5,
        maximum: 1_440,
        default: MINUTES_DEFAULT,
        description: 'how far back, from 5 to 1440',
      }),
    ),
    demand_partner_id: Type.Optional(ID),
    publisher_id: Type.Optional(ID),
  },
  { additionalProperties: false, title: 'this address' },
);

/** `GET /api/traffic/`: what goes on now. */
export function registerTraffic(endpoints: Endpoints, parts: TrafficParts): void {
  const recent = new RecentAnswers<ReadonlyMap<number, TrafficSums>>(GOOD_FOR_MS, parts.now);
  endpoints.add(
    {
      id: 'getTraffic',
      method: 'GET',
      path: '/traffic',
      tag: 'Operation',
      summary: 'Tell what goes on now',
      description:
        'Live figures, a few seconds old: ad requests, calls of bidders, wins, impressions and money of the last minutes, in steps of 10 s up to 30 minutes, of a minute up to 5 hours, else of 5 minutes. Demand partners and publishers see their own; an operator sees everything, or one demand partner or one publisher. What a caller does not see is left out. Test auctions are not counted. Meant to be asked every five seconds: an answer may be a second or two old.',
      roles: EVERYBODY,
      query: QUERY,
      body: NO_BODY,
      answer: { status: 200, meaning: 'the figures', schema: TrafficSchema, example: EXAMPLE },
      errors: ['analytics_unavailable', 'not_found'],
    },
    async ({ caller, query }) => {
      const { account, view } = await accountOf(parts.db, caller, query);
      const asked = timeOf(query.minutes ?? MINUTES_DEFAULT, parts.now());
      const question = { account, ...asked };
      const found = await recent.get(JSON.stringify(question), () => parts.readTraffic(question));
      const completeMs = Math.min(parts.filledUntilMs(), asked.toS * 1_000);
      return trafficOf(found, question, { view, completeMs });
    },
  );
}

/** Whose figures a caller asks for. @throws RialtoError where they are not his. */
async function accountOf(
  db: Kysely<Database>,
  caller: Caller,
  query: Pick<Static<typeof QUERY>, 'demand_partner_id' | 'publisher_id'>,
): Promise<{ readonly account: TrafficQuestion['account']; readonly view: View }> {
  const { demand_partner_id: partner, publisher_id: publisher } = query;
  if (partner !== undefined) {
    await demandPartnerOf(db, caller, { demand_partner_id: String(partner) });
  }
  if (publisher !== undefined) await publisherOf(db, caller, { publisher_id: String(publisher) });
  if (partner !== undefined && publisher !== undefined) {
    const message = 'stands beside demand_partner_id; give one of the two';
    throw invalidRequest([{ path: ['publisher_id'], message }]);
  }
  if (caller.role !== 'operator') {
    const side = caller.role === 'publisher' ? 'publisher' : 'demand_partner';
    return { account: { side, id: caller.entityId ?? 0 }, view: side };
  }
  if (partner !== undefined) {
    return { account: { side: 'demand_partner', id: partner }, view: 'operator_of_partner' };
  }
  if (publisher !== undefined) {
    return { account: { side: 'publisher', id: publisher }, view: 'operator' };
  }
  return { account: { side: 'exchange' }, view: 'operator' };
}

/** Whole steps, the last of them the one that is under way. */
function timeOf(minutes: number, nowMs: number): Omit<TrafficQuestion, 'account'> {
  const stepS = stepOf(minutes);
  const toS = Math.floor(nowMs / 1_000 / stepS) * stepS + stepS;
  const length = Math.ceil((minutes * MINUTE_S) / stepS) * stepS;
  return { fromS: toS - length, toS, stepS };
}

function stepOf(minutes: number): number {
  return STEPS.find(({ minutesMax }) => minutes <= minutesMax)?.stepS ?? STEP_LONGEST_S;
}

function trafficOf(
  found: ReadonlyMap<number, TrafficSums>,
  { fromS, toS, stepS }: TrafficQuestion,
  { view, completeMs }: { readonly view: View; readonly completeMs: number },
): object {
  const points: object[] = [];
  let total = NO_TRAFFIC;
  for (let atS = fromS; atS < toS; atS += stepS) {
    const sums = found.get(atS) ?? NO_TRAFFIC;
    total = addTraffic(total, sums);
    points.push({ at: showInstant(atS * 1_000), ...figuresOf(sums, view) });
  }
  return {
    from: showInstant(fromS * 1_000),
    to: showInstant(toS * 1_000),
    step_seconds: stepS,
    complete_until: showInstant(completeMs),
    points,
    total: figuresOf(total, view),
  };
}

const EXAMPLE_FIGURES = {
  ad_requests: 10_000,
  filled_requests: 4_200,
  bid_requests: 38_000,
  responses: 12_000,
  no_bids: 25_200,
  timeouts: 700,
  errors: 100,
  throttled: 40,
  bids: 12_600,
  wins: 4_200,
  impressions: 4_050,
  clicks: 21,
  gross_revenue: 8.125,
  payout: 6.5,
  latency_ms_p50: 41.2,
  latency_ms_p95: 118,
  latency_ms_p99: 171,
};

const EXAMPLE: Traffic = {
  from: '2026-11-20T08:10:10.000Z',
  to: '2026-11-20T08:15:10.000Z',
  step_seconds: 10,
  complete_until: '2026-11-20T08:14:55.000Z',
  points: [{ at: '2026-11-20T08:10:10.000Z', ...EXAMPLE_FIGURES }],
  total: EXAMPLE_FIGURES,
};
