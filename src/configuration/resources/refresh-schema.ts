import Type, { type Static } from 'typebox';
import { mapping, nullable, whole } from '../fields.ts';

const SECONDS_MAX = 86_400;
const PER_PAGE_MAX = 1_000;

/** How often tags may ask again on one page. */
export const REFRESH = mapping('refresh', {
  min_seconds: whole(1, SECONDS_MAX, ' (seconds from one ad to the next)'),
  max_per_page: Type.Optional(nullable(whole(0, PER_PAGE_MAX, ', ads after the first of a page'))),
});

export type RefreshInput = Static<typeof REFRESH>;
