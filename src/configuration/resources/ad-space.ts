import Type, { type Static } from 'typebox';
import type { AdSpace, NativeSettings, Size, VideoSettings } from '../../snapshot/entities.ts';
import { flagColumn, jsonColumn, microsColumn } from '../columns.ts';
import {
  FLOOR,
  ID,
  NAME,
  SIZE,
  STATUS,
  YES_OR_NO,
  listOfSome,
  mapping,
  nullable,
  whole,
} from '../fields.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { BLOCKING_KEYS, NOTHING_BLOCKED, blockingColumns, blockingEntity } from './blocking.ts';

const PIXELS_MAX = 99_999;
const SECONDS_MAX = 86_400;
const KBPS_MAX = 1_000_000;
const CHARACTERS_MAX = 10_000;

const BANNER = mapping('banner', { sizes: listOfSome(SIZE, 'sizes', 50) });

/** Keys are named and valued as in OpenRTB's Video object (section 2.7). */
const VIDEO = mapping('video', {
  w: whole(1, PIXELS_MAX),
  h: whole(1, PIXELS_MAX),
  minduration: Type.Optional(whole(0, SECONDS_MAX, ' (seconds)')),
  maxduration: Type.Optional(whole(1, SECONDS_MAX, ' (seconds)')),
  minbitrate: Type.Optional(whole(0, KBPS_MAX, ' (kbps)')),
  maxbitrate: Type.Optional(whole(1, KBPS_MAX, ' (kbps)')),
  linearity: Type.Optional(whole(1, 2, ', from OpenRTB list 5.7')),
  startdelay: Type.Optional(nullable(whole(-2, SECONDS_MAX, ', from OpenRTB list 5.12'))),
  placement: Type.Optional(nullable(whole(1, 5, ', from OpenRTB list 5.9'))),
  skip: Type.Optional(nullable(whole(0, 1))),
});

const ASSET_LENGTH = nullable(whole(1, CHARACTERS_MAX, ' (characters)'));

const NATIVE = mapping('native', {
  title: Type.Optional(ASSET_LENGTH),
  icon: Type.Optional(nullable(SIZE)),
  image: Type.Optional(nullable(SIZE)),
  description: Type.Optional(ASSET_LENGTH),
  cta: Type.Optional(ASSET_LENGTH),
});

/** A place for an ad in an app or on a site. */
export const AdSpaceSchema = mapping('an ad space', {
  id: ID,
  name: Type.Optional(NAME),
  status: Type.Optional(STATUS),
  banner: Type.Optional(nullable(BANNER)),
  video: Type.Optional(nullable(VIDEO)),
  native: Type.Optional(nullable(NATIVE)),
  floor: Type.Optional(FLOOR),
  auction: Type.Optional(
    Type.Enum(['second_price', 'first_price'], { description: 'second_price or first_price' }),
  ),
  interstitial: Type.Optional(YES_OR_NO),
  rewarded: Type.Optional(YES_OR_NO),
  pos: Type.Optional(nullable(whole(0, 7, ', from OpenRTB list 5.4'))),
  ...BLOCKING_KEYS,
});

export type AdSpaceInput = Static<typeof AdSpaceSchema>;

type Settings = Omit<Row<'ad_spaces'>, 'id' | 'property_id'>;

const NEW: Settings = {
  name: '',
  status: 'ACTIVE',
  banner: null,
  video: null,
  native: null,
  floor_micros: 0,
  auction_type: 'second_price',
  interstitial: 0,
  rewarded: 0,
  pos: null,
  ...NOTHING_BLOCKED,
};

/** An ad space of an app or site, to which it belongs for good. */
export function planAdSpace(plan: Plan, element: Element<AdSpaceInput>, propertyId: number): void {
  const { input, path } = element;
  const stored = plan.state.adSpaces.get(input.id);
  if (stored === undefined) plan.require(element, ['name']);
  else if (stored.property_id !== propertyId) {
    const owner = plan.state.properties.get(stored.property_id);
    const place = `${owner?.type ?? 'property'} ${stored.property_id}`;
    plan.find([...path, 'id'], `is taken: ad space ${input.id} belongs to ${place}`);
    return;
  }
  const next: Row<'ad_spaces'> = {
    id: input.id,
    property_id: propertyId,
    ...settings(input, stored ?? NEW),
  };
  checkFormats(plan, element, next);
  const names = { noun: 'ad space', name: input.id };
  plan.state.adSpaces.set(next.id, plan.save({ table: 'ad_spaces', stored, next, path, ...names }));
}

