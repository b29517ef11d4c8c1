import type { Kysely } from 'kysely';
import Type from 'typebox';
import { RialtoError } from '../../base/errors.ts';
import type { Database } from '../../configuration/schema.ts';
import { DEMAND_SIDE, NO_BODY, NO_QUERY, OPERATORS } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { demandPartnerOf } from '../owners.ts';
import type { HealthReader } from './health-reader.ts';
import { BidderHealthSchema, type BidderHealth } from './schema.ts';

export interface BidderHealthRoutesParts {
  readonly db: Kysely<Database>;
  readonly health: HealthReader;
}

const TAG = 'Bidders';

/** `…/health/`: how bidders have done in the last five minutes. */
export function registerBidderHealth(
  endpoints: Endpoints,
  { db, health }: BidderHealthRoutesParts,
): void {
  endpoints.add(
    {
      id: 'listBidderHealth',
      method: 'GET',
      path: '/demand-partners/health',
      tag: TAG,
      summary: 'Tell how the bidders of all demand partners do',
      description:
        'Of the last five minutes, a few seconds old, in the order of ids; archived partners are left out. May be asked every five seconds.',
      roles: OPERATORS,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'how they do',
        schema: Type.Array(BidderHealthSchema),
        example: [EXAMPLE],
      },
      errors: ['analytics_unavailable'],
    },
    () => health.all(),
  );
  endpoints.add(
    {
      id: 'getBidderHealth',
      method: 'GET',
      path: '/demand-partners/:demand_partner_id/health',
      tag: TAG,
      summary: 'Tell how the bidder of a demand partner does',
      description:
        'Of the last five minutes, a few seconds old. It fails where more than half of its calls do, from which on the exchange holds calls back.',
      roles: DEMAND_SIDE,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'how it does',
        schema: BidderHealthSchema,
        example: EXAMPLE,
      },
      errors: ['analytics_unavailable'],
    },
    async ({ caller, params }) => {
      const found = await health.one(await demandPartnerOf(db, caller, params));
      if (found === null) throw new RialtoError('not_found');
      return found;
    },
  );
}

const EXAMPLE: BidderHealth = {
  demand_partner_id: 1001,
  name: 'Acme DSP',
  state: 'failing',
  since: '2026-11-20T08:12:30.000Z',
  sentence:
    'The bidder of Acme DSP fails. In the last five minutes 61 % of 3,000 calls failed: 1,800 timeouts and 30 errors (mostly: its bidder answered with HTTP status 500).',
  action:
    'See why the bidder does not answer within its timeout, and how far it is from the exchange; send it a test request.',
  window_seconds: 300,
  bid_requests: 3_000,
  qps: 10,
  responses: 400,
  bids: 410,
  no_bids: 770,
  timeouts: 1_800,
  errors: [{ reason: 'http_500', text: 'its bidder answered with HTTP status 500', count: 30 }],
  no_bid_reasons: [],
  throttled: [
    { reason: 'bidder_qps', text: 'its limit of bid requests a second was used up', count: 12 },
  ],
  timeout_share: 0.6,
  error_share: 0.01,
  latency_ms_p50: 88.1,
  latency_ms_p95: 171,
  latency_ms_p99: 196,
  wins: 120,
  spend: 0.31,
  stop: null,
};
