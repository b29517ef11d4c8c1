import { blockedDomains, canonicalCategories } from '../auction/canonical-bid.ts';
import { floorsFor } from '../auction/floors.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO, formatNames } from '../auction/formats.ts';
import type { AuctionImp } from '../auction/offer.ts';
import { BASIS_POINTS, microsFromDollars } from '../base/money.ts';
import { jsonPointer, type Checked, type Problem } from '../base/problem.ts';
import { BidRequestSchema } from '../openrtb/bid-request.ts';
import { primaryLanguages } from '../openrtb/later-fields.ts';
import { createSendable } from '../openrtb/sendable.ts';
import { VideoProtocol } from '../openrtb/video-lists.ts';
import type { IncomingImp, IncomingRequest } from '../openrtb/incoming-request.ts';
import type { Blocking, Property, Publisher } from '../snapshot/entities.ts';
import { bannerSizesOf } from './banner-sizes.ts';
import { uniteBlocking, type Market, type Space } from './market.ts';
import { nativeOfferOf, type NativeOffer } from './native-offer.ts';
import { offerMedia, type OfferedMedia } from './offered-media.ts';
import { playerMimes } from './player-mimes.ts';

/** VAST 2.0 and its wrapper, always; the 3.0 pair when the publisher's player takes it. */
const VAST_2: readonly number[] = [VideoProtocol.Vast2, VideoProtocol.Vast2Wrapper];
const VAST_3: readonly number[] = [VideoProtocol.Vast3, VideoProtocol.Vast3Wrapper];
const VAST_2_AND_3 = [...VAST_2, ...VAST_3];

const sendableLanguages = createSendable(BidRequestSchema.properties.wlang);

/** One impression of the publisher's request, brought together with its ad space. */
export interface Slot {
  readonly incoming: IncomingImp;
  readonly space: Space;
  /** What bid requests say of its media. */
  readonly offered: OfferedMedia;
  /** What a native ad has to bring; null where none fits. */
  readonly native: NativeOffer | null;
  /** `imp.secure`; undefined where nobody knows whether the page is secure. */
  readonly secure: 0 | 1 | undefined;
  readonly imp: AuctionImp;
}

/** Where a request comes from. */
export interface Origin {
  /** Whether it or its page came over HTTPS. */
  readonly secure: boolean;
  /** ISO 3166-1 alpha-2; decides floors. Null when nobody knows. */
  readonly country: string | null;
  /** The device's, which decides what its player shows; left out when nobody knows. */
  readonly os?: string | null;
}

/**
 * Finds the ad space of each impression. Identity comes from configuration alone: what the request
 * says of publisher, app or site must agree with it, and all impressions belong to the same one,
 * also where the request names none. What belongs to somebody else answers exactly like what does
 * not exist. An impression of audio alone has no slot.
 */
export function findSlots(
  request: IncomingRequest,
  market: Market,
  origin: Origin,
): Checked<Slot[]> {
  const problems: Problem[] = [];
  const slots: Slot[] = [];
  const blocked = requestBlocking(request);
  const languages = sendableLanguages(request.wlang) ?? primaryLanguages(request.wlangb ?? []);
  const united = new Map<Blocking, Blocking>();
  let property: Property | null = null;
  for (const [index, incoming] of request.imp.entries()) {
    if (formatsOf(incoming) === 0) continue;
    const found = findSpace(request, market, { index, tagid: incoming.tagid, property });
    if ('message' in found) {
      problems.push(found);
      continue;
    }
    property = found.property;
    const native = nativeFor(incoming, found, jsonPointer('imp', index, 'native', 'request'));
    if (native !== null && !native.ok) {
      problems.push(...native.problems);
      continue;
    }
    const formats = found.formats & formatsOf(incoming);
    if (formats === 0) {
      problems.push({
        pointer: jsonPointer('imp', index),
        message: `ad space ${incoming.tagid} takes ${formatNames(found.formats)}; the impression offers ${formatNames(formatsOf(incoming))}`,
      });
      continue;
    }
    const blocking = blocked === null ? found.blocking : unite(found, blocked);
    slots.push(
      slotOf(
        { incoming, space: found, formats, native: native?.value ?? null, number: slots.length },
        { market, origin, languages, blockedSeats: request.bseat ?? NOTHING, blocking },
      ),
    );
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: slots };

  /** Long lists are united once for all impressions that start from the same. */
  function unite({ blocking }: Space, more: Blocking): Blocking {
    const both = united.get(blocking) ?? uniteBlocking(blocking, more);
    united.set(blocking, both);
    return both;
  }
}

/** An impression that has its ad space, and what of that is for sale. */
interface PlacedImp {
  readonly incoming: IncomingImp;
  readonly space: Space;
  /** Bit mask of what both offer. */
  readonly formats: number;
  readonly native: NativeOffer | null;
  /** Its place among the slots. */
  readonly number: number;
}

/** What holds for it besides. */
interface SlotTerms {
  readonly market: Market;
  readonly origin: Origin;
  /** The request's; those of the property where it names none. */
  readonly languages: readonly string[];
  readonly blockedSeats: readonly string[];
  /** Without what the impression itself blocks. */
  readonly blocking: Blocking;
}

