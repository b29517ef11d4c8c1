import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../auction/formats.ts';
import { BannerSchema } from '../openrtb/banner.ts';
import { ApiFramework } from '../openrtb/creative-lists.ts';
import { createSendable } from '../openrtb/sendable.ts';
import type { Bidder } from '../snapshot/entities.ts';
import type { Slot } from './slots.ts';

/** What a player of each kind shows when the publisher does not say. iOS has no WebM. */
const VIDEO_MIMES = ['video/mp4', 'video/webm'];
const VIDEO_MIMES_IOS = ['video/mp4'];
/** What VPAID 2.0 creatives are (spec, section 2.7: "per platform and VPAID 2 support"). */
const VPAID_2_MIME = 'application/javascript';

/** Who reads the description: what a bidder has creatives of and wants to know, and its version. */
export interface Audience {
  readonly bidder: Bidder;
  /** Of the device that shows the ad; null when it is unknown. */
  readonly os: string | null;
}

const sendableMimes = createSendable(BannerSchema.properties.mimes);
const sendableApi = createSendable(BannerSchema.properties.api);

/**
 * The formats in which an impression can be offered to a bidder at all: its version must have words
 * for them, and some content type of the place must be among those that it has creatives of.
 */
export function biddableFormats(slot: Slot, { bidder, os }: Audience): number {
  let formats = FORMAT_BANNER | FORMAT_VIDEO | FORMAT_NATIVE;
  if (bidder.openrtbVersion === '2.2' && !bidder.nativeInExt) formats &= ~FORMAT_NATIVE;
  if (bidder.mimes === null) return formats;
  if (bannerMimes(slot, bidder)?.length === 0) formats &= ~FORMAT_BANNER;
  if (videoMimes(slot, { bidder, os }).length === 0) formats &= ~FORMAT_VIDEO;
  return formats;
}

/**
 * The content types that a banner may have: those that the request allows and the bidder has. Null
 * is any: nobody narrows them.
 */
export function bannerMimes({ incoming }: Slot, { mimes }: Bidder): string[] | null {
  const asked = sendableMimes(incoming.banner?.mimes);
  if (mimes === null) return asked ?? null;
  return asked === undefined
    ? mimes.filter((mime) => !mime.startsWith('video/'))
    : asked.filter((mime) => mimes.includes(mime));
}

/** The content types that a video may have: those of the request, else of the platform. */
export function videoMimes(slot: Slot, { bidder: { mimes }, os }: Audience): string[] {
  const asked = sendableMimes(slot.incoming.video?.mimes) ?? mimesOfPlatform(slot, os);
  return mimes === null ? asked : asked.filter((mime) => mimes.includes(mime));
}

function mimesOfPlatform(slot: Slot, os: string | null): string[] {
  const isIos = slot.space.property.platform === 'iOS' || os === 'iOS';
  const base = isIos ? VIDEO_MIMES_IOS : VIDEO_MIMES;
  return videoApi(slot).includes(ApiFramework.Vpaid2) ? [...base, VPAID_2_MIME] : base;
}

/** The frameworks that the player supports: as the request says, else as configured. */
function videoApi({ incoming, space }: Slot): readonly number[] {
  return sendableApi(incoming.video?.api) ?? space.adSpace.video?.api ?? [];
}
