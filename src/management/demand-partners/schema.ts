import type { Static } from 'typebox';
import { DemandPartnerSchema } from '../../resources/demand-partner.ts';
import { SHOWN_STOP } from '../bidders/schema.ts';
import { shownSchema } from '../shown.ts';

/** A demand partner as it is shown, without what belongs to it. */
export const ShownDemandPartnerSchema = shownSchema('DemandPartner', {
  ...DemandPartnerSchema.properties,
  stopped: SHOWN_STOP,
});

export type ShownDemandPartner = Static<typeof ShownDemandPartnerSchema>;
