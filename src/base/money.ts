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
 * Converts dollars of floors and settings to micros, rounded to the nearest one; bids are cut instead.
 * The caller has checked that the number is finite and within the exchange's range.
 */
export function microsFromDollars(dollars: number): number {
  return Math.round(dollars * MICROS_PER_DOLLAR);
}

/**
 * Converts the price of a bid to micros, cut after the sixth decimal and never rounded up: a bid must
 * not win or pay by more than it said. What is cut is the shortest decimal form of the number, because
 * its product with a million may fall short of it: 1.001 would become 1,000,999.
 *
 * @param dollars finite and not negative.
 */
export function microsFromPrice(dollars: number): number {
  const nearest = Math.round(dollars * MICROS_PER_DOLLAR);
  // A number of up to fifteen digits is the only one of so few that its double stands for: if it has six decimals, as
  // nearly all prices have at most, it is the shortest form, and need not be written out.
  if (nearest < DIGITS_EXACT && nearest / MICROS_PER_DOLLAR === dollars) return nearest;
  const [decimal = '', exponent = '0'] = String(dollars).split('e');
  const [whole = '', fraction = ''] = decimal.split('.');
  const digits = whole + fraction;
  const kept = whole.length + Number(exponent) + DECIMALS;
  return kept <= 0 ? 0 : Number(digits.slice(0, kept).padEnd(kept, '0'));
}

/** Decimals of a dollar in micros. */
const DECIMALS = 6;

/** Below it a number has at most fifteen digits. */
const DIGITS_EXACT = 1e15;

/** Converts micros to dollars for the wire. Division of two integers: exact to the nearest double. */
export function dollarsFromMicros(micros: number): number {
  return micros / MICROS_PER_DOLLAR;
}

/** A share of a price, rounded down in micros, as payouts are. */
export function shareOf(micros: number, shareBps: number): number {
  return Math.floor((micros * shareBps) / BASIS_POINTS);
}
