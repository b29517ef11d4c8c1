import Type, { type Static } from 'typebox';
import { FieldTable } from './field-table.ts';
import { domains, json, text } from './field.ts';
import {
  DOMAIN,
  FLOOR,
  ID,
  NAME,
  NO_SPACES,
  PRICE,
  SEAT,
  STATUS,
  list,
  listOfSome,
  mapping,
  nullable,
} from './vocabulary.ts';

export const DEAL_ID = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: NO_SPACES,
  description: 'a deal id of 1 to 128 characters without spaces, in quotes if it is a number',
});

/** Terms that a publisher and the holders of some seats agreed on for some ad spaces. */
export const DEAL = new FieldTable({
  name: text(NAME, '', { isNeeded: true }),
  status: text(STATUS, 'ACTIVE'),
  ad_spaces: json(listOfSome(ID, 'ad space ids'), '[]', {
    entity: 'adSpaceIds',
    isNeeded: true,
  }),
  seats: json(listOfSome(SEAT, 'seats', 1_000), '[]', { isNeeded: true }),
  /** Deal.at: first_price 1, second_price 2, fixed_price 3. */
  type: text(
    Type.Enum(['first_price', 'second_price', 'fixed_price'], {
      description: 'first_price, second_price or fixed_price',
    }),
    'second_price',
    { isNeeded: true },
  ),
  /** Advertiser domains that may use the deal; empty is no restriction. */
  advertisers: domains(list(DOMAIN, 'advertiser domains')),
});

/** What it costs is kept as one amount: the agreed price where that is fixed, else the floor. */
export const DealSchema = mapping('a deal', {
  id: DEAL_ID,
  ...DEAL.inputs,
  price: Type.Optional(nullable(PRICE)),
  floor: Type.Optional(nullable(FLOOR)),
});

export type DealInput = Static<typeof DealSchema>;