function slotOf({ incoming, space, formats, native, number }: PlacedImp, terms: SlotTerms): Slot {
  const { market, origin, languages, blockedSeats, blocking } = terms;
  const { adSpace, property } = space;
  const { floorMicros, formatFloors } = floorsFor(space.floors, {
    country: origin.country,
    formats,
    leastMicros: leastFloorOf(incoming, space),
  });
  const offered = offerMedia(incoming, adSpace);
  const secure = secureOf(incoming, origin.secure);
  const mimes = playerMimes({ incoming, space }, origin.os ?? null);
  return {
    incoming,
    space,
    offered,
    native,
    secure,
    imp: {
      slot: number,
      id: String(number + 1),
      floorMicros,
      formatFloors,
      firstPrice: adSpace.auctionType === 'first_price',
      formats,
      bannerSizes: bannerSizesOf(incoming.banner, adSpace.banner?.sizes ?? []),
      interstitial: adSpace.interstitial || incoming.instl === 1,
      secure: secure === 1,
      blocking: blockingOf(incoming, blocking),
      protocols: protocolsOf(incoming),
      native: native?.request ?? null,
      languages: languages.length > 0 ? languages : property.languages,
      creativeRules: space.creativeRules,
      blockedSeats,
      banner: offered.banner,
      video: offered.video === null ? null : { ...offered.video, mimes },
      nativeTerms: offered.native,
      requirements: market.snapshot.exchange.bidRequirements,
    },
  };
}

/** Which ad space an impression names, and to what the impressions before it belong. */
interface Named {
  readonly index: number;
  readonly tagid: string;
  readonly property: Property | null;
}

function findSpace(request: IncomingRequest, market: Market, named: Named): Space | Problem {
  const { index, tagid } = named;
  const space = market.space(tagid);
  const media = space?.property.type === 'app' ? request.app : request.site;
  const publisherId = media?.publisher?.id;
  if (
    space === undefined ||
    media === undefined ||
    (named.property !== null && named.property !== space.property) ||
    (media.id !== undefined && media.id !== String(space.property.id)) ||
    (publisherId !== undefined && !isIdOf(publisherId, space.publisher))
  ) {
    const owner = request.app === undefined ? 'site' : 'app';
    return {
      pointer: jsonPointer('imp', index, 'tagid'),
      message: `there is no ad space "${tagid}" in this ${owner}; tagid is the id of an ad space of the ${owner} and publisher that the request names`,
    };
  }
  const { adSpace, property, publisher } = space;
  if ([adSpace, property, publisher].some((entity) => entity.status !== 'ACTIVE')) {
    const pointer = jsonPointer('imp', index, 'tagid');
    return { pointer, message: `ad space "${tagid}" is not active` };
  }
  return space;
}

function isIdOf(id: string, publisher: Publisher): boolean {
  return id === String(publisher.id) || publisher.aliases.includes(id);
}

function formatsOf(imp: IncomingImp): number {
  return (
    (imp.banner === undefined ? 0 : FORMAT_BANNER) |
    (imp.video === undefined ? 0 : FORMAT_VIDEO) |
    (imp.native === undefined ? 0 : FORMAT_NATIVE)
  );
}

/** Null where no native ad fits. */
function nativeFor(
  { native }: IncomingImp,
  { native: own }: Space,
  pointer: string,
): Checked<NativeOffer> | null {
  return native === undefined || own === null
    ? null
    : nativeOfferOf(native.request, { own, pointer });
}

/** As the request says; else 1 where it came over HTTPS, because such a page blocks other assets. */
function secureOf({ secure }: IncomingImp, isOriginSecure: boolean): 0 | 1 | undefined {
  if (secure === 0 || secure === 1) return secure;
  return isOriginSecure ? 1 : undefined;
}

/** The floor of all formats, the higher of ad space's and request's. A request's floor is compared on the basis of the publisher's prices. */
function leastFloorOf(imp: IncomingImp, space: Space): number {
  const own = space.adSpace.floorMicros;
  if (imp.bidfloor === undefined || imp.bidfloor === 0) return own;
  return Math.max(own, grossFloor(microsFromDollars(imp.bidfloor), space.publisher));
}

/**
 * The lowest price whose share for the publisher reaches its floor. Where its share is nothing no
 * price does; such a floor is taken for the buyer's.
 */
function grossFloor(floorMicros: number, publisher: Publisher): number {
  if (publisher.priceBasis === 'gross' || publisher.revenueShareBps === 0) return floorMicros;
  return Math.ceil((floorMicros * BASIS_POINTS) / publisher.revenueShareBps);
}

/** A player that takes VAST 3.0 takes 2.0 as well (spec, section 2.7). */
function protocolsOf({ video }: IncomingImp): readonly number[] {
  const { protocol, protocols = [] } = video ?? {};
  const takesVast3 = VAST_3.some((each) => each === protocol || protocols.includes(each));
  return takesVast3 ? VAST_2_AND_3 : VAST_2;
}

const NOTHING: readonly never[] = [];

/** What the request as a whole blocks; null when it blocks nothing. */
function requestBlocking({ bcat, badv, bapp }: IncomingRequest): Blocking | null {
  if (bcat === undefined && badv === undefined && bapp === undefined) return null;
  return {
    categories: canonicalCategories(bcat ?? NOTHING),
    advertisers: blockedDomains(badv ?? NOTHING),
    apps: filled(bapp),
    attributes: NOTHING,
  };
}

/** An empty text blocks nothing, and must not be sent. */
function filled(texts: readonly string[] | undefined): readonly string[] {
  if (texts === undefined) return NOTHING;
  return texts.includes('') ? texts.filter((text) => text !== '') : texts;
}

/** What is blocked already, and the attributes that the impression blocks. */
function blockingOf({ banner, video, native }: IncomingImp, blocked: Blocking): Blocking {
  let blocking = blocked;
  for (const attributes of [banner?.battr, video?.battr, native?.battr]) {
    if (attributes === undefined || attributes.length === 0) continue;
    const more = { categories: NOTHING, advertisers: NOTHING, apps: NOTHING, attributes };
    blocking = uniteBlocking(blocking, more);
  }
  return blocking;
}
