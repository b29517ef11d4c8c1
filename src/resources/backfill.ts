import Type, { type Static } from 'typebox';
import { CONTROLS, SECURE_ADDRESS, mapping, nullable } from './vocabulary.ts';

/** Every node holds the backfill of all ad spaces in memory. Characters. */
const MARKUP_MAX = 8_192;

/** What a tag shows where nobody bought. Everything in it comes over HTTPS, as pages themselves do. */
export const BACKFILL = mapping('backfill', {
  banner: Type.Optional(nullable(markup('HTML'))),
  video: Type.Optional(nullable(SECURE_ADDRESS)),
  native: Type.Optional(nullable(markup('JSON'))),
});

/** What a tag shows where nobody bought, by format; null is nothing. It is never a sale. */
export interface Backfill {
  /** HTML. */
  readonly banner: string | null;
  /** The address of a VAST tag. */
  readonly video: string | null;
  /** A native response as JSON text. */
  readonly native: string | null;
}

/** The markup as the exchange works with it. */
export function backfillOf(backfill: Static<typeof BACKFILL>): Backfill {
  return { banner: null, video: null, native: null, ...backfill };
}

/** Lines may break; other control characters have no place in markup, and no store takes them all. */
function markup(kind: string) {
  const text = Type.String({
    maxLength: MARKUP_MAX,
    pattern: `^(?:[^${CONTROLS}]|[\\t\\n\\r])+$`,
    description: `${kind} of 1 to ${MARKUP_MAX} characters, as a text`,
  });
  return Type.Refine(text, (value) => typeof value === 'string' && value.trim() !== '');
}
