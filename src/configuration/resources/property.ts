import {
  APP_FIELDS,
  SITE_FIELDS,
  type AppInput,
  type SiteInput,
} from '../../resources/property.ts';
import type { Property } from '../../snapshot/entities.ts';
import { showValue } from '../finding.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { floorFaults } from './floors.ts';

/** An app of a publisher; its id can be no site's, and it never moves to another publisher. */
export function planApp(plan: Plan, element: Element<AppInput>, publisherId: number): void {
  const { input, path, unsound } = element;
  const stored = plan.state.properties.get(input.id);
  if (stored === undefined) plan.require(element, APP_FIELDS.needed);
  const next: Row<'properties'> = {
    id: input.id,
    publisher_id: publisherId,
    type: 'app',
    ...APP_FIELDS.row(input, stored ?? APP_FIELDS.initial),
  };
  const expected = unsound.has('bundle') || unsound.has('platform') ? null : bundleFault(next);
  if (expected !== null) {
    plan.find([...path, 'bundle'], `must be ${expected}, found ${showValue(next.bundle)}`);
  }
  saveProperty(plan, element, { stored, next });
}

/** A site of a publisher, under the same rules. */
export function planSite(plan: Plan, element: Element<SiteInput>, publisherId: number): void {
  const { input } = element;
  const stored = plan.state.properties.get(input.id);
  if (stored === undefined) plan.require(element, SITE_FIELDS.needed);
  const next: Row<'properties'> = {
    ...APP_FIELDS.initial,
    id: input.id,
    publisher_id: publisherId,
    type: 'site',
    ...SITE_FIELDS.row(input, stored ?? SITE_FIELDS.initial),
  };
  saveProperty(plan, element, { stored, next });
}

/** An app or a site as the exchange works with it. */
export function propertyEntity(row: Row<'properties'>): Property {
  const { id, publisher_id: publisherId, type } = row;
  return { kind: 'property', id, publisherId, type, ...APP_FIELDS.entity(row) };
}

/** An app in the form that people write. */
export function appDocument(row: Row<'properties'>): Required<AppInput> {
  return { id: row.id, ...APP_FIELDS.document(row) };
}

/** A site in the form that people write. */
export function siteDocument(row: Row<'properties'>): Required<SiteInput> {
  return { id: row.id, ...SITE_FIELDS.document(row) };
}

function saveProperty(
  plan: Plan,
  { input, path }: Element<AppInput | SiteInput>,
  { stored, next }: { stored: Row<'properties'> | undefined; next: Row<'properties'> },
): void {
  if (
    stored !== undefined &&
    (stored.publisher_id !== next.publisher_id || stored.type !== next.type)
  ) {
    const owner = `the ${stored.type} of publisher ${stored.publisher_id}`;
    plan.find([...path, 'id'], `is taken: ${input.id} is ${owner}`);
    return;
  }
  plan.findAll(path, floorFaults(input.floors));
  const document = next.type === 'app' ? appDocument : siteDocument;
  const names = { noun: next.type, name: input.id, document };
  plan.state.properties.set(
    next.id,
    plan.save({ table: 'properties', stored, next, path, ...names }),
  );
}

/** What the bundle of an app's platform should be (OpenRTB 2.5 section 3.2.14); null if it is. */
function bundleFault({ bundle, platform }: Row<'properties'>): string | null {
  if (bundle === null) return null;
  if (platform === 'iOS' && !/^[0-9]+$/.test(bundle)) {
    return 'the numeric App Store id of an iOS app, in quotes';
  }
  if (platform === 'Android' && !/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(bundle)) {
    return 'the package name of an Android app, such as com.example.reader';
  }
  return null;
}
