import type { Kysely } from 'kysely';
import Type, { type Static } from 'typebox';
import { reportWindow } from '../../analytics/dates.ts';
import type { FunnelQuestion, FunnelSums } from '../../analytics/funnel.ts';
import { ID } from '../../resources/vocabulary.ts';
import type { Database } from '../../configuration/schema.ts';
import { readOwnLineItem, readSpan, type DaySpan } from '../day-span.ts';
import { DEMAND_SIDE, NO_BODY } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { DATE, readDate } from '../exports/dates.ts';
import { demandPartnerOf } from '../owners.ts';
import { funnelOf } from './funnel.ts';
import { FunnelSchema } from './schema.ts';

/** What a funnel is read with. */
export interface FunnelParts {
  readonly db: Kysely<Database>;
  /** @throws RialtoError as long as the analytics store is not open. */
  readonly readFunnel: (question: FunnelQuestion) => Promise<FunnelSums>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

const QUERY = Type.Object(
  {
    date: Type.Optional(DATE),
    start_date: Type.Optional(DATE),
    end_date: Type.Optional(DATE),
    lineitem_id: Type.Optional(ID),
  },
  { additionalProperties: false, title: 'this address' },
);
type Query = Static<typeof QUERY>;

/** `GET …/funnel/`: how far a demand partner's bid requests and bids came, and why not farther. */
export function registerFunnel(endpoints: Endpoints, { db, readFunnel, now }: FunnelParts): void {
  endpoints.add(
    {
      id: 'getFunnel',
      method: 'GET',
      path: '/demand-partners/:demand_partner_id/funnel',
      tag: 'Demand partners',
      summary: 'Tell how far the bid requests and bids of a demand partner came',
      description:
        'From the bid requests that targeting allowed to the impressions that are paid, with what was lost before each step, why, and what can be done about it: of today, of the UTC day `date`, or of the days from `start_date` to `end_date`, both included. Of all line items together a bid request counts once; of `lineitem_id` each that it matched. Tests are left out.',
      roles: DEMAND_SIDE,
      query: QUERY,
      body: NO_BODY,
      answer: { status: 200, meaning: 'the funnel', schema: FunnelSchema, example: EXAMPLE },
      errors: ['analytics_unavailable'],
    },
    async ({ caller, params, query }) => {
      const demandPartnerId = await demandPartnerOf(db, caller, params);
      const span = spanOf(query, now());
      const lineItemId = await readOwnLineItem(db, demandPartnerId, query.lineitem_id);
      const sums = await readFunnel({ ...span, demandPartnerId, lineItemId });
      return funnelOf(sums, span, lineItemId);
    },
  );
}

function spanOf(query: Query, nowMs: number): DaySpan {
  const { date, start_date: start, end_date: end } = query;
  if (date === undefined) return readSpan(query, 1, nowMs);
  if (start !== undefined || end !== undefined) {
    const message = 'is one day; leave it out, or start_date and end_date';
    throw invalidRequest([{ path: ['date'], message }]);
  }
  const day = readDate('date', date, reportWindow(nowMs));
  return { startDate: day, endDate: day };
}

const EXAMPLE = funnelOf(
  {
    calls: [
      { outcome: 'bid', reason: '', calls: 20_000 },
      { outcome: 'no_bid', reason: '', calls: 65_000 },
      { outcome: 'timeout', reason: '', calls: 1_300 },
      { outcome: 'error', reason: 'http_500', calls: 100 },
      { outcome: 'throttled', reason: 'bidder_qps', calls: 12 },
    ],
    bids: [
      { lossReason: 0, bids: 8_100, inAuction: 8_100 },
      { lossReason: 102, bids: 12_000, inAuction: 12_000 },
      { lossReason: 203, bids: 400, inAuction: 0 },
    ],
    wins: 8_000,
    impressions: 7_600,
  },
  { startDate: '2026-11-20', endDate: '2026-11-20' },
  null,
);
