import Type from 'typebox';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../auction/formats.ts';
import type { AuctionImp, Offer } from '../auction/offer.ts';
import { definedField } from '../base/fields.ts';
import { BannerSchema, type Banner } from '../openrtb/banner.ts';
import type { Imp } from '../openrtb/bid-request.ts';
import { ImpSchema, MetricSchema, type Metric } from '../openrtb/imp.ts';
import type { Native } from '../openrtb/native.ts';
import { createSendable } from '../openrtb/sendable.ts';
import type { Bidder } from '../snapshot/entities.ts';
import { bannerMimes, type Audience } from './biddable.ts';
import { describeVideo } from './describe-video.ts';
import type { Slot } from './slots.ts';

/** The technology that renders video and the ads of apps (spec, section 2.4: a fixed identifier). */
const DISPLAY_MANAGER = 'rialto';
/** Who says how likely an impression is seen, where the publisher names nobody (section 2.5). */
const METRIC_VENDOR = 'EXCHANGE';

/** What a publisher's request may say of an impression, whose ad space settles the rest. */
const sendableImp = createSendable(
  Type.Pick(ImpSchema, ['clickbrowser', 'exp', 'iframebuster', 'ssai', 'rwdd']),
);
const sendableVersion = createSendable(ImpSchema.properties.displaymanagerver);
const sendableMetric = createSendable(MetricSchema);
const sendableAttributes = createSendable(BannerSchema.properties.battr);

/**
 * The Imp object that describes an offer, complete but for what differs from partner to partner
 * (`bidfloor`, `pmp`). Identity and media come from the ad space; what the publisher's request may
 * override comes from there. Equal audiences get equal descriptions: see `audienceKey`.
 */
export function describeImp(
  slot: Slot,
  { imp, formats }: Pick<Offer, 'imp' | 'formats'>,
  audience: Audience,
): Imp {
  const { incoming, space } = slot;
  const described: Imp = {
    id: imp.id,
    tagid: String(space.adSpace.id),
    instl: imp.interstitial ? 1 : 0,
    ...definedField('secure', slot.secure),
    ...sendableImp(incoming),
    ...(space.adSpace.rewarded ? { rwdd: 1 } : {}),
  };
  const { exp, iframebusters } = space.adSpace;
  if (exp !== null) described.exp ??= exp;
  if (iframebusters.length > 0) described.iframebuster ??= [...iframebusters];
  const metric = audience.bidder.sendViewability ? describeViewability(slot) : null;
  if (metric !== null) described.metric = [metric];
  if ((formats & FORMAT_VIDEO) !== 0 || space.property.type === 'app') {
    described.displaymanager = DISPLAY_MANAGER;
    // Empty where no SDK sends the request.
    described.displaymanagerver = sendableVersion(incoming.displaymanagerver) ?? '';
  }
  if ((formats & FORMAT_BANNER) !== 0) described.banner = describeBanner(slot, audience.bidder);
  if ((formats & FORMAT_VIDEO) !== 0) {
    described.video = { ...describeVideo(slot, audience), ...blockedAttributes(imp) };
  }
  if ((formats & FORMAT_NATIVE) !== 0) described.native = describeNative(slot);
  return described;
}

/** What descriptions depend on beside slot, offer and device. Most bidders share one. */
export function audienceKey({ openrtbVersion, mimes, sendViewability }: Bidder): string {
  if (mimes === null) return sendViewability ? `${openrtbVersion} metric` : openrtbVersion;
  return `${openrtbVersion}${sendViewability ? ' metric' : ''} ${mimes.join(' ')}`;
}

/** Where the ad space shares it: the publisher's own figure for the impression, else the ad space's. */
function describeViewability({ incoming, space }: Slot): Metric | null {
  const value = space.adSpace.viewability;
  if (value === null) return null;
  for (const metric of incoming.metric ?? []) {
    const sent = sendableMetric(metric);
    if (sent !== undefined) return { ...sent, vendor: sent.vendor ?? METRIC_VENDOR };
  }
  return { type: 'viewability', value, vendor: METRIC_VENDOR };
}

/** One format object (spec, section 2.6): the first size, though a bid may have any of them. */
function describeBanner(slot: Slot, bidder: Bidder): Banner {
  const { imp, offered, space } = slot;
  const [size] = imp.bannerSizes;
  if (size === undefined) {
    throw new Error(`ad space ${space.adSpace.id} has a banner without sizes`);
  }
  const banner: Banner = {
    w: size.w,
    h: size.h,
    format: [{ w: size.w, h: size.h }],
    ...offered.banner,
    ...blockedAttributes(imp),
    ...definedField('pos', space.adSpace.pos),
  };
  const mimes = bannerMimes(slot, bidder);
  if (mimes !== null) banner.mimes = mimes;
  return banner;
}

function describeNative({ imp, offered, space, native }: Slot): Native {
  if (native === null) throw new Error(`ad space ${space.adSpace.id} takes no native`);
  return {
    request: native.text,
    ver: '1.1',
    ...offered.native,
    ...blockedAttributes(imp),
  };
}

/** A publisher may block attributes that list 5.3 does not name; no bidder is told of them. */
function blockedAttributes({ blocking }: AuctionImp): { battr?: number[] } {
  return definedField('battr', sendableAttributes(blocking.attributes));
}
