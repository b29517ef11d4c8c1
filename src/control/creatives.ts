import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import {
  CreativesAnswerSchema,
  CreativesQuestionSchema,
  type CreativesAnswer,
  type CreativesQuestion,
} from '../analytics/creatives-wire.ts';
import type { Checked, Problem } from '../base/problem.ts';
import type { ReviewOutcome, StoredReview } from '../configuration/creative-reviews.ts';
import { readReview, readReviewRemoval } from '../configuration/resources/creative-review.ts';
import type {
  CreativeReviewInput,
  ReviewRemoval,
} from '../configuration/resources/creative-review-schema.ts';

/** The creatives that were seen, and what is decided about them. */
export interface CreativeService {
  /** @throws RialtoError as long as the analytics store is not open. */
  list(question: CreativesQuestion): Promise<Checked<CreativesAnswer>>;
  reviews(): Promise<readonly StoredReview[]>;
  save(review: CreativeReviewInput): Promise<ReviewOutcome>;
  remove(review: ReviewRemoval): Promise<ReviewOutcome>;
}

/** What is wrong with the question; empty where it was answered. */
const PROBLEMS = Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }));

export const ListAnswerSchema = Type.Object({
  problems: PROBLEMS,
  ...CreativesAnswerSchema.properties,
});

export const ReviewAnswerSchema = Type.Object({
  problems: PROBLEMS,
  outcome: Type.Enum(['created', 'updated', 'removed', 'unchanged', 'refused']),
});

export const ReviewsAnswerSchema = Type.Object({
  reviews: Type.Array(
    Type.Object({
      id: Type.Integer(),
      publisher: Type.Union([Type.Integer(), Type.Null()]),
      demand_partner: Type.Union([Type.Integer(), Type.Null()]),
      target: Type.Enum(['crid', 'domain']),
      value: Type.String(),
      verdict: Type.Enum(['blocked', 'approved']),
      reason: Type.String(),
      by: Type.String(),
      created_at: Type.Integer(),
    }),
  ),
});

export type ReviewAnswer = Static<typeof ReviewAnswerSchema>;

/**
 * For `rialto creatives`. `POST /internal/creatives` answers with what was seen, `POST
 * /internal/creatives/reviews` with all decisions; `…/reviews/save` decides, and `…/reviews/remove`
 * takes a decision back.
 */
export function registerCreatives(app: FastifyInstance, service: CreativeService): void {
  app.post<{ Body: CreativesQuestion }>(
    '/internal/creatives',
    { schema: { body: CreativesQuestionSchema } },
    async ({ body }, reply) => {
      const listed = await service.list(body);
      if (listed.ok) return reply.send({ problems: [], ...listed.value });
      return reply.send({ problems: listed.problems, creatives: [], more: false });
    },
  );
  app.post('/internal/creatives/reviews', async (_request, reply) =>
    reply.send({ reviews: await service.reviews() }),
  );
  app.post('/internal/creatives/reviews/save', async ({ body }, reply) => {
    const review = readReview(body);
    return reply.send(answer(review.ok ? await service.save(review.value) : review));
  });
  app.post('/internal/creatives/reviews/remove', async ({ body }, reply) => {
    const review = readReviewRemoval(body);
    return reply.send(answer(review.ok ? await service.remove(review.value) : review));
  });
}

type Refused = { readonly ok: false; readonly problems: readonly Problem[] };

function answer(outcome: ReviewOutcome | Refused): ReviewAnswer {
  if (outcome.ok) return { problems: [], outcome: outcome.outcome };
  return { problems: [...outcome.problems], outcome: 'refused' };
}
