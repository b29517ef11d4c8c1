import Type, { type Static } from 'typebox';
import { microsFromDollars } from '../base/money.ts';
import { json, type Json } from './field.ts';
import { AD_FORMAT, COUNTRY_CODE, FLOOR, list, listOfSome, mapping } from './vocabulary.ts';

const RULES_MAX = 1_000;
const COUNTRIES_MAX = 300;

/** A floor for some countries, some formats, or both; without either it holds for the rest. */
const FLOOR_RULE = mapping('a floor', {
  countries: Type.Optional(listOfSome(COUNTRY_CODE, 'country codes such as US', COUNTRIES_MAX)),
  formats: Type.Optional(listOfSome(AD_FORMAT, 'of banner, video and native', 3)),
  floor: FLOOR,
});

export type FloorInput = Static<typeof FLOOR_RULE>;

/** One rule of the floors of a publisher, property or ad space; see `auction/floors.ts`. */
export interface FloorRule {
  /** ISO 3166-1 alpha-2; empty is everywhere, also where nobody knows. */
  readonly countries: readonly string[];
  /** Empty is all. */
  readonly formats: readonly Static<typeof AD_FORMAT>[];
  /** As a buyer pays it. */
  readonly floorMicros: number;
}

/** The field that publisher, app, site and ad space have in common. */
export const FLOORS = {
  ...json(list(FLOOR_RULE, 'floors', RULES_MAX), '[]'),
  carry: (stored: Json): readonly FloorRule[] => {
    const rules: readonly FloorInput[] = JSON.parse(stored);
    return rules.map(({ countries = [], formats = [], floor }) => ({
      countries,
      formats,
      floorMicros: microsFromDollars(floor),
    }));
  },
};
