import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { boundedId } from '../../auction/creative-id.ts';
import { normalizeDomain } from '../../auction/domains.ts';
import { jsonPointer, type Checked, type Problem } from '../../base/problem.ts';
import type { CreativeReview } from '../../snapshot/entities.ts';
import { checkSchema } from '../check-schema.ts';
import { DOMAIN, ID, mapping } from '../fields.ts';
import { showPath } from '../finding.ts';
import type { Row } from '../state.ts';

/** Ids longer than this are no creative's; those that are nearly as long are kept cut. */
const CRID_LENGTH_MAX = 1_024;

/** One line, with characters that can be shown. */
const WORDS = '^[^\\p{Cc}]*$';

/** What a review is about: a partner's creative, or an advertiser, everywhere or at one publisher. */
const SUBJECT_KEYS = {
  publisher: Type.Optional(ID),
  demand_partner: Type.Optional(ID),
  crid: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CRID_LENGTH_MAX,
      // PostgreSQL has no text with this character.
      pattern: '^[^\\0]*$',
      description: `a creative id of 1 to ${CRID_LENGTH_MAX} characters, none of them NUL`,
    }),
  ),
  domain: Type.Optional(DOMAIN),
};

const VERDICT = Type.Enum(['blocked', 'approved'], { description: 'blocked or approved' });

/** Who decides: the name of an account of the machine, or of a user. */
const BY = Type.String({ minLength: 1, maxLength: 200, pattern: WORDS, description: 'a name' });

/** A decision. Without a publisher it holds everywhere and is the operator's. */
export const CreativeReviewSchema = mapping('a review', {
  ...SUBJECT_KEYS,
  verdict: VERDICT,
  reason: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: WORDS,
      description: 'up to 200 characters on one line',
    }),
  ),
  by: BY,
});

/** A decision that is taken back. */
export const ReviewRemovalSchema = mapping('a review', { ...SUBJECT_KEYS, verdict: VERDICT });

export type CreativeReviewInput = Static<typeof CreativeReviewSchema>;
export type ReviewRemoval = Static<typeof ReviewRemovalSchema>;

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
  if (domain !== undefined) return { ...owners, target: 'domain', value: normalizeDomain(domain) };
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
