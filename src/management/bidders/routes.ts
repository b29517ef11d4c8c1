import type { Kysely } from 'kysely';
import { RialtoError } from '../../base/errors.ts';
import { planBidder, refuseGuardedAddresses } from '../../configuration/resources/bidder.ts';
import { BIDDER, BidderSchema } from '../../resources/bidder.ts';
import type { Database } from '../../configuration/schema.ts';
import { findStop, startBidder, stopBidder } from '../../configuration/stopped-bidders.ts';
import type { Caller } from '../../identity/caller.ts';
import { actorOf } from '../actor.ts';
import { DEMAND_SIDE, NO_BODY, NO_QUERY, OPERATORS } from '../endpoint.ts';
import type { Asked } from '../asked.ts';
import type { Endpoints } from '../endpoints.ts';
import { etagOf } from '../etag.ts';
import { demandPartnerOf } from '../owners.ts';
import type { Params } from '../resource.ts';
import { ETAG, type ResourceParts } from '../resource-routes.ts';
import { shownTimes } from '../shown.ts';
import { addSingleton } from '../singleton-routes.ts';
import { NewStopSchema, ShownBidderSchema, type NewStop, type ShownBidder } from './schema.ts';
import { showStop } from './shown-stop.ts';

const TAG = 'Bidders';
const PATH = '/demand-partners/:demand_partner_id/bidder';

const EXAMPLE: ShownBidder = {
  ...BIDDER.document(BIDDER.initial),
  endpoint: 'https://bidder.acme.example/bid',
  max_qps: 5_000,
  send_bidfloor: true,
  gzip: true,
  gvl_id: 9_001,
  headers: { 'x-account': 'acme' },
  stopped: null,
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

const STOP: NewStop = { reason: 'answers with broken JSON' };

const STOPPED: ShownBidder = {
  ...EXAMPLE,
  stopped: { ...STOP, since: '2026-11-20T08:20:00.000Z' },
};

/** Where and how a demand partner is asked for bids, and the operator's hand brake. */
export function registerBidders(endpoints: Endpoints, parts: ResourceParts): void {
  addSingleton(
    endpoints,
    {
      noun: 'bidder of a demand partner',
      name: 'Bidder',
      tag: TAG,
      description:
        'A demand partner has one bidder, or none yet: the first change makes it and needs its endpoint. Addresses must be public, unless the operator allows a range. Values of headers are shown to the partner and to operators.',
      path: PATH,
      schema: BidderSchema,
      shown: ShownBidderSchema,
      example: EXAMPLE,
      fields: BIDDER,
      readers: DEMAND_SIDE,
      writers: DEMAND_SIDE,
      find: findBidder,
      plan: (plan, element, { demand_partner_id: id }) => {
        const before = plan.state.bidders.get(Number(id));
        refuseGuardedAddresses(plan, element, before);
        planBidder(plan, element, Number(id));
      },
    },
    parts,
  );
  addStop(endpoints, parts);
  addStart(endpoints, parts);
}

function addStop(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      id: 'stopBidder',
      method: 'POST',
      path: `${PATH}/stop`,
      tag: TAG,
      summary: 'Stop all calls to the bidder of a demand partner',
      description:
        'It is called again once it is started, whatever is changed in between. A bidder that is stopped already gets the new reason.',
      roles: OPERATORS,
      query: NO_QUERY,
      body: { schema: NewStopSchema, example: STOP },
      answer: {
        status: 200,
        meaning: 'the bidder now',
        schema: ShownBidderSchema,
        example: STOPPED,
        headers: ETAG,
      },
    },
    (asked) =>
      afterwards(db, asked, (id) =>
        stopBidder(db, id, asked.body.reason, { actor: actorOf(asked.caller), nowMs: now() }),
      ),
  );
}

function addStart(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      id: 'startBidder',
      method: 'POST',
      path: `${PATH}/start`,
      tag: TAG,
      summary: 'Let the bidder of a demand partner be called again',
      roles: OPERATORS,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the bidder now',
        schema: ShownBidderSchema,
        example: EXAMPLE,
        headers: ETAG,
      },
    },
    (asked) =>
      afterwards(db, asked, (id) =>
        startBidder(db, id, { actor: actorOf(asked.caller), nowMs: now() }),
      ),
  );
}

/** The bidder as it is once something was done to it; nothing is done where there is none. */
async function afterwards(
  db: Kysely<Database>,
  { caller, params, reply }: Pick<Asked<object, unknown>, 'caller' | 'params' | 'reply'>,
  work: (demandPartnerId: number) => Promise<unknown>,
): Promise<object> {
  if ((await findBidder(db, caller, params)) === null) throw new RialtoError('not_found');
  await work(Number(params['demand_partner_id']));
  const shown = await findBidder(db, caller, params);
  if (shown === null) throw new RialtoError('not_found');
  reply.header('etag', etagOf(shown));
  return shown;
}

async function findBidder(
  db: Kysely<Database>,
  caller: Caller,
  params: Params,
): Promise<ShownBidder | null> {
  const id = await demandPartnerOf(db, caller, params);
  const row = await db
    .selectFrom('bidders')
    .selectAll()
    .where('demand_partner_id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const stopped = showStop(await findStop(db, id));
  return { ...BIDDER.document(row), stopped, ...shownTimes(row) };
}
