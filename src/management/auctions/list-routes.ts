import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { AuctionListQuestion, AuctionPlace } from '../../analytics/auction-conditions.ts';
import type { AuctionList } from '../../analytics/list-auctions.ts';
import { RAW_DAYS } from '../../analytics/rebuild.ts';
import { RialtoError } from '../../base/errors.ts';
import type { Finding } from '../../configuration/finding.ts';
import { ID, whole } from '../../resources/vocabulary.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { DEMAND_SIDE, NO_BODY } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { readTime, TIME } from '../times.ts';
import type { Reader } from './explain-auction.ts';
import { LISTED_EXAMPLE } from './list-example.ts';
import { listedAuction } from './list-items.ts';
import { ListedAuctionSchema } from './list-schema.ts';

/** What recent auctions are listed with. */
export interface AuctionListParts {
  /** @throws RialtoError as long as the store is not open. */
  readonly listAuctions: (question: AuctionListQuestion) => Promise<AuctionList>;
  /** The present configuration. @throws RialtoError as long as there is none. */
  readonly presentSnapshot: () => Promise<Snapshot>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

const HOUR_MS = 3_600_000;
const WINDOW_MS_MAX = 24 * HOUR_MS;
const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 50;
const REASON_MAX = 9_999;

const QUERY = Type.Object(
  {
    from: Type.Optional(TIME),
    to: Type.Optional(TIME),
    demand_partner_id: Type.Optional(ID),
    publisher_id: Type.Optional(ID),
    ad_space_id: Type.Optional(ID),
    country: Type.Optional(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'a country by ISO 3166-1 alpha-3: USA' }),
    ),
    ad_format: Type.Optional(
      Type.Enum(['banner', 'video', 'native'], { description: 'banner, video or native' }),
    ),
    lineitem_id: Type.Optional(ID),
    outcome: Type.Optional(
      Type.Enum(['bid', 'no_bid', 'timeout', 'error', 'throttled'], {
        description: 'what became of a bid request: bid, no_bid, timeout, error or throttled',
      }),
    ),
    reason: Type.Optional(
      Type.String({ maxLength: 100, description: 'the reason of a bid request: http_500' }),
    ),
    loss_reason: Type.Optional(whole(0, REASON_MAX, ', the loss reason of a bid; 0 won')),
    filled: Type.Optional(Type.Boolean({ description: 'true or false' })),
    limit: Type.Optional(whole(1, LIMIT_MAX, `; ${LIMIT_DEFAULT} if nothing is said`)),
    before: Type.Optional(
      Type.String({
        pattern: '^[0-9]{13}-([0-9a-f]{32})?$',
        description: 'where the next part begins, as the Link of this one has it',
      }),
    ),
  },
  { additionalProperties: false, title: 'this list' },
);
type Query = Static<typeof QUERY>;

/** `GET /api/auctions/`: recent auctions, to the operator whole, to a demand partner its own parts. */
export function registerAuctionList(endpoints: Endpoints, parts: AuctionListParts): void {
  endpoints.add(
    {
      id: 'listAuctions',
      method: 'GET',
      path: '/auctions',
      tag: 'Auctions',
      summary: 'List recent auctions',
      description: DESCRIPTION,
      roles: DEMAND_SIDE,
      query: QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the auctions, the newest first',
        schema: Type.Array(ListedAuctionSchema),
        example: [LISTED_EXAMPLE],
        headers: { Link: 'where the list goes on (RFC 8288, `rel="next"`); none at its end' },
      },
      errors: ['analytics_unavailable'],
    },
    async ({ caller: { role, entityId }, query, request, reply }) => {
      const isForPartner = role !== 'operator';
      if (isForPartner && entityId === null) throw new RialtoError('forbidden');
      const findings = isForPartner ? operatorsAlone(query) : [];
      if (findings.length > 0) throw invalidRequest(findings);
      const owner = isForPartner ? entityId : (query.demand_partner_id ?? null);
      const question = questionOf(query, { demandPartnerId: owner, isForPartner }, parts.now());
      const [list, snapshot] = await Promise.all([
        parts.listAuctions(question),
        parts.presentSnapshot(),
      ]);
      if (list.next !== null) linkNext(request, reply, { next: list.next, question });
      const reader: Reader =
        isForPartner && entityId !== null
          ? { role: 'demand-partner', demandPartnerId: entityId }
          : { role: 'operator' };
      return list.auctions
        .map((record) => listedAuction(record, reader, snapshot))
        .filter((auction) => auction !== null);
    },
  );
}

