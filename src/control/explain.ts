import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';

/** Which auction, and as which demand partner it is read; without one as the operator. */
export const ExplainQuestionSchema = Type.Object(
  {
    auction_id: Type.String({ maxLength: 100 }),
    // Not null: the server's parser would make that of a 0.
    demand_partner_id: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
export type ExplainQuestion = Static<typeof ExplainQuestionSchema>;

/** Why there is nothing to show: said to the operator alone, the API answers all alike. */
export const MISSING = Type.Enum(['auction', 'partner', 'part']);
export type Missing = Static<typeof MISSING>;

/** The explained auction, or what of the question there is not. */
export type ExplainAnswer =
  | { readonly auction: object }
  | { readonly auction: null; readonly missing: Missing };

/** @throws RialtoError as long as the store is not open. */
export type Explain = (question: ExplainQuestion) => Promise<ExplainAnswer>;

/**
 * `POST /internal/explain`, for `rialto explain`: answers with `{auction}`, as the management API
 * shows it at `GET /api/auctions/{id}/`, or null and what is `missing`.
 */
export function registerExplain(app: FastifyInstance, explain: Explain): void {
  app.post<{ Body: ExplainQuestion }>(
    '/internal/explain',
    { schema: { body: ExplainQuestionSchema } },
    async ({ body }, reply) => reply.send(await explain(body)),
  );
}
