import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { BidderState, StopOutcome } from '../configuration/stopped-bidders.ts';

/** The bidders, and how the operator stops and starts one. */
export interface BidderService {
  list(): Promise<readonly BidderState[]>;
  stop(demandPartnerId: number, reason: string): Promise<StopOutcome>;
  start(demandPartnerId: number): Promise<StopOutcome>;
}

/** Why a bidder was stopped, in the operator's words: a line of a table. */
export const STOP_REASON_MAX = 200;

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const StopQuestionSchema = Type.Object(
  {
    demand_partner: Id,
    // PostgreSQL has no text with the character that is left out.
    reason: Type.String({ maxLength: STOP_REASON_MAX, pattern: '^[^\\0]*$' }),
  },
  { additionalProperties: false },
);

const StartQuestionSchema = Type.Object({ demand_partner: Id }, { additionalProperties: false });

export const StopAnswerSchema = Type.Object({
  outcome: Type.Enum(['changed', 'unchanged', 'unknown_partner']),
});

export const BiddersAnswerSchema = Type.Object({
  bidders: Type.Array(
    Type.Object({
      demand_partner: Id,
      name: Type.String(),
      status: Type.Enum(['ACTIVE', 'PAUSED', 'ARCHIVED']),
      endpoint: Type.Union([Type.String(), Type.Null()]),
      /** Null unless it is stopped: in the operator's words, and since when in Unix milliseconds. */
      stop: Type.Union([
        Type.Object({ reason: Type.String(), at_ms: Type.Integer() }),
        Type.Null(),
      ]),
    }),
  ),
});

/** One bidder as `rialto bidders` shows it. */
export type ListedBidder = Static<typeof BiddersAnswerSchema>['bidders'][number];

/**
 * For `rialto bidders`. `POST /internal/bidders` answers with all of them, `…/stop` and `…/start`
 * change whether one is called, whatever the configuration file says of it.
 */
export function registerBidders(app: FastifyInstance, service: BidderService): void {
  app.post('/internal/bidders', async (_request, reply) =>
    reply.send({ bidders: (await service.list()).map(listed) }),
  );
  app.post<{ Body: Static<typeof StopQuestionSchema> }>(
    '/internal/bidders/stop',
    { schema: { body: StopQuestionSchema } },
    async ({ body }, reply) =>
      reply.send({ outcome: await service.stop(body.demand_partner, body.reason) }),
  );
  app.post<{ Body: Static<typeof StartQuestionSchema> }>(
    '/internal/bidders/start',
    { schema: { body: StartQuestionSchema } },
    async ({ body }, reply) => reply.send({ outcome: await service.start(body.demand_partner) }),
  );
}

/** A bidder in the form that goes over the wire and that `--json` prints. */
export function listed({ demandPartnerId, stop, ...bidder }: BidderState): ListedBidder {
  return {
    demand_partner: demandPartnerId,
    ...bidder,
    stop: stop === null ? null : { reason: stop.reason, at_ms: stop.atMs },
  };
}
