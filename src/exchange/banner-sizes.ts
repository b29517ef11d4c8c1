import type { Banner } from '../openrtb/banner.ts';
import type { Size } from '../resources/formats.ts';

/** Sizes of one banner that are taken from a request; real ones name one to ten. */
const SIZES_MAX = 100;

const NONE: readonly Size[] = [];

/**
 * The sizes in which a banner may be bid. Those that the request names hold in place of the ad space's,
 * each once: its `w` and `h`, which it prefers where it has formats too, then its formats. Without any,
 * the ad space's hold; of them those in the range that a request may ask for as 2.2 does, if there are.
 *
 * @param configured the ad space's; empty where it takes no banner.
 */
export function bannerSizesOf(
  banner: Banner | undefined,
  configured: readonly Size[],
): readonly Size[] {
  if (banner === undefined || configured.length === 0) return NONE;
  const asked: Size[] = [];
  ask(asked, banner);
  for (const format of banner.format ?? []) ask(asked, format);
  if (asked.length > 0) return asked;
  const inRange = configured.filter((size) => isInRange(size, banner));
  return inRange.length > 0 ? inRange : configured;
}

/** A ratio has no size, and neither has what a side is missing of, or nothing. */
function ask(asked: Size[], { w = 0, h = 0 }: Partial<Size>): void {
  if (w === 0 || h === 0 || asked.length === SIZES_MAX) return;
  if (!asked.some((size) => size.w === w && size.h === h)) asked.push({ w, h });
}

/** Section 10: what of a range is left out bounds nothing. */
function isInRange({ w, h }: Size, { wmin = 0, hmin = 0, wmax, hmax }: Banner): boolean {
  return wmin <= w && w <= (wmax ?? Infinity) && hmin <= h && h <= (hmax ?? Infinity);
}
