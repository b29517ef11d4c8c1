import { AD_SPACE, type AdSpaceInput } from '../../resources/ad-space.ts';
import type { AdSpace } from '../../snapshot/entities.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { formatFaults } from './ad-space-formats.ts';
import { backfillFaults } from './backfill.ts';
import { floorFaults } from './floors.ts';

/** An ad space of an app or site, to which it belongs for good. */
export function planAdSpace(plan: Plan, element: Element<AdSpaceInput>, propertyId: number): void {
  const { input, path } = element;
  const stored = plan.state.adSpaces.get(input.id);
  if (stored === undefined) plan.require(element, AD_SPACE.needed);
  else if (stored.property_id !== propertyId) {
    const owner = plan.state.properties.get(stored.property_id);
    const place = `${owner?.type ?? 'property'} ${stored.property_id}`;
    plan.find([...path, 'id'], `is taken: ad space ${input.id} belongs to ${place}`);
    return;
  }
  const next: Row<'ad_spaces'> = {
    id: input.id,
    property_id: propertyId,
    ...AD_SPACE.row(input, stored ?? AD_SPACE.initial),
  };
  checkFormats(plan, element, next);
  plan.findAll(path, floorFaults(input.floors));
  plan.findAll(path, backfillFaults(adSpaceEntity(next), element.unsound));
  const names = { noun: 'ad space', name: input.id, document: adSpaceDocument };
  plan.state.adSpaces.set(next.id, plan.save({ table: 'ad_spaces', stored, next, path, ...names }));
}

/** An ad space as the exchange works with it: sizes as numbers, video with its defaults. */
export function adSpaceEntity(row: Row<'ad_spaces'>): AdSpace {
  return { kind: 'adSpace', id: row.id, propertyId: row.property_id, ...AD_SPACE.entity(row) };
}

/** An ad space in the form that people write. */
export function adSpaceDocument(row: Row<'ad_spaces'>): Required<AdSpaceInput> {
  return { id: row.id, ...AD_SPACE.document(row) };
}

function checkFormats(
  plan: Plan,
  { path, unsound, input }: Element<AdSpaceInput>,
  next: Row<'ad_spaces'>,
): void {
  const hasFormat = next.banner !== null || next.video !== null || next.native !== null;
  const isKnown = !['banner', 'video', 'native'].some((format) => unsound.has(format));
  if (isKnown && !hasFormat) plan.find(path, 'needs a format: banner, video or native');
  plan.findAll(path, formatFaults(input.video, input.native));
}
