import Type, { type Static } from 'typebox';
import { definedField, listField } from '../base/fields.ts';
import { BannerSchema, type Banner } from '../openrtb/banner.ts';
import { IncomingNativeSchema, IncomingVideoSchema } from '../openrtb/incoming-request.ts';
import type { IncomingImp } from '../openrtb/incoming-request.ts';
import { createSendable } from '../openrtb/sendable.ts';
import type { AdSpace } from '../snapshot/entities.ts';
import type { VideoSettings } from '../resources/formats.ts';

/**
 * What an impression offers of each medium, whoever is asked: the ad space's settings, overridden by
 * what the publisher's request says of its own impression. Bidders are told it, and their creatives held against it.
 */
export interface OfferedMedia {
  readonly banner: OfferedBanner | null;
  readonly video: OfferedVideo | null;
  readonly native: OfferedNative | null;
}

const sendableVideo = createSendable(
  Type.Pick(IncomingVideoSchema, [
    'minduration',
    'maxduration',
    'minbitrate',
    'maxbitrate',
    'linearity',
    'startdelay',
    'placement',
    'plcmt',
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

const OFFERED_BANNER = Type.Pick(BannerSchema, ['api', 'topframe', 'btype', 'expdir']);
const sendableBanner = createSendable(OFFERED_BANNER);
const OFFERED_NATIVE = Type.Pick(IncomingNativeSchema, ['api']);
const sendableNative = createSendable(OFFERED_NATIVE);

type OfferedBanner = Pick<Banner, 'api' | 'topframe' | 'btype' | 'expdir'>;
type OfferedNative = Partial<Static<typeof OFFERED_NATIVE>>;
export type OfferedVideo = ReturnType<typeof offerVideo>;

export function offerMedia(incoming: IncomingImp, adSpace: AdSpace): OfferedMedia {
  const { banner, video, native } = adSpace;
  return {
    banner: banner === null ? null : offerBanner(incoming, banner.api),
    video: video === null ? null : offerVideo(incoming, video),
    native: native === null ? null : (sendableNative(incoming.native) ?? NOTHING),
  };
}

const NOTHING = {};

function offerBanner({ banner }: IncomingImp, api: readonly number[]): OfferedBanner {
  const sent = sendableBanner(banner);
  if (api.length === 0 || sent?.api !== undefined) return sent ?? NOTHING;
  return { ...sent, api: [...api] };
}

function offerVideo(incoming: IncomingImp, settings: VideoSettings) {
  const asked = sendableVideo(incoming.video) ?? NOTHING_ASKED;
  const [minduration, maxduration] = rangeOf(
    [asked.minduration, asked.maxduration],
    [settings.minduration, settings.maxduration],
  );
  const [minbitrate, maxbitrate] = rangeOf(
    [asked.minbitrate, asked.maxbitrate],
    [settings.minbitrate, settings.maxbitrate],
  );
  // What the ad space lets a video run over is over its own limit, and widens none of the request's.
  const isLimitOfRequest = maxduration === asked.maxduration;
  return {
    ...describePlayer(settings),
    ...definedField('maxextended', isLimitOfRequest ? null : settings.maxextended),
    // The name that `delivery` has in 2.2.
    ...definedField('delivery', sendableDelivery(incoming.video?.deliver)),
    ...asked,
    minduration,
    maxduration,
    minbitrate,
    maxbitrate,
  };
}

const NOTHING_ASKED: NonNullable<ReturnType<typeof sendableVideo>> = {};

type Range<Bound> = readonly [least: Bound, most: Bound];

/**
 * The bounds of the request, and of the ad space's those that do not conflict with them: where one does,
 * there is no least, and the most is the request's own least. A request whose bounds contradict each
 * other says nothing.
 */
function rangeOf(
  [askedLeast, askedMost]: Range<number | undefined>,
  [least, most]: Range<number>,
): Range<number> {
  const isTurned = (askedLeast ?? 0) > (askedMost ?? Infinity);
  if (isTurned) return [least, most];
  if (askedMost !== undefined) return [askedLeast ?? (least > askedMost ? 0 : least), askedMost];
  if (askedLeast !== undefined) return [askedLeast, Math.max(askedLeast, most)];
  return [least, most];
}

function describePlayer(settings: VideoSettings) {
  return {
    w: settings.w,
    h: settings.h,
    linearity: settings.linearity,
    ...definedField('startdelay', settings.startdelay),
    ...definedField('placement', settings.placement),
    ...definedField('skip', settings.skip),
    ...definedField('skipmin', settings.skipmin),
    ...definedField('skipafter', settings.skipafter),
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
