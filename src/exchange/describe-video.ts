import Type from 'typebox';
import { definedField, listField, unlessEmpty } from '../base/fields.ts';
import type { Banner } from '../openrtb/banner.ts';
import { IncomingVideoSchema } from '../openrtb/incoming-request.ts';
import { createSendable } from '../openrtb/sendable.ts';
import type { Video } from '../openrtb/video.ts';
import type { AdSpace, VideoSettings } from '../snapshot/entities.ts';
import { videoMimes, type Audience } from './biddable.ts';
import type { Slot } from './slots.ts';

const sendableVideo = createSendable(
  Type.Pick(IncomingVideoSchema, [
    'minduration',
    'maxduration',
    'minbitrate',
    'maxbitrate',
    'linearity',
    'startdelay',
    'placement',
    'w',
    'h',
    'sequence',
    'maxextended',
    'boxingallowed',
    'playbackmethod',
    'playbackend',
    'delivery',
    'api',
  ]),
);
const sendableDelivery = createSendable(IncomingVideoSchema.properties.deliver);

/** The Video object without what is blocked: the ad space's settings, overridden by the request. */
export function describeVideo(slot: Slot, audience: Audience): Video {
  const { imp, incoming, space } = slot;
  const { adSpace } = space;
  const settings = adSpace.video;
  if (settings === null) throw new Error(`ad space ${adSpace.id} takes no video`);
  const video: Video = {
    mimes: videoMimes(slot, audience),
    protocols: [...imp.protocols],
    ...describePlayer(settings),
    // The name that `delivery` has in 2.2.
    ...definedField('delivery', sendableDelivery(incoming.video?.deliver)),
    ...sendableVideo(incoming.video),
    ...definedField('pos', adSpace.pos),
    ...describeExt(adSpace, settings),
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

function describePlayer(settings: VideoSettings) {
  return {
    w: settings.w,
    h: settings.h,
    minduration: settings.minduration,
    maxduration: settings.maxduration,
    minbitrate: settings.minbitrate,
    maxbitrate: settings.maxbitrate,
    linearity: settings.linearity,
    ...definedField('startdelay', settings.startdelay),
    ...definedField('placement', settings.placement),
    ...definedField('skip', settings.skip),
    ...definedField('skipmin', settings.skipmin),
    ...definedField('skipafter', settings.skipafter),
    ...definedField('maxextended', settings.maxextended),
    ...definedField('boxingallowed', settings.boxingallowed),
    ...listField('playbackmethod', settings.playbackmethod),
    ...definedField('playbackend', settings.playbackend),
    ...listField('delivery', settings.delivery),
    ...listField('api', settings.api),
    ...listField('companionad', describeCompanions(settings)),
    ...listField('companiontype', settings.companiontype),
  };
}

/** Each with an id, so that a bidder can tell them apart (spec, section 2.6). */
function describeCompanions({ companionad, vcm }: VideoSettings): Banner[] {
  return companionad.map(({ w, h }, index) => ({
    id: String(index + 1),
    w,
    h,
    ...definedField('vcm', vcm),
  }));
}

/** Present only where it says something (spec, section 2.7). */
function describeExt({ rewarded }: AdSpace, { outstream }: VideoSettings): Pick<Video, 'ext'> {
  const ext = unlessEmpty({
    ...(rewarded ? { rewarded: 1 } : {}),
    ...(outstream ? { outstream: 1 } : {}),
  });
  return ext === undefined ? {} : { ext };
}
