import type { Random } from './random.ts';

/** How often each of some things happens, each between 0 and 1 and together at most 1. */
export type Rates<Name extends string> = Partial<Readonly<Record<Name, number>>>;

/** Throws a RangeError when rates are no probabilities or add up to more than 1. */
export function assertRates<Name extends string>(names: readonly Name[], rates: Rates<Name>): void {
  let total = 0;
  for (const name of names) {
    const rate = rates[name] ?? 0;
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`the rate of ${name} must be in [0, 1]`);
    total += rate;
  }
  // Rates such as ten times 0.1 add up to a hair more than 1.
  if (total > 1 + 1e-9) throw new RangeError(`the fault rates add up to ${total}, more than 1`);
}

/** Which of them happens this time, if any. Takes exactly one draw. */
export function chooseByRate<Name extends string>(
  names: readonly Name[],
  rates: Rates<Name>,
  random: Random,
): Name | undefined {
  let left = random.next();
  for (const name of names) {
    left -= rates[name] ?? 0;
    if (left < 0) return name;
  }
  return undefined;
}
