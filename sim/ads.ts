import type { Imp } from '../src/openrtb/bid-request.ts';
import { bannerMarkup, vastMarkup } from './markup.ts';
import { nativeMarkup, readNativeAssets } from './native.ts';
import type { Format } from './profile.ts';
import type { Random } from './random.ts';

/** An ad that fits an impression: its markup and what the bid says about it. */
export interface Ad {
  readonly format: Format;
  readonly adm: string;
  /** Device independent pixels; 0 for native, whose size is the page's business. */
  readonly w: number;
  readonly h: number;
  /** Creative attributes, OpenRTB list 5.3. */
  readonly attr: readonly number[];
  /** Video protocol, OpenRTB list 5.8; video alone has one. */
  readonly protocol: number | undefined;
}

/** Who advertises, and what chance the choice is made with. */
interface AdContext {
  readonly bidId: string;
  readonly adomain: string;
  readonly trackerOrigin: string;
  readonly random: Random;
}

/** An ad of one of the formats for the impression, or undefined when none of them fits. */
export function createAd(imp: Imp, formats: readonly Format[], context: AdContext): Ad | undefined {
  const fitting = formats.filter((format) => imp[format] !== undefined);
  if (fitting.length === 0) return undefined;
  return MAKERS[context.random.pick(fitting)](imp, context);
}

const MAKERS: Readonly<Record<Format, (imp: Imp, context: AdContext) => Ad | undefined>> = {
  banner: bannerAd,
  video: videoAd,
  native: nativeAd,
};

function bannerAd({ banner }: Imp, { random, ...creative }: AdContext): Ad | undefined {
  const sizes = [...(banner?.format ?? []), ...(banner ? [banner] : [])].flatMap(({ w, h }) =>
    w === undefined || h === undefined ? [] : [{ w, h }],
  );
  if (sizes.length === 0) return undefined;
  const size = random.pick(sizes);
  const adm = bannerMarkup({ ...creative, ...size });
  return { format: 'banner', adm, ...size, attr: [], protocol: undefined };
}

/** OpenRTB lists 5.3, 5.7 and 5.8. */
const ATTR_SKIPPABLE = 16;
const NON_LINEAR = 2;
const VAST_2 = 2;
const VAST_3 = 3;

function videoAd({ video }: Imp, { random, ...creative }: AdContext): Ad | undefined {
  if (video === undefined || video.linearity === NON_LINEAR) return undefined;
  const { w = 640, h = 360 } = video;
  const protocols = video.protocols ?? [video.protocol ?? VAST_2];
  const protocol = protocols.includes(VAST_3) ? VAST_3 : VAST_2;
  const blocked = video.battr ?? [];
  // Only VAST 3.0 has a place for skipping.
  const skips = video.skip === 1 && protocol === VAST_3 && !blocked.includes(ATTR_SKIPPABLE);
  const adm = vastMarkup(
    { ...creative, w, h },
    {
      version: protocol === VAST_3 ? '3.0' : '2.0',
      durationSeconds: durationFor(video, random),
      mime: video.mimes.includes('video/mp4') ? 'video/mp4' : (video.mimes[0] ?? 'video/mp4'),
      bitrateKbps: clamp(1200, video.minbitrate ?? 250, video.maxbitrate ?? 4000),
      skipAfterSeconds: skips ? (video.skipafter ?? 5) : undefined,
    },
  );
  return { format: 'video', adm, w, h, attr: skips ? [ATTR_SKIPPABLE] : [], protocol };
}

/** A usual duration, within what the player takes. */
function durationFor(
  { minduration = 0, maxduration = 30 }: NonNullable<Imp['video']>,
  random: Random,
): number {
  return clamp(random.pick([6, 15, 20, 30]), minduration, maxduration);
}

function nativeAd({ native }: Imp, { random: _, ...creative }: AdContext): Ad | undefined {
  const assets = readNativeAssets(native?.request ?? '');
  if (assets === undefined) return undefined;
  const adm = nativeMarkup({ ...creative, w: 0, h: 0 }, assets);
  return { format: 'native', adm, w: 0, h: 0, attr: [], protocol: undefined };
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
