import {
  Device22Schema,
  Imp22Schema,
  Site22Schema,
  User22Schema,
  type Device22,
  type Imp22,
  type Site22,
  type User22,
} from '../openrtb/bid-request-22.ts';
import { definedField } from '../base/fields.ts';
import type { Banner } from '../openrtb/banner.ts';
import type { Imp } from '../openrtb/bid-request.ts';
import { createSendable } from '../openrtb/sendable.ts';
import { VideoProtocol } from '../openrtb/video-lists.ts';
import type { Video } from '../openrtb/video.ts';
import type { Site } from '../openrtb/site.ts';
import type { BidderDevice, BidderUser } from '../privacy/apply-effects.ts';

/**
 * What OpenRTB 2.2 does not know, taken away from the 2.5 objects (spec, section 10). A bidder of
 * version 2.2 gets a request that has nothing but 2.2 in it: what its schemas do not name is gone.
 */
const sendableImp = createSendable(Imp22Schema);
const sendableSite = createSendable(Site22Schema);
const sendableDevice = createSendable(Device22Schema);
const sendableUser = createSendable(User22Schema);

export function impTo22(imp: Imp): Imp22 {
  const { banner, video, native } = imp;
  const described = sendableImp({
    ...imp,
    banner: banner === undefined || imp.instl !== 1 ? banner : rangeUpTo(banner),
    video: video === undefined ? undefined : playerIn22(video),
    ext: native === undefined ? undefined : { native },
  });
  if (described === undefined) throw new Error(`impression ${imp.id} cannot be said in 2.2`);
  return described;
}

/** An interstitial takes what is not larger than its size. */
function rangeUpTo(banner: Banner): Banner {
  const { w, h } = banner;
  return { ...banner, ...definedField('wmax', w), ...definedField('hmax', h) };
}

/** VAST 2.0 is what the player takes in any case, so it is the one protocol for who reads but one. */
function playerIn22(video: Video): object {
  return { ...video, protocol: VideoProtocol.Vast2, deliver: video.delivery };
}

export function siteTo22(site: Site): Site22 | undefined {
  return sendableSite(site);
}

export function deviceTo22(device: BidderDevice): Device22 | undefined {
  return sendableDevice({ ...device, dnt: trackingIn22(device) });
}

export function userTo22(user: BidderUser | undefined): User22 | undefined {
  return sendableUser(user);
}

/** 2.2 knows one flag for "do not track": either of the two later ones sets it. */
function trackingIn22({ lmt, dnt }: Pick<BidderDevice, 'lmt' | 'dnt'>): number | undefined {
  return lmt === 1 || dnt === 1 ? 1 : (dnt ?? lmt);
}
