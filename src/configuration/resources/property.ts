import type { Property } from '../../snapshot/entities.ts';
import { domainColumn, jsonColumn } from '../columns.ts';
import { showValue } from '../finding.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { NOTHING_BLOCKED, blockingColumns, blockingDocument, blockingEntity } from './blocking.ts';
import { floorFaults, floorRules } from './floors.ts';
import type { AppInput, SiteInput } from './property-schema.ts';

type Settings = Omit<Row<'properties'>, 'id' | 'publisher_id' | 'type'>;

const NEW: Settings = {
  name: '',
  status: 'ACTIVE',
  bundle: null,
  domain: null,
  platform: null,
  storeurl: null,
  categories: '[]',
  languages: '[]',
  floors: '[]',
  ...NOTHING_BLOCKED,
};

/** An app of a publisher; its id can be no site's, and it never moves to another publisher. */
export function planApp(plan: Plan, element: Element<AppInput>, publisherId: number): void {
  const { input, path, unsound } = element;
  const stored = plan.state.properties.get(input.id);
  if (stored === undefined) plan.require(element, ['name', 'bundle']);
  const before = stored ?? NEW;
  const next: Row<'properties'> = {
    ...shared(input, before),
    id: input.id,
    publisher_id: publisherId,
    type: 'app',
    bundle: input.bundle ?? before.bundle,
    platform: input.platform === undefined ? before.platform : input.platform,
    storeurl: input.storeurl === undefined ? before.storeurl : input.storeurl,
    domain: domainColumn(input.domain, before.domain),
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
  if (stored === undefined) plan.require(element, ['name', 'domain']);
  const before = stored ?? NEW;
  const next: Row<'properties'> = {
    ...shared(input, before),
    id: input.id,
    publisher_id: publisherId,
    type: 'site',
    bundle: null,
    platform: null,
    storeurl: null,
    domain: domainColumn(input.domain, before.domain),
  };
  saveProperty(plan, element, { stored, next });
}

/** An app or a site as the exchange works with it. */
export function propertyEntity(row: Row<'properties'>): Property {
  return {
    kind: 'property',
    id: row.id,
    publisherId: row.publisher_id,
    type: row.type,
    name: row.name,
    status: row.status,
    bundle: row.bundle,
    domain: row.domain,
    platform: row.platform,
    storeurl: row.storeurl,
    categories: JSON.parse(row.categories),
    languages: JSON.parse(row.languages),
    floors: floorRules(row.floors),
    blocking: blockingEntity(row),
  };
}

/** An app in the form that people write. */
export function appDocument(row: Row<'properties'>): Required<AppInput> {
  return {
    ...sharedDocument(row),
    bundle: row.bundle ?? '',
    platform: row.platform,
    storeurl: row.storeurl,
    domain: row.domain,
  };
}

/** A site in the form that people write. */
export function siteDocument(row: Row<'properties'>): Required<SiteInput> {
  return { ...sharedDocument(row), domain: row.domain ?? '' };
}

function sharedDocument(row: Row<'properties'>) {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    categories: JSON.parse(row.categories),
    languages: JSON.parse(row.languages),
    floors: JSON.parse(row.floors),
    ...blockingDocument(row),
  };
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

function shared(input: AppInput | SiteInput, before: Settings) {
  return {
    name: input.name ?? before.name,
    status: input.status ?? before.status,
    categories: jsonColumn(input.categories, before.categories),
    languages: jsonColumn(input.languages, before.languages),
    floors: jsonColumn(input.floors, before.floors),
    ...blockingColumns(input, before),
  };
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
