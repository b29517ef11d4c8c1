import { definedField } from '../base/fields.ts';
import type { Video } from '../openrtb/video.ts';
import { videoMimes, type Audience } from './biddable.ts';
import type { Slot } from './slots.ts';

/** The Video object without what is blocked. */
export function describeVideo(slot: Slot, audience: Audience): Video {
  const { imp, offered, space } = slot;
  const { adSpace } = space;
  if (adSpace.video === null || offered.video === null) {
    throw new Error(`ad space ${adSpace.id} takes no video`);
  }
  return {
    mimes: videoMimes(slot, audience),
    protocols: [...imp.protocols],
    ...offered.video,
    ...definedField('pos', adSpace.pos),
    // Only where it says something (spec, section 2.7).
    ...(adSpace.video.outstream ? { ext: { outstream: 1 } } : {}),
  };
}
