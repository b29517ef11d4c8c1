import type { DemandPlatform } from '../events/dimensions.ts';
import type { Size } from '../resources/formats.ts';

/**
 * What targeting can ask of an impression. The first part describes the place that is on sale, the
 * second the person and device in front of it: traffic repeats the same few places all the time, so
 * eligibility resolves them once and looks only at the second part of every request.
 */
export interface ImpTraits extends PlacementTraits, RequestTraits {}

export interface PlacementTraits {
  readonly adSpaceId: number;
  readonly publisherId: number;
  /** Android package name or iOS numeric id; null for sites. */
  readonly bundle: string | null;
  readonly domain: string | null;
  /** Content categories of the app or site. */
  readonly categories: readonly string[];
  /** Bit mask of `FORMAT_BANNER`, `FORMAT_VIDEO` and `FORMAT_NATIVE`. */
  readonly formats: number;
  readonly bannerSizes: readonly Size[];
  readonly videoSize: Size | null;
  readonly interstitial: boolean;
  readonly rewarded: boolean;
}

export interface RequestTraits {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null;
  /** Latitude and longitude would be sent, as far as the request goes; see `requiresLocation`. */
  readonly hasLocation: boolean;
  /** As in the demand report; the empty string is unknown. */
  readonly platform: DemandPlatform;
  /** By its name in `src/openrtb/operating-systems.ts`. */
  readonly os: string | null;
  /** ISO 639-1 alpha-2. */
  readonly language: string | null;
  /** OpenRTB list 5.22; null and 0 both mean unknown. */
  readonly connectiontype: number | null;
  /** Creatives have to load everything over HTTPS. */
  readonly secure: boolean;
}
