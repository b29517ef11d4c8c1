import { FORMAT_BANNER, FORMAT_VIDEO } from '../auction/formats.ts';
import {
  Device22Schema,
  Imp22Schema,
  Site22Schema,
  User22Schema,
  type Imp22,
  type Site22,
} from '../openrtb/bid-request-22.ts';
import type { Imp } from '../openrtb/bid-request.ts';
import { createSendable } from '../openrtb/sendable.ts';
import type { Site } from '../openrtb/site.ts';
import type { BidderDevice } from '../privacy/apply-effects.ts';
import type { Person } from './describe-person.ts';

/**
 * What OpenRTB 2.2 does not know, taken away from the 2.5 objects (spec, section 10). A bidder of
 * version 2.2 gets a request that has nothing but 2.2 in it: what its schemas do not name is gone.
 */
const sendableImp = createSendable(Imp22Schema);
const sendableSite = createSendable(Site22Schema);
const sendableDevice = createSendable(Device22Schema);
const sendableUser = createSendable(User22Schema);

/** The formats that an impression has a place for in 2.2; native has none of its own. */
export const BIDDABLE_IN_22 = FORMAT_BANNER | FORMAT_VIDEO;

export function impTo22(imp: Imp): Imp22 {
  const { video } = imp;
  const named =
    video?.delivery === undefined ? imp : { ...imp, video: { ...video, deliver: video.delivery } };
  const described = sendableImp(named);
  if (described === undefined) throw new Error(`impression ${imp.id} cannot be said in 2.2`);
  return described;
}

export function siteTo22(site: Site): Site22 | undefined {
  return sendableSite(site);
}

export function personTo22({ device, user, regs }: Person): object {
  return {
    device: sendableDevice({ ...device, dnt: trackingIn22(device) }),
    user: sendableUser(user),
    regs,
  };
}

/** 2.2 knows one flag for "do not track": either of the two later ones sets it. */
function trackingIn22({ lmt, dnt }: Pick<BidderDevice, 'lmt' | 'dnt'>): number | undefined {
  return lmt === 1 || dnt === 1 ? 1 : (dnt ?? lmt);
}
