import { definedField, unlessEmpty } from '../base/fields.ts';
import type { Video } from '../openrtb/video.ts';
import type { AdSpace } from '../snapshot/entities.ts';
import type { VideoSettings } from '../resources/formats.ts';
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
    ...describeExt(adSpace, adSpace.video),
  };
}

/** Present only where it says something (spec, section 2.7). */
function describeExt({ rewarded }: AdSpace, { outstream }: VideoSettings): Pick<Video, 'ext'> {
  const ext = unlessEmpty({
    ...(rewarded ? { rewarded: 1 } : {}),
    ...(outstream ? { outstream: 1 } : {}),
  });
  return ext === undefined ? {} : { ext };
}
