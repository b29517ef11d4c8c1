import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../auction/formats.ts';
import type { Bidder } from '../snapshot/entities.ts';
import { playerMimes, sendableMimes } from './player-mimes.ts';
import type { Slot } from './slots.ts';

/** Who reads the description: what a bidder has creatives of and wants to know, and its version. */
export interface Audience {
  readonly bidder: Bidder;
  /** Of the device that shows the ad; null when it is unknown. */
  readonly os: string | null;
}

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
  const asked = playerMimes(slot, os);
  return mimes === null ? asked : asked.filter((mime) => mimes.includes(mime));
}
