import type { Static } from 'typebox';
import { DealSchema } from '../../resources/deal.ts';
import { shownSchema } from '../shown.ts';

/** A deal as it is shown. */
export const ShownDealSchema = shownSchema('Deal', DealSchema.properties);

export type ShownDeal = Static<typeof ShownDealSchema>;
