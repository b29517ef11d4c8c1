import { Compile } from 'typebox/compile';
import { boundedId } from '../../auction/creative-id.ts';
import { listedDomain } from '../../auction/domains.ts';
import { jsonPointer, type Checked, type Problem } from '../../base/problem.ts';
import type { CreativeReview } from '../../snapshot/entities.ts';
import { checkSchema } from '../check-schema.ts';
import { showPath } from '../finding.ts';
import type { Row } from '../state.ts';
import {
  CreativeReviewSchema,
  ReviewRemovalSchema,
  type CreativeReviewInput,
  type ReviewRemoval,
} from './creative-review-schema.ts';

/** The columns that name what a review is about; there is at most one of each. */
export type ReviewSubject = Pick<
  Row<'creative_reviews'>,
  'publisher_id' | 'demand_partner_id' | 'target' | 'value'
>;

const reviewValidator = Compile(CreativeReviewSchema);
const removalValidator = Compile(ReviewRemovalSchema);

/** A decision that came from outside, or everything that is wrong with it. */
export function readReview(value: unknown): Checked<CreativeReviewInput> {
  if (reviewValidator.Check(value)) return { ok: true, value };
  return { ok: false, problems: problemsOf(reviewValidator, value) };
}

/** As `readReview`, of a decision that is taken back. */
export function readReviewRemoval(value: unknown): Checked<ReviewRemoval> {
  if (removalValidator.Check(value)) return { ok: true, value };
  return { ok: false, problems: problemsOf(removalValidator, value) };
}

function problemsOf(validator: Parameters<typeof checkSchema>[0], value: unknown): Problem[] {
  return checkSchema(validator, value).map(({ path, message }) => {
    const what = showPath(path);
    return { pointer: jsonPointer(...path), message: what === '' ? message : `${what} ${message}` };
  });
}

/** What a decision is about, or why that cannot be told. */
export function subjectOf(input: ReviewRemoval): ReviewSubject | Problem {
  const { crid, domain, publisher = 0, demand_partner: partner = 0 } = input;
  const owners = { publisher_id: publisher, demand_partner_id: partner };
  if ((crid === undefined) === (domain === undefined)) {
    return { pointer: '', message: 'A review is about either a crid or a domain.' };
  }
  if (domain !== undefined) return { ...owners, target: 'domain', value: listedDomain(domain) };
  if (partner === 0) {
    const message = 'A crid is known by its demand partner alone: name that as well.';
    return { pointer: '/demand_partner', message };
  }
  return { ...owners, target: 'crid', value: boundedId(crid ?? '') };
}

/** A review as the exchange works with it. */
export function creativeReviewEntity(row: Row<'creative_reviews'>): CreativeReview {
  return {
    kind: 'creativeReview',
    id: row.id,
    publisherId: row.publisher_id === 0 ? null : row.publisher_id,
    demandPartnerId: row.demand_partner_id === 0 ? null : row.demand_partner_id,
    target: row.target,
    value: row.value,
    verdict: row.verdict,
    reason: row.reason,
  };
}
