import type { Kysely } from 'kysely';
import Type from 'typebox';
import { dateOf } from '../../analytics/dates.ts';
import type { LossQuestion, LossSums } from '../../analytics/losses.ts';
import { ID } from '../../resources/vocabulary.ts';
import type { Database } from '../../configuration/schema.ts';
import { readOwnLineItem, readSpan } from '../day-span.ts';
import { DEMAND_SIDE, NO_BODY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { DATE } from '../exports/dates.ts';
import { demandPartnerOf } from '../owners.ts';
import { lossesOf } from './losses.ts';
import { LossesSchema, type Losses } from './schema.ts';

/** What the reasons of lost bids are read with. */
export interface LossParts {
  readonly db: Kysely<Database>;
  /** @throws RialtoError as long as the analytics store is not open. */
  readonly readLosses: (question: LossQuestion) => Promise<LossSums>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

const DAYS_DEFAULT = 7;
const SEAT_LENGTH_MAX = 255;

const QUERY = Type.Object(
  {
    start_date: Type.Optional(DATE),
    end_date: Type.Optional(DATE),
    lineitem_id: Type.Optional(ID),
    publisher_id: Type.Optional(ID),
    seat: Type.Optional(
      Type.String({ maxLength: SEAT_LENGTH_MAX, description: 'a seat, as bids name it' }),
    ),
  },
  { additionalProperties: false, title: 'this address' },
);

/** `GET …/losses/`: why the bids of a demand partner lost, and what it can do about it. */
export function registerLosses(endpoints: Endpoints, { db, readLosses, now }: LossParts): void {
  endpoints.add(
    {
      id: 'getLosses',
      method: 'GET',
      path: '/demand-partners/:demand_partner_id/losses',
      tag: 'Demand partners',
      summary: 'Tell why the bids of a demand partner lost',
      description: `By loss reason, the most frequent first, of the last ${DAYS_DEFAULT} UTC days unless \`start_date\` and \`end_date\`, both included, say otherwise; days of the current month and of the four before it can be had. Bids of tests are left out, and so are losing bids beyond those that the record of an auction holds.`,
      roles: DEMAND_SIDE,
      query: QUERY,
      body: NO_BODY,
      answer: { status: 200, meaning: 'the losses', schema: LossesSchema, example: EXAMPLE },
      errors: ['analytics_unavailable'],
    },
    async ({ caller, params, query }) => {
      const demandPartnerId = await demandPartnerOf(db, caller, params);
      const span = readSpan(query, DAYS_DEFAULT, now());
      const lineItemId = await readOwnLineItem(db, demandPartnerId, query.lineitem_id);
      const { publisher_id: publisherId = null, seat = null } = query;
      const question = { ...span, demandPartnerId, lineItemId, publisherId, seat };
      return lossesOf(await readLosses(question), span, dateOf(now()));
    },
  );
}

const EXAMPLE: Losses = {
  start_date: '2026-11-14',
  end_date: '2026-11-20',
  losses: [
    {
      loss_reason: 102,
      meaning: 'Another bid was higher.',
      action: 'Bid more where the impression is worth it to you; the shortfall says by how much.',
      count: 9_000,
      share: 0.9,
      bid_cpm_avg: 2.4,
      shortfall_cpm_avg: 0.71,
      top: [{ crid: 'spring-1', adomain: 'brand.example' }],
      example_auction_id: '019aa1b2c3d4e5f60718293a4b5c6d7e',
    },
    {
      loss_reason: 203,
      meaning: 'The creative does not have a size that the impression allows.',
      action: 'Bid with a creative of a size in `banner.format`, and send its `w` and `h`.',
      count: 1_000,
      share: 0.1,
      bid_cpm_avg: 1.1,
      shortfall_cpm_avg: null,
      top: [],
      example_auction_id: null,
    },
  ],
  bids: 12_000,
  won: 1_900,
  not_confirmed: 100,
};
