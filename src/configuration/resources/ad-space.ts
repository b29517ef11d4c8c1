import { BASIS_POINTS, dollarsFromMicros } from '../../base/money.ts';
import type { AdSpace, Refresh } from '../../snapshot/entities.ts';
import { flagColumn, jsonColumn, microsColumn } from '../columns.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import type { Json } from '../schema.ts';
import { bannerSettings, formatFaults, nativeSettings, videoSettings } from './ad-space-formats.ts';
import { NOTHING_BLOCKED, blockingColumns, blockingDocument, blockingEntity } from './blocking.ts';
import { backfillFaults, backfillSettings } from './backfill.ts';
import { floorFaults, floorRules } from './floors.ts';
import type { AdSpaceInput } from './ad-space-schema.ts';
import type { RefreshInput } from './refresh-schema.ts';

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
  viewability_bps: null,
  exp: null,
  iframebusters: '[]',
  floors: '[]',
  refresh: null,
  backfill: null,
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
  plan.findAll(path, floorFaults(input.floors));
  plan.findAll(path, backfillFaults(adSpaceEntity(next), element.unsound));
  const names = { noun: 'ad space', name: input.id, document: adSpaceDocument };
  plan.state.adSpaces.set(next.id, plan.save({ table: 'ad_spaces', stored, next, path, ...names }));
}

/** An ad space as the exchange works with it: sizes as numbers, video with its defaults. */
export function adSpaceEntity(row: Row<'ad_spaces'>): AdSpace {
  return {
    kind: 'adSpace',
    id: row.id,
    propertyId: row.property_id,
    name: row.name,
    status: row.status,
    banner: bannerSettings(JSON.parse(row.banner ?? 'null')),
    video: videoSettings(JSON.parse(row.video ?? 'null')),
    native: nativeSettings(JSON.parse(row.native ?? 'null')),
    floorMicros: row.floor_micros,
    floors: floorRules(row.floors),
    auctionType: row.auction_type,
    interstitial: row.interstitial === 1,
    rewarded: row.rewarded === 1,
    pos: row.pos,
    viewability: row.viewability_bps === null ? null : row.viewability_bps / BASIS_POINTS,
    exp: row.exp,
    iframebusters: JSON.parse(row.iframebusters),
    refresh: refreshSettings(row.refresh),
    backfill: backfillSettings(row.backfill),
    blocking: blockingEntity(row),
  };
}

/** An ad space in the form that people write. */
export function adSpaceDocument(row: Row<'ad_spaces'>): Required<AdSpaceInput> {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    banner: JSON.parse(row.banner ?? 'null'),
    video: JSON.parse(row.video ?? 'null'),
    native: JSON.parse(row.native ?? 'null'),
    floor: dollarsFromMicros(row.floor_micros),
    floors: JSON.parse(row.floors),
    auction: row.auction_type,
    interstitial: row.interstitial === 1,
    rewarded: row.rewarded === 1,
    pos: row.pos,
    viewability: row.viewability_bps === null ? null : row.viewability_bps / BASIS_POINTS,
    exp: row.exp,
    iframebusters: JSON.parse(row.iframebusters),
    refresh: JSON.parse(row.refresh ?? 'null'),
    backfill: JSON.parse(row.backfill ?? 'null'),
    ...blockingDocument(row),
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
    viewability_bps: basisPoints(input.viewability, before.viewability_bps),
    exp: input.exp === undefined ? before.exp : input.exp,
    iframebusters: jsonColumn(input.iframebusters, before.iframebusters),
    floors: jsonColumn(input.floors, before.floors),
    refresh: jsonColumn(input.refresh, before.refresh),
    backfill: jsonColumn(input.backfill, before.backfill),
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
  for (const { key, message } of formatFaults(input.video ?? null, input.native ?? null)) {
    plan.find([...path, key], message);
  }
}

function basisPoints(share: number | null | undefined, before: number | null): number | null {
  if (share === undefined || share === null) return share === null ? null : before;
  return Math.round(share * BASIS_POINTS);
}

/** The limits as the exchange works with them. */
function refreshSettings(column: Json | null): Refresh | null {
  if (column === null) return null;
  const refresh: RefreshInput = JSON.parse(column);
  return { minSeconds: refresh.min_seconds, maxPerPage: refresh.max_per_page ?? null };
}
