import type { Random } from './random.ts';
import type { BeaconKind, Winner } from './winners.ts';

/** What publishers, pages and people do with the ads that they get. Rates are probabilities. */
export interface Behaviour {
  /** Of the winners where the publisher decides, how many it takes. */
  readonly takeRate: number;
  /** Of the ads taken, how many come to be shown: some people have left by then. */
  readonly showRate: number;
  /** Of the ads shown, how many are in view for long enough. */
  readonly viewRate: number;
  readonly clickRate: number;
  /** Of the beacons that were acknowledged, how many are sent again, up to three times. */
  readonly repeatRate: number;
  /** From the answer to the impression: log-normal, cut off at `maxMs`. */
  readonly showDelay: Delay;
  /** From the impression to the view, and to the click. */
  readonly viewDelay: Delay;
  readonly clickDelay: Delay;
}

/** A log-normal time in milliseconds. */
export interface Delay {
  readonly medianMs: number;
  readonly spread: number;
  readonly maxMs: number;
}

export const DEFAULT_BEHAVIOUR: Behaviour = {
  takeRate: 0.7,
  showRate: 0.95,
  viewRate: 0.6,
  clickRate: 0.02,
  repeatRate: 0.05,
  showDelay: { medianMs: 300, spread: 0.8, maxMs: 3000 },
  // An ad counts as viewed after a second on the screen.
  viewDelay: { medianMs: 1200, spread: 0.2, maxMs: 4000 },
  clickDelay: { medianMs: 2500, spread: 0.6, maxMs: 10_000 },
};

/** A behaviour in which nothing waits and nothing is left out, for tests that count. */
export const EAGER_BEHAVIOUR: Behaviour = {
  takeRate: 1,
  showRate: 1,
  viewRate: 1,
  clickRate: 1,
  repeatRate: 0,
  showDelay: { medianMs: 0, spread: 0, maxMs: 0 },
  viewDelay: { medianMs: 0, spread: 0, maxMs: 0 },
  clickDelay: { medianMs: 0, spread: 0, maxMs: 0 },
};

/** A beacon that a page is going to send. */
export interface PlannedBeacon {
  readonly kind: BeaconKind;
  /** From the answer, in milliseconds. */
  readonly afterMs: number;
  /** How often it is sent again after it was acknowledged. */
  readonly repeats: number;
}

/**
 * What becomes of a winner: the beacons in the order of their times, or undefined when the
 * publisher, deciding, takes another ad. Every draw is made, whatever the ones before gave, so that
 * one rate changes nothing of what the others decide.
 */
export function planPage(
  winner: Winner,
  behaviour: Behaviour,
  random: Random,
): readonly PlannedBeacon[] | undefined {
  const taken = random.chance(behaviour.takeRate);
  const shown = random.chance(behaviour.showRate);
  const viewed = random.chance(behaviour.viewRate);
  const clicked = random.chance(behaviour.clickRate);
  const showMs = draw(behaviour.showDelay, random);
  const viewMs = showMs + draw(behaviour.viewDelay, random);
  const clickMs = showMs + draw(behaviour.clickDelay, random);
  const planned = (kind: BeaconKind, afterMs: number): PlannedBeacon => {
    const own = random.fork(kind);
    const repeats = own.chance(behaviour.repeatRate) ? own.integer(1, 3) : 0;
    return { kind, afterMs, repeats };
  };
  if (winner.decides && !taken) return undefined;
  return [
    ...(winner.decides && winner.urls.win !== undefined ? [planned('win', 0)] : []),
    ...(shown ? [planned('impression', showMs)] : []),
    ...(shown && viewed ? [planned('view', viewMs)] : []),
    ...(shown && clicked ? [planned('click', clickMs)] : []),
  ].toSorted((a, b) => a.afterMs - b.afterMs);
}

function draw({ medianMs, spread, maxMs }: Delay, random: Random): number {
  return Math.min(maxMs, random.logNormal(medianMs, spread));
}
