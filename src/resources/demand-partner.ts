import type { Static } from 'typebox';
import { FieldTable } from './field-table.ts';
import { text } from './field.ts';
import { ID, NAME, STATUS, mapping } from './vocabulary.ts';

/** Who buys. Its bidder, line items, users and account are resources of their own. */
export const DEMAND_PARTNER = new FieldTable({
  name: text(NAME, '', { isNeeded: true }),
  status: text(STATUS, 'ACTIVE'),
});

export const DemandPartnerSchema = mapping('a demand partner', {
  id: ID,
  ...DEMAND_PARTNER.inputs,
});

export type DemandPartnerInput = Static<typeof DemandPartnerSchema>;
