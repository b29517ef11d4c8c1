import Type, { type Static } from 'typebox';
import { mapping, whole } from '../resources/vocabulary.ts';
import { INSTANT, showInstant } from './shown.ts';

const GRACE_SECONDS_MAX = 604_800;
const GRACE_SECONDS_DEFAULT = 86_400;
const SECOND_MS = 1_000;

/** How a secret is rolled. */
export const GraceSchema = mapping('a roll', {
  grace_seconds: Type.Optional(
    whole(
      0,
      GRACE_SECONDS_MAX,
      `: how long the secret before stays good; ${GRACE_SECONDS_DEFAULT} if nothing is said`,
    ),
  ),
});

/** The secret before the present one, while it is good. */
export const ShownPreviousSchema = Type.Union(
  [Type.Object({ expires_at: INSTANT }, { additionalProperties: false }), Type.Null()],
  { description: 'until when the secret before is good as well; null when it is not' },
);

/** What is stored of the secret before. */
export interface Previous {
  readonly hash: string | null;
  /** Unix time in milliseconds. */
  readonly untilMs: number | null;
}

/** The secret before, good until its grace is over; without grace nothing is kept of it. */
export function previousOf(
  hash: string,
  { grace_seconds: seconds = GRACE_SECONDS_DEFAULT }: Static<typeof GraceSchema>,
  nowMs: number,
): Previous {
  return seconds === 0
    ? { hash: null, untilMs: null }
    : { hash, untilMs: nowMs + seconds * SECOND_MS };
}

/** @param untilMs Unix time in milliseconds; null where there is no secret before. */
export function showPrevious(
  untilMs: number | null,
  nowMs: number,
): Static<typeof ShownPreviousSchema> {
  return untilMs !== null && untilMs > nowMs ? { expires_at: showInstant(untilMs) } : null;
}
