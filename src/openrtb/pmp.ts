import type { Static } from 'typebox';
import {
  advisoryFlag,
  array,
  cpm,
  ext,
  id,
  integer,
  object,
  optional,
  texts,
  usd,
} from './fields.ts';

/** Deal, section 2.12. */
export const DealSchema = object('A deal that a bid may answer.', {
  id: id('Id of the deal.'),
  bidfloor: optional(cpm('Deal floor in USD CPM.', { default: 0 })),
  bidfloorcur: optional(usd('Currency of the floor.')),
  at: optional(
    integer('1 = first price, 2 = second price, 3 = bidfloor is the agreed price.', {
      'x-outgoing': { enum: [1, 2, 3] },
    }),
  ),
  wseat: optional(array(id('A seat.'), 'Allowed buyer seats.')),
  wadomain: optional(texts('Allowed advertiser domains.')),
  ext: ext(),
});
export type Deal = Static<typeof DealSchema>;

/** Pmp, section 2.11. */
export const PmpSchema = object('Private marketplace.', {
  private_auction: optional(
    advisoryFlag('1 = only seats named in deals may bid; the exchange sends 1.', {
      default: 1,
      'x-outgoing': { enum: [1] },
    }),
  ),
  deals: optional(array(DealSchema, 'The deals.')),
  ext: ext(),
});
export type Pmp = Static<typeof PmpSchema>;
