import type { Static } from 'typebox';
import { array, cpm, ext, flag, id, integer, object, optional, texts, usd } from './fields.ts';
import { configured, filled, setHere, unsent } from './filling.ts';

/** Deal, section 2.12. */
export const DealSchema = filled(
  object('A deal that a bid may answer.', {
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
  }),
  {
    id: configured(),
    bidfloor: configured('The floor or fixed price of the deal.'),
    bidfloorcur: setHere('Always USD.'),
    at: configured('1, 2 or 3 by the type of the deal.'),
    wseat: configured('The seats of the deal.'),
    wadomain: configured('The advertisers of the deal.'),
    ext: unsent(),
  },
);
export type Deal = Static<typeof DealSchema>;

/** Pmp, section 2.11. */
export const PmpSchema = filled(
  object('Private marketplace.', {
    private_auction: optional(
      flag('1 = only seats named in deals may bid; the exchange sends 1.', {
        default: 1,
        'x-outgoing': { enum: [1] },
      }),
    ),
    deals: optional(array(DealSchema, 'The deals.')),
    ext: ext(),
  }),
  {
    private_auction: setHere('Always 1.'),
    deals: configured('The deals of the ad space that are open to the bidder.'),
    ext: unsent(),
  },
);
export type Pmp = Static<typeof PmpSchema>;
