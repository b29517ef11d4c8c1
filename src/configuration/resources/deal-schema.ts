import Type, { type Static } from 'typebox';
import {
  NO_SPACES,
  DOMAIN,
  FLOOR,
  ID,
  NAME,
  PRICE,
  SEAT,
  STATUS,
  list,
  listOfSome,
  mapping,
  nullable,
} from '../fields.ts';

export const DEAL_ID = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: NO_SPACES,
  description: 'a deal id of 1 to 128 characters without spaces, in quotes if it is a number',
});

/** Terms that a publisher and the holders of some seats agreed on for some ad spaces. */
export const DealSchema = mapping('a deal', {
  id: DEAL_ID,
  name: Type.Optional(NAME),
  status: Type.Optional(STATUS),
  ad_spaces: Type.Optional(listOfSome(ID, 'ad space ids')),
  seats: Type.Optional(listOfSome(SEAT, 'seats', 1_000)),
  type: Type.Optional(
    Type.Enum(['first_price', 'second_price', 'fixed_price'], {
      description: 'first_price, second_price or fixed_price',
    }),
  ),
  price: Type.Optional(nullable(PRICE)),
  floor: Type.Optional(nullable(FLOOR)),
  advertisers: Type.Optional(list(DOMAIN, 'advertiser domains')),
});

export type DealInput = Static<typeof DealSchema>;
