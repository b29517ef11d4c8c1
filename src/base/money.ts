/**
 * Money inside the exchange is an integer of micro-dollars CPM: 2.50 USD CPM is 2_500_000.
 * Floats exist on the wire only; these functions are the two doors between the two.
 */

/** Micro-dollars in one dollar. */
export const MICROS_PER_DOLLAR = 1_000_000;

/** The smallest step of a price in an auction: one cent CPM. */
export const CENT_MICROS = 10_000;

/** The highest price that the exchange accepts: 10,000 USD CPM. */
export const PRICE_MAX_MICROS = 10_000 * MICROS_PER_DOLLAR;

/** Basis points in the whole: a revenue share of 80 % is 8,000. */
export const BASIS_POINTS = 10_000;

/**
 * Converts dollars as they arrive on the wire to micros, rounded to the nearest one.
 * The caller has checked that the number is finite and within the exchange's range.
 */
export function microsFromDollars(dollars: number): number {
  return Math.round(dollars * MICROS_PER_DOLLAR);
}

/** Converts micros to dollars for the wire. Division of two integers: exact to the nearest double. */
export function dollarsFromMicros(micros: number): number {
  return micros / MICROS_PER_DOLLAR;
}

/** A share of a price, rounded down in micros, as payouts are. */
export function shareOf(micros: number, shareBps: number): number {
  return Math.floor((micros * shareBps) / BASIS_POINTS);
}
