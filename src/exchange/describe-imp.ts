import Type from 'typebox';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../auction/formats.ts';
import type { AuctionImp } from '../auction/offer.ts';
import { definedField } from '../base/fields.ts';
import { BannerSchema, type Banner } from '../openrtb/banner.ts';
import type { Imp } from '../openrtb/bid-request.ts';
import { ImpSchema } from '../openrtb/imp.ts';
import { IncomingNativeSchema, IncomingVideoSchema } from '../openrtb/incoming-request.ts';
import type { Native } from '../openrtb/native.ts';
import { createSendable } from '../openrtb/sendable.ts';
import type { Video } from '../openrtb/video.ts';
import type { NativeSettings, Size } from '../snapshot/entities.ts';
import type { Slot } from './slots.ts';

/** What a video may be when the publisher does not say (spec, section 2.7: by platform). */
const VIDEO_MIMES = ['video/mp4', 'video/webm'];
/** VAST 2.0 and its wrapper, always; the 3.0 pair when the publisher's player takes it. */
const VAST_2 = [2, 5];
const VAST_3 = [3, 6];
/** Ids of the native assets in the order in which they are asked for. */
const NATIVE_ASSET = { title: 1, icon: 2, image: 3, description: 4, cta: 5 } as const;
/** Native 1.1 data asset types. */
const DATA_DESCRIPTION = 2;
const DATA_CTA = 12;

/** What a publisher's request may say of an impression, whose ad space settles the rest. */
const sendableImp = createSendable(
  Type.Pick(ImpSchema, ['displaymanager', 'displaymanagerver', 'clickbrowser', 'exp']),
);
const sendableBanner = createSendable(
  Type.Pick(BannerSchema, ['api', 'topframe', 'mimes', 'btype', 'expdir']),
);
const sendableVideo = createSendable(
  Type.Pick(IncomingVideoSchema, [
    'mimes',
    'minduration',
    'maxduration',
    'minbitrate',
    'maxbitrate',
    'linearity',
    'startdelay',
    'placement',
    'w',
    'h',
    'playbackmethod',
    'delivery',
    'api',
  ]),
);
const sendableNative = createSendable(Type.Pick(IncomingNativeSchema, ['api']));
const sendableAttributes = createSendable(BannerSchema.properties.battr);

/**
 * The Imp object that describes a slot in the given formats, complete but for what differs from
 * partner to partner (`bidfloor`, `pmp`). Identity and media come from the ad space; what the
 * publisher's request may override comes from there.
 */
export function describeImp(slot: Slot, formats: number): Imp {
  const { incoming, space, imp } = slot;
  const described: Imp = {
    id: imp.id,
    tagid: String(space.adSpace.id),
    instl: imp.interstitial ? 1 : 0,
    secure: imp.secure ? 1 : 0,
    // Empty where no SDK sends the request (spec, section 2.4).
    displaymanagerver: '',
    ...sendableImp(incoming),
  };
  if ((formats & FORMAT_BANNER) !== 0) described.banner = describeBanner(slot);
  if ((formats & FORMAT_VIDEO) !== 0) described.video = describeVideo(slot);
  if ((formats & FORMAT_NATIVE) !== 0) described.native = describeNative(slot);
  return described;
}

/** One format object: the first size asked for that the ad space allows. */
function describeBanner({ imp, incoming, space }: Slot): Banner {
  const [size] = imp.bannerSizes;
  if (size === undefined)
    throw new Error(`ad space ${space.adSpace.id} has a banner without sizes`);
  return {
    w: size.w,
    h: size.h,
    format: [{ w: size.w, h: size.h }],
    ...sendableBanner(incoming.banner),
    ...blockedAttributes(imp),
    ...definedField('pos', space.adSpace.pos),
  };
}

function describeVideo({ imp, incoming, space }: Slot): Video {
  const settings = space.adSpace.video;
  if (settings === null) throw new Error(`ad space ${space.adSpace.id} takes no video`);
  const { startdelay, placement, skip, ...player } = settings;
  const playsVast3 = incoming.video?.protocols?.some((protocol) => VAST_3.includes(protocol));
  const video: Video = {
    mimes: VIDEO_MIMES,
    protocols: playsVast3 === true ? [...VAST_2, ...VAST_3] : VAST_2,
    ...player,
    ...definedField('startdelay', startdelay),
    ...definedField('placement', placement),
    ...definedField('skip', skip),
    ...sendableVideo(incoming.video),
    ...blockedAttributes(imp),
    ...definedField('pos', space.adSpace.pos),
    // Present only where it says something (spec, section 2.7).
    ...(space.adSpace.rewarded ? { ext: { rewarded: 1 } } : {}),
  };
  // A bound of the publisher's that turns a range around is none: the ad space's range stands.
  const { minduration, maxduration, minbitrate, maxbitrate } = settings;
  const { minbitrate: lowest = minbitrate, maxbitrate: highest = maxbitrate } = video;
  return {
    ...video,
    ...(video.minduration > video.maxduration ? { minduration, maxduration } : {}),
    ...(lowest > highest ? { minbitrate, maxbitrate } : {}),
  };
}

function describeNative({ imp, incoming, space }: Slot): Native {
  const settings = space.adSpace.native;
  if (settings === null) throw new Error(`ad space ${space.adSpace.id} takes no native`);
  return {
    request: nativeRequest(settings),
    ver: '1.1',
    ...sendableNative(incoming.native),
    ...blockedAttributes(imp),
  };
}

/** A publisher may block attributes that list 5.3 does not name; no bidder is told of them. */
function blockedAttributes({ blocking }: AuctionImp): { battr?: number[] } {
  return definedField('battr', sendableAttributes(blocking.attributes));
}

/** The native request of an ad space (spec, section 2.20), as the string that `native.request` is. */
function nativeRequest(settings: NativeSettings): string {
  const assets: object[] = [];
  const add = (id: number, asset: object): void => {
    assets.push({ id, required: 1, ...asset });
  };
  if (settings.title !== null) add(NATIVE_ASSET.title, { title: { len: settings.title } });
  if (settings.icon !== null) add(NATIVE_ASSET.icon, { img: image(1, settings.icon) });
  if (settings.image !== null) add(NATIVE_ASSET.image, { img: image(3, settings.image) });
  if (settings.description !== null) {
    add(NATIVE_ASSET.description, { data: { type: DATA_DESCRIPTION, len: settings.description } });
  }
  if (settings.cta !== null) {
    add(NATIVE_ASSET.cta, { data: { type: DATA_CTA, len: settings.cta } });
  }
  return JSON.stringify({ ver: '1.1', plcmttype: 1, plcmtcnt: 1, seq: 0, assets });
}

function image(type: 1 | 3, { w, h }: Size): object {
  return { type, w, h };
}
