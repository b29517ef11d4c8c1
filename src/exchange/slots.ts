import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO, formatNames } from '../auction/formats.ts';
import type { AuctionImp } from '../auction/offer.ts';
import { BASIS_POINTS, microsFromDollars } from '../base/money.ts';
import { jsonPointer, type Checked, type Problem } from '../base/problem.ts';
import type { IncomingImp, IncomingRequest } from '../openrtb/incoming-request.ts';
import type { Blocking, Publisher, Size } from '../snapshot/entities.ts';
import { uniteBlocking, type Market, type Space } from './market.ts';

/** One impression of the publisher's request, brought together with its ad space. */
export interface Slot {
  readonly incoming: IncomingImp;
  readonly space: Space;
  readonly imp: AuctionImp;
}

/**
 * Finds the ad space of each impression. Identity comes from configuration alone: what the request
 * says of publisher, app or site must agree with it. What belongs to somebody else answers exactly
 * like what does not exist.
 */
export function findSlots(
  request: IncomingRequest,
  market: Market,
  secureDefault: boolean,
): Checked<Slot[]> {
  const problems: Problem[] = [];
  const slots: Slot[] = [];
  const blocked = requestBlocking(request);
  for (const [index, incoming] of request.imp.entries()) {
    const found = findSpace(request, incoming, market, index);
    if ('message' in found) {
      problems.push(found);
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
    slots.push({
      incoming,
      space: found,
      imp: {
        slot: index,
        id: String(index + 1),
        floorMicros: floorOf(incoming, found),
        firstPrice: found.adSpace.auctionType === 'first_price',
        formats,
        bannerSizes: bannerSizesOf(incoming, found),
        interstitial: found.adSpace.interstitial || incoming.instl === 1,
        secure: incoming.secure === undefined ? secureDefault : incoming.secure === 1,
        blocking: blockingOf(incoming, found, blocked),
      },
    });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: slots };
}

function findSpace(
  request: IncomingRequest,
  imp: IncomingImp,
  market: Market,
  index: number,
): Space | Problem {
  const pointer = jsonPointer('imp', index, 'tagid');
  const space = imp.tagid === undefined ? undefined : market.space(imp.tagid);
  const media = space?.property.type === 'app' ? request.app : request.site;
  const publisherId = media?.publisher?.id;
  if (
    space === undefined ||
    media === undefined ||
    (media.id !== undefined && media.id !== String(space.property.id)) ||
    (publisherId !== undefined && publisherId !== String(space.publisher.id))
  ) {
    const owner = request.app === undefined ? 'site' : 'app';
    return {
      pointer,
      message: `there is no ad space "${imp.tagid}" in this ${owner}; tagid is the id of an ad space of the ${owner} and publisher that the request names`,
    };
  }
  const { adSpace, property, publisher } = space;
  if ([adSpace, property, publisher].some((entity) => entity.status !== 'ACTIVE')) {
    return { pointer, message: `ad space "${imp.tagid}" is not active` };
  }
  return space;
}

function formatsOf(imp: IncomingImp): number {
  return (
    (imp.banner === undefined ? 0 : FORMAT_BANNER) |
    (imp.video === undefined ? 0 : FORMAT_VIDEO) |
    (imp.native === undefined ? 0 : FORMAT_NATIVE)
  );
}

/** The higher of both floors. A request's floor is compared on the basis of the publisher's prices. */
function floorOf(imp: IncomingImp, space: Space): number {
  const own = space.adSpace.floorMicros;
  if (imp.bidfloor === undefined || imp.bidfloor === 0) return own;
  return Math.max(own, grossFloor(microsFromDollars(imp.bidfloor), space.publisher));
}

/** The lowest price whose share for the publisher reaches its floor. */
function grossFloor(floorMicros: number, publisher: Publisher): number {
  if (publisher.priceBasis === 'gross' || publisher.revenueShareBps === 0) return floorMicros;
  return Math.ceil((floorMicros * BASIS_POINTS) / publisher.revenueShareBps);
}

/**
 * The sizes asked for that the ad space allows, in the order of the request; all of the ad space's
 * when the request asks for none of them.
 */
function bannerSizesOf(imp: IncomingImp, space: Space): readonly Size[] {
  const allowed = space.adSpace.banner?.sizes ?? [];
  const { banner } = imp;
  if (banner === undefined || allowed.length === 0) return [];
  const asked: Size[] = [];
  if (banner.w !== undefined && banner.h !== undefined) asked.push({ w: banner.w, h: banner.h });
  for (const { w, h } of banner.format ?? []) {
    if (w !== undefined && h !== undefined) asked.push({ w, h });
  }
  const fitting = asked.filter(({ w, h }) => allowed.some((size) => size.w === w && size.h === h));
  return fitting.length > 0 ? fitting : allowed;
}

const NOTHING: readonly never[] = [];

/** What the request as a whole blocks; null when it blocks nothing. */
function requestBlocking({ bcat, badv, bapp }: IncomingRequest): Blocking | null {
  if (bcat === undefined && badv === undefined && bapp === undefined) return null;
  return {
    categories: filled(bcat),
    advertisers: filled(badv),
    apps: filled(bapp),
    attributes: NOTHING,
  };
}

/** An empty text blocks nothing, and must not be sent. */
function filled(texts: readonly string[] | undefined): readonly string[] {
  if (texts === undefined) return NOTHING;
  return texts.includes('') ? texts.filter((text) => text !== '') : texts;
}

/** The ad space's own union is shared by all auctions; only a request that blocks more pays for one. */
function blockingOf(imp: IncomingImp, space: Space, blocked: Blocking | null): Blocking {
  const { banner, video, native } = imp;
  let blocking = blocked === null ? space.blocking : uniteBlocking(space.blocking, blocked);
  for (const attributes of [banner?.battr, video?.battr, native?.battr]) {
    if (attributes === undefined || attributes.length === 0) continue;
    const more = { categories: NOTHING, advertisers: NOTHING, apps: NOTHING, attributes };
    blocking = uniteBlocking(blocking, more);
  }
  return blocking;
}
