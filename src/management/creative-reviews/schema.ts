import Type, { type Static } from 'typebox';
import { mapping, nullable } from '../../resources/vocabulary.ts';
import { CreativeReviewSchema } from '../../configuration/resources/creative-review-schema.ts';
import { INSTANT } from '../shown.ts';

const { by: _by, reason: REASON, ...SUBJECT } = CreativeReviewSchema.properties;
const { publisher, demand_partner, crid, domain, verdict } = SUBJECT;

/** What is sent: who decides is known, and not said. */
export const CreativeReviewBodySchema = mapping('a review', { ...SUBJECT, reason: REASON });

export type CreativeReviewBody = Static<typeof CreativeReviewBodySchema>;

/** A decision as it is shown. */
export const ShownCreativeReviewSchema = Type.Object(
  {
    id: Type.Integer(),
    publisher: nullable(publisher),
    demand_partner: nullable(demand_partner),
    crid: nullable(crid),
    domain: nullable(domain),
    verdict,
    reason: Type.String(),
    by: Type.String({ description: 'the e-mail address of a user, or an account of the machine' }),
    created_at: INSTANT,
  },
  { title: 'CreativeReview', additionalProperties: false },
);

export type ShownCreativeReview = Static<typeof ShownCreativeReviewSchema>;
