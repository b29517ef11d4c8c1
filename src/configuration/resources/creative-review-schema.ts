import Type, { type Static } from 'typebox';
import { CONTROLS, DOMAIN, ID, mapping } from '../../resources/vocabulary.ts';

/** Ids longer than this are no creative's; those that are nearly as long are kept cut. */
const CRID_LENGTH_MAX = 1_024;

/** One line, with characters that can be shown. */
const WORDS = `^[^${CONTROLS}]*$`;

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