const DESCRIPTION =
  'The newest first, of the last hour unless `from` and `to` say otherwise: at most 24 hours, of the last ' +
  `${RAW_DAYS} days. Tests are among them. A demand partner is listed the auctions in which it had a bid ` +
  'request, also one that was held back, with its own bid requests and bids and nothing of others; ' +
  '`demand_partner_id` and `filled` are for operators. What is asked of bid requests (`lineitem_id`, ' +
  '`outcome`, `reason`) must hold of one of them, and `loss_reason` of one bid. Where little is found a ' +
  'part may be shorter than `limit` and the list go on all the same: follow `Link` to its end. Only a list ' +
  'of nothing is empty.';

function operatorsAlone(query: Query): Finding[] {
  const names = (['demand_partner_id', 'filled'] as const).filter((name) => name in query);
  return names.map((name) => ({ path: [name], message: 'is for operators; leave it out' }));
}

function questionOf(
  query: Query,
  owner: Pick<AuctionListQuestion, 'demandPartnerId' | 'isForPartner'>,
  nowMs: number,
): AuctionListQuestion {
  return {
    ...windowOf(query, nowMs),
    ...owner,
    before: placeOf(query.before),
    limit: query.limit ?? LIMIT_DEFAULT,
    publisherId: query.publisher_id ?? null,
    adSpaceId: query.ad_space_id ?? null,
    country: query.country ?? null,
    adFormat: query.ad_format ?? null,
    lineItemId: query.lineitem_id ?? null,
    outcome: query.outcome ?? null,
    reason: query.reason ?? null,
    lossReason: query.loss_reason ?? null,
    filled: query.filled ?? null,
  };
}

/** An hour, unless both ends are named. */
function windowOf({ from, to }: Query, nowMs: number): { fromMs: number; toMs: number } {
  const saidFromMs = from === undefined ? null : readTime(from);
  const saidToMs = to === undefined ? null : readTime(to);
  const toMs = saidToMs ?? (saidFromMs === null ? nowMs + 1 : Math.max(nowMs, saidFromMs) + 1);
  const fromMs = saidFromMs ?? toMs - HOUR_MS;
  if (fromMs > toMs) {
    const message = `is ${from}, after to, ${to}; give the earlier first`;
    throw invalidRequest([{ path: ['from'], message }]);
  }
  if (toMs - fromMs > WINDOW_MS_MAX + 1) {
    const message = `lies more than 24 hours before ${to ?? 'now'}; ask for less, part by part`;
    throw invalidRequest([{ path: ['from'], message }]);
  }
  return { fromMs, toMs };
}

function placeOf(before: string | undefined): AuctionPlace | null {
  if (before === undefined) return null;
  const [atMs = '', auctionId = ''] = before.split('-');
  return { atMs: Number(atMs), auctionId };
}

/** The next part is of the same window, also when it is asked for later. */
function linkNext(
  request: FastifyRequest,
  reply: FastifyReply,
  { next, question }: { readonly next: AuctionPlace; readonly question: AuctionListQuestion },
): void {
  const url = new URL(request.url, 'http://localhost');
  url.searchParams.set('from', new Date(question.fromMs).toISOString());
  url.searchParams.set('to', new Date(question.toMs).toISOString());
  url.searchParams.set('before', `${next.atMs}-${next.auctionId}`);
  reply.header('link', `<${url.pathname}${url.search}>; rel="next"`);
}
