import Type, { type Static } from 'typebox';
import { ID, NAME, STATUS, mapping } from '../fields.ts';

/** Who buys. Its bidder, line items, users and account are resources of their own. */
export const DemandPartnerSchema = mapping('a demand partner', {
  id: ID,
  name: Type.Optional(NAME),
  status: Type.Optional(STATUS),
});

export type DemandPartnerInput = Static<typeof DemandPartnerSchema>;
