import { BannerSchema } from '../openrtb/banner.ts';
import { ApiFramework } from '../openrtb/creative-lists.ts';
import type { IncomingImp } from '../openrtb/incoming-request.ts';
import { createSendable } from '../openrtb/sendable.ts';
import type { Space } from './market.ts';

/** What a player of each kind shows when the publisher does not say. iOS has no WebM. */
const VIDEO_MIMES = ['video/mp4', 'video/webm'];
const VIDEO_MIMES_IOS = ['video/mp4'];
/** What VPAID 2.0 creatives are (spec, section 2.7: "per platform and VPAID 2 support"). */
const VPAID_2_MIME = 'application/javascript';

/** Content types as the exchange may send them. */
export const sendableMimes = createSendable(BannerSchema.properties.mimes);
const sendableApi = createSendable(BannerSchema.properties.api);

/** An impression with its ad space. */
interface Placed {
  readonly incoming: IncomingImp;
  readonly space: Space;
}

/**
 * The content types that a video player shows, whoever is asked: those of the request, else of the
 * platform.
 *
 * @param os of the device that shows the ad; null when it is unknown.
 */
export function playerMimes(placed: Placed, os: string | null): string[] {
  return sendableMimes(placed.incoming.video?.mimes) ?? mimesOfPlatform(placed, os);
}

function mimesOfPlatform(placed: Placed, os: string | null): string[] {
  const isIos = placed.space.property.platform === 'iOS' || os === 'iOS';
  const base = isIos ? VIDEO_MIMES_IOS : VIDEO_MIMES;
  return videoApi(placed).includes(ApiFramework.Vpaid2) ? [...base, VPAID_2_MIME] : base;
}

/** The frameworks that the player supports: as the request says, else as configured. */
function videoApi({ incoming, space }: Placed): readonly number[] {
  return sendableApi(incoming.video?.api) ?? space.adSpace.video?.api ?? [];
}