/** An ad space as the exchange works with it: sizes as numbers, video with its defaults. */
export function adSpaceEntity(row: Row<'ad_spaces'>): AdSpace {
  const banner: Static<typeof BANNER> | null = JSON.parse(row.banner ?? 'null');
  return {
    kind: 'adSpace',
    id: row.id,
    propertyId: row.property_id,
    name: row.name,
    status: row.status,
    banner: banner === null ? null : { sizes: banner.sizes.map((size) => sizeOf(size)) },
    video: videoSettings(JSON.parse(row.video ?? 'null')),
    native: nativeSettings(JSON.parse(row.native ?? 'null')),
    floorMicros: row.floor_micros,
    auctionType: row.auction_type,
    interstitial: row.interstitial === 1,
    rewarded: row.rewarded === 1,
    pos: row.pos,
    blocking: blockingEntity(row),
  };
}

/** A format that is given replaces the one before as a whole; null takes it away. */
function settings(input: AdSpaceInput, before: Settings): Settings {
  return {
    name: input.name ?? before.name,
    status: input.status ?? before.status,
    banner: jsonColumn(input.banner, before.banner),
    video: jsonColumn(input.video, before.video),
    native: jsonColumn(input.native, before.native),
    floor_micros: microsColumn(input.floor, before.floor_micros),
    auction_type: input.auction ?? before.auction_type,
    interstitial: flagColumn(input.interstitial, before.interstitial),
    rewarded: flagColumn(input.rewarded, before.rewarded),
    pos: input.pos === undefined ? before.pos : input.pos,
    ...blockingColumns(input, before),
  };
}

function checkFormats(
  plan: Plan,
  { path, unsound, input }: Element<AdSpaceInput>,
  next: Row<'ad_spaces'>,
): void {
  const hasFormat = next.banner !== null || next.video !== null || next.native !== null;
  const isKnown = !['banner', 'video', 'native'].some((format) => unsound.has(format));
  if (isKnown && !hasFormat) plan.find(path, 'needs a format: banner, video or native');
  const video = videoSettings(input.video ?? null);
  if (video !== null && video.minduration > video.maxduration) {
    const range = `${video.minduration} to ${video.maxduration} seconds`;
    plan.find([...path, 'video'], `must allow some duration, found ${range}`);
  }
  if (video !== null && video.minbitrate > video.maxbitrate) {
    const range = `${video.minbitrate} to ${video.maxbitrate} kbps`;
    plan.find([...path, 'video'], `must allow some bitrate, found ${range}`);
  }
  const native = nativeSettings(input.native ?? null);
  if (native !== null && Object.values(native).every((asset) => asset === null)) {
    plan.find([...path, 'native'], 'needs an asset: title, icon, image, description or cta');
  }
}

/** With the defaults of section 2.7. */
function videoSettings(video: Static<typeof VIDEO> | null): VideoSettings | null {
  if (video === null) return null;
  return {
    w: video.w,
    h: video.h,
    minduration: video.minduration ?? 5,
    maxduration: video.maxduration ?? 60,
    minbitrate: video.minbitrate ?? 250,
    maxbitrate: video.maxbitrate ?? 4_000,
    linearity: video.linearity ?? 1,
    startdelay: video.startdelay ?? null,
    placement: video.placement ?? null,
    skip: video.skip ?? null,
  };
}

function nativeSettings(native: Static<typeof NATIVE> | null): NativeSettings | null {
  if (native === null) return null;
  const { icon = null, image = null } = native;
  return {
    title: native.title ?? null,
    icon: icon === null ? null : sizeOf(icon),
    image: image === null ? null : sizeOf(image),
    description: native.description ?? null,
    cta: native.cta ?? null,
  };
}

function sizeOf(size: string): Size {
  const [w = '', h = ''] = size.split('x');
  return { w: Number(w), h: Number(h) };
}
