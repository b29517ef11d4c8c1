import Type, { type Static } from 'typebox';
import { AD_FORMAT, COUNTRY_CODE, FLOOR, list, listOfSome, mapping } from '../fields.ts';

const RULES_MAX = 1_000;
const COUNTRIES_MAX = 300;

/** A floor for some countries, some formats, or both; without either it holds for the rest. */
const FLOOR_RULE = mapping('a floor', {
  countries: Type.Optional(listOfSome(COUNTRY_CODE, 'country codes such as US', COUNTRIES_MAX)),
  formats: Type.Optional(listOfSome(AD_FORMAT, 'of banner, video and native', 3)),
  floor: FLOOR,
});

/** The key that publisher, app, site and ad space have in common. */
export const FLOORS = Type.Optional(list(FLOOR_RULE, 'floors', RULES_MAX));

export type FloorInput = Static<typeof FLOOR_RULE>;
