import type { Ad } from './ask.ts';
import { watchSight } from './sight.ts';

/** An ad stays for so many seconds at least, whatever the page says. */
const WAIT_MIN_S = 30;

/**
 * When another ad may be asked for: as the page says, and not sooner or more often than the ad
 * space allows.
 *
 * @returns 0 seconds for never.
 */
export function refreshRule(
  askedS: number | undefined,
  rule: Ad['refresh'],
): { readonly waitS: number; readonly max: number } {
  const max = rule && typeof rule.max_per_page === 'number' ? rule.max_per_page : Infinity;
  if (!askedS || !(askedS > 0)) return { waitS: 0, max };
  return { waitS: Math.max(WAIT_MIN_S, askedS, rule ? rule.min_seconds : 0), max };
}

/**
 * Calls once so many seconds from now, or later when the ad is in sight again: nobody buys what
 * nobody would see.
 *
 * @returns what ends it.
 */
export function whenDue(element: Element, waitS: number, due: () => void): () => void {
  let inSight = false;
  let waited = false;
  const look = (): void => {
    if (!inSight || !waited) return;
    end();
    due();
  };
  const endSight = watchSight(element, (is) => {
    inSight = is;
    look();
  });
  const timer = setTimeout(() => {
    waited = true;
    look();
  }, waitS * 1000);
  const end = (): void => {
    clearTimeout(timer);
    endSight();
  };
  return end;
}
