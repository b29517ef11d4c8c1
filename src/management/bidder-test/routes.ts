import type { Kysely } from 'kysely';
import { RialtoError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { findBidderState, type BidderState } from '../../configuration/stopped-bidders.ts';
import type { Database } from '../../configuration/schema.ts';
import { noteTest } from '../../configuration/tested-bidders.ts';
import type { TestWish } from '../../exchange/test-place.ts';
import type { TestRun } from '../../exchange/test-request.ts';
import { isCountry } from '../../resources/targeting.ts';
import { actorOf } from '../actor.ts';
import { DEMAND_SIDE, NO_QUERY } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { demandPartnerOf } from '../owners.ts';
import {
  TestRequestSchema,
  TestResultSchema,
  type TestRequest,
  type TestResult,
} from './schema.ts';
import { TestLimit } from './test-limit.ts';

/** A test request that was sent. */
export interface SentTest {
  readonly run: TestRun;
  readonly headers: Readonly<Record<string, string>>;
}

export interface BidderTestParts {
  readonly db: Kysely<Database>;
  /**
   * Sends a test request by the partner's present settings.
   *
   * @returns why nothing could be sent: the partner has no bidder, or one that takes no such format.
   */
  readonly testBidder: (
    demandPartnerId: number,
    wish: TestWish,
  ) => Promise<SentTest | 'no_bidder' | 'no_format'>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** `POST …/bidder/test-request/`: tries a bidder with a bid request of no auction. */
export function registerBidderTest(endpoints: Endpoints, parts: BidderTestParts): void {
  const limit = new TestLimit(parts.now);
  endpoints.add(
    {
      id: 'sendTestRequest',
      method: 'POST',
      path: '/demand-partners/:demand_partner_id/bidder/test-request',
      tag: 'Bidders',
      summary: 'Send a test request to the bidder of a demand partner',
      description:
        'Sends one bid request with `test` 1 for an ad space that is made up, by the settings that the bidder has now, and tells what was sent, what came back, and what an auction makes of it. It is offered to the line items that match, else to all that are ACTIVE. No notice is called, and nothing is billed or counted; the audit log has that it was sent, and its outcome. It is sent also while the bidder is stopped or its partner is PAUSED. Ten a minute, one at a time. Whatever the bidder does, the answer has status 200.',
      roles: DEMAND_SIDE,
      query: NO_QUERY,
      body: { schema: TestRequestSchema, example: EXAMPLE_REQUEST },
      answer: {
        status: 200,
        meaning: 'what came of it',
        schema: TestResultSchema,
        example: EXAMPLE,
      },
      errors: ['no_bidder', 'too_many_test_requests', 'not_ready'],
    },
    async ({ caller, params, body, reply }) => {
      const id = await demandPartnerOf(parts.db, caller, params);
      const wish = wishOf(body);
      const bidder = await findBidderState(parts.db, id);
      if (bidder === null) throw new RialtoError('not_found');
      if (bidder.endpoint === null) throw new RialtoError('no_bidder');
      if (bidder.status === 'ARCHIVED') throw new RialtoError('no_bidder', [ARCHIVED]);
      const tested = await limit.run(id, reply, () => parts.testBidder(id, wish));
      if (tested === 'no_bidder') throw new RialtoError('no_bidder');
      if (tested === 'no_format') {
        const message = `is ${wish.format}, which this bidder takes none of: see its openrtb_version, native_in_ext and mimes`;
        throw invalidRequest([{ path: ['ad_format'], message }]);
      }
      const { run, headers } = tested;
      const by = { actor: actorOf(caller), nowMs: parts.now() };
      const around = { name: bidder.name, notLive: notLive(bidder), sentHeaders: headers };
      // What judges an answer is large, and most controls never need it.
      const { showRun } = await import('./show-run.ts');
      const shown = showRun(run, around);
      await noteTest(parts.db, { demandPartnerId: id, outcome: shown.outcome }, by);
      return shown;
    },
  );
}

const ARCHIVED: Problem = {
  pointer: '',
  message: 'the demand partner is ARCHIVED, and has no bidder any more',
};

const COUNTRY_DEFAULT = 'US';

function wishOf(body: TestRequest): TestWish {
  const { ad_format: format, country = COUNTRY_DEFAULT, size, interstitial = false } = body;
  if (!isCountry(country)) {
    const message = `is ${country}, which is no ISO 3166-1 alpha-2 country code`;
    throw invalidRequest([{ path: ['country'], message }]);
  }
  if (size !== undefined && format === 'native') {
    throw invalidRequest([{ path: ['size'], message: 'is for banners and videos; leave it out' }]);
  }
  const [w = 0, h = 0] = (size ?? '').split('x').map(Number);
  return {
    format,
    country,
    size: size === undefined ? null : { w, h },
    environment: body.environment ?? 'app',
    interstitial,
  };
}

function notLive({ stop, status }: BidderState): string | null {
  if (stop !== null) return 'Live calls are stopped by the operator.';
  return status === 'ACTIVE' ? null : `No live calls are made while the partner is ${status}.`;
}

const EXAMPLE_REQUEST: TestRequest = { ad_format: 'banner', country: 'US', size: '320x50' };

const EXAMPLE: TestResult = {
  sent: {
    url: 'https://bidder.acme.example/bid',
    headers: { 'content-type': 'application/json', 'x-openrtb-version': '2.5' },
    body: '{"id":"019aa1b2c3d4e5f60718293a4b5c6d7e","imp":[{"id":"1"}],"at":2,"tmax":195,"test":1}',
  },
  answer: {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"id":"019aa1b2c3d4e5f60718293a4b5c6d7e","seatbid":[{"seat":"acme-1","bid":[{"id":"b1","impid":"1","price":0.001,"adm":"<p>An ad</p>","adomain":["brand.example"],"crid":"c1"}]}]}',
    is_cut: false,
  },
  duration_ms: 41.2,
  timeout_ms: 200,
  outcome: 'bid',
  reason: null,
  findings: [
    {
      severity: 'error',
      pointer: null,
      message:
        'Bid b1 cannot compete: the price is below the floor of the impression or line item ($0.001 is below $0.01).',
    },
  ],
  bids: [
    {
      bid_id: 'b1',
      seat: 'acme-1',
      imp: '1',
      bid_cpm: 0.001,
      valid: false,
      loss_reason: 100,
      loss_reason_text: 'The price is below the floor of the impression or line item.',
      detail: '$0.001 is below $0.01',
      adm_preview: '<p>An ad</p>',
    },
  ],
  sentence: 'Acme DSP answered after 41.2 ms with 1 bid, none fit to compete.',
};
