import type { Static } from 'typebox';
import {
  advisory,
  array,
  cpm,
  ext,
  flag,
  id,
  integer,
  object,
  optional,
  texts,
  usd,
  required,
} from './fields.ts';
import { configured, setHere, unsent } from './filling.ts';
import { durationFloors, secondFloor } from './pods.ts';
import { since } from './variations.ts';

/** Deal, section 2.12. */
export const DealSchema = object('A deal that a bid may answer.', {
  id: required(id('Id of the deal.'), configured()),
  bidfloor: optional(
    cpm('Deal floor in USD CPM.', { default: 0 }),
    configured('The floor or fixed price of the deal.'),
  ),
  bidfloorcur: optional(usd('Currency of the floor.'), setHere('Always USD.')),
  at: optional(
    integer('1 = first price, 2 = second price, 3 = bidfloor is the agreed price.', {
      'x-outgoing': { enum: [1, 2, 3] },
    }),
    configured('1, 2 or 3 by the type of the deal.'),
  ),
  wseat: optional(
    array(id('A seat.'), 'Allowed buyer seats.'),
    configured('The seats of the deal.'),
  ),
  wadomain: optional(
    texts('Allowed advertiser domains.'),
    configured('The advertisers of the deal.'),
  ),
  guar: optional(
    flag('1 = guaranteed: the bidder must bid.', { default: 0 }),
    advisory,
    since('2.6'),
    unsent(),
  ),
  mincpmpersec: secondFloor(),
  durfloors: durationFloors(),
  ext: ext(),
});
export type Deal = Static<typeof DealSchema>;

/** Pmp, section 2.11. */
export const PmpSchema = object('Private marketplace.', {
  private_auction: optional(
    flag('1 = only seats named in deals may bid; the exchange sends 1.', {
      default: 1,
      'x-outgoing': { enum: [1] },
    }),
    setHere('Always 1.'),
  ),
  deals: optional(
    array(DealSchema, 'The deals.'),
    configured('The deals of the ad space that are open to the bidder.'),
  ),
  ext: ext(),
});
export type Pmp = Static<typeof PmpSchema>;
