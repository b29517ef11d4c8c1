/** Rounding to two decimals leaves about a kilometer: a part of a town, no address. */
const STEPS_PER_DEGREE = 100;

/** A latitude or longitude, in degrees, to two decimals. */
export function roundLocation(degrees: number): number {
  // Adding zero turns -0, which JSON would carry on to readers that do not expect it, into 0.
  return Math.round(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE + 0;
}
