import type { TimeSlices } from '../base/slices.ts';
import type {
  AdSpace,
  CreativeReview,
  Deal,
  DemandPartner,
  Entity,
  ExchangeSettings,
  LineItem,
  Property,
  Publisher,
} from './entities.ts';
import {
  adSpaceKey,
  byId,
  checkOwners,
  dealKeys,
  type Snapshot,
  type SnapshotVersion,
} from './snapshot.ts';

/**
 * The next version of a snapshot: first hears what goes and what comes, then copies the maps and lists
 * that this touches, and shares all others.
 */
export class SnapshotEdit {
  readonly #before: Snapshot;
  #exchange: ExchangeSettings | undefined;
  readonly #demandPartners = new MapEdit<number, DemandPartner>();
  readonly #lineItems = new ListsEdit<number, LineItem>();
  readonly #publishers = new MapEdit<number, Publisher>();
  readonly #properties = new MapEdit<number, Property>();
  readonly #adSpaces = new MapEdit<string, AdSpace>();
  readonly #deals = new ListsEdit<number, Deal>();
  readonly #creativeReviews = new ListsEdit<string, CreativeReview>();

  constructor(before: Snapshot) {
    this.#before = before;
    this.#exchange = before.exchange;
  }

  /** Takes an entity out, as it is in the snapshot. What is changed is taken out and added again. */
  remove(entity: Entity): void {
    switch (entity.kind) {
      case 'exchange':
        this.#exchange = undefined;
        break;
      case 'demandPartner':
        this.#demandPartners.gone.add(entity.id);
        break;
      case 'lineItem':
        this.#lineItems.remove(entity.demandPartnerId, entity);
        break;
      case 'publisher':
        this.#publishers.gone.add(entity.id);
        break;
      case 'property':
        this.#properties.gone.add(entity.id);
        break;
      case 'adSpace':
        this.#adSpaces.gone.add(adSpaceKey(entity));
        break;
      case 'deal':
        for (const adSpaceId of dealKeys(entity)) this.#deals.remove(adSpaceId, entity);
        break;
      case 'creativeReview':
        this.#creativeReviews.remove(ALL, entity);
        break;
    }
  }

  add(entity: Entity): void {
    switch (entity.kind) {
      case 'exchange':
        if (this.#exchange !== undefined) throw new Error('delta has a second exchange');
        this.#exchange = entity;
        break;
      case 'demandPartner':
        this.#demandPartners.came.set(entity.id, entity);
        break;
      case 'lineItem':
        this.#lineItems.add(entity.demandPartnerId, entity);
        break;
      case 'publisher':
        this.#publishers.came.set(entity.id, entity);
        break;
      case 'property':
        this.#properties.came.set(entity.id, entity);
        break;
      case 'adSpace':
        this.#adSpaces.came.set(adSpaceKey(entity), entity);
        break;
      case 'deal':
        for (const adSpaceId of dealKeys(entity)) this.#deals.add(adSpaceId, entity);
        break;
      case 'creativeReview':
        this.#creativeReviews.add(ALL, entity);
        break;
      default:
        throw new Error('a delta has an entity of an unknown kind');
    }
  }

  /** Throws when what goes was not there, what comes is there already, or the result is no whole. */
  async build(version: SnapshotVersion, slices: TimeSlices): Promise<Snapshot> {
    const before = this.#before;
    const exchange = this.#exchange;
    if (exchange === undefined) throw new Error('delta leaves no exchange settings');
    const reviews = new Map([[ALL, before.creativeReviews]]);
    const after = {
      version,
      exchange,
      demandPartners: await this.#demandPartners.apply(before.demandPartners, slices),
      lineItems: await this.#lineItems.apply(before.lineItems, slices),
      publishers: await this.#publishers.apply(before.publishers, slices),
      properties: await this.#properties.apply(before.properties, slices),
      adSpaces: await this.#adSpaces.apply(before.adSpaces, slices),
      deals: await this.#deals.apply(before.deals, slices),
      creativeReviews: (await this.#creativeReviews.apply(reviews, slices)).get(ALL) ?? [],
    };
    const ownersChanged =
      after.publishers !== before.publishers || after.properties !== before.properties;
    const unchecked = ownersChanged ? after.adSpaces : this.#adSpaces.came;
    for (const adSpace of unchecked.values()) {
      checkOwners(adSpace, after);
      if (slices.isOver) await slices.next();
    }
    return after;
  }
}

/** All creative reviews are one list. */
const ALL = '';

/** What happens to a map with one entity for each key. */
class MapEdit<Key, Value> {
  readonly gone = new Set<Key>();
  readonly came = new Map<Key, Value>();

  async apply(
    before: ReadonlyMap<Key, Value>,
    slices: TimeSlices,
  ): Promise<ReadonlyMap<Key, Value>> {
    if (this.gone.size === 0 && this.came.size === 0) return before;
    const after = await copyOf(before, slices);
    for (const key of this.gone) {
      if (!after.delete(key)) throw new Error(`delta removes ${String(key)}, which is not there`);
    }
    for (const [key, value] of this.came) {
      if (after.has(key)) throw new Error(`delta adds ${String(key)}, which is there already`);
      after.set(key, value);
    }
    return after;
  }
}

/** What happens to a map with a list for each key, in order of id. */
class ListsEdit<Key, Value extends { readonly id: number | string }> {
  readonly #gone = new Map<Key, Set<Value['id']>>();
  readonly #came = new Map<Key, Value[]>();

  remove(key: Key, { id }: Value): void {
    this.#touch(key).gone.add(id);
  }

  add(key: Key, value: Value): void {
    this.#touch(key).came.push(value);
  }

  async apply(
    before: ReadonlyMap<Key, readonly Value[]>,
    slices: TimeSlices,
  ): Promise<ReadonlyMap<Key, readonly Value[]>> {
    if (this.#gone.size === 0) return before;
    const after = await copyOf(before, slices);
    for (const [key, gone] of this.#gone) {
      const came = this.#came.get(key) ?? [];
      const list = await editList(before.get(key) ?? [], { gone, came }, slices);
      if (list.length > 0) after.set(key, list);
      else after.delete(key);
    }
    return after;
  }

  #touch(key: Key): { readonly gone: Set<Value['id']>; readonly came: Value[] } {
    const gone = this.#gone.get(key) ?? new Set();
    const came = this.#came.get(key) ?? [];
    this.#gone.set(key, gone);
    this.#came.set(key, came);
    return { gone, came };
  }
}

/** The list is in order of id, and stays so. */
async function editList<Value extends { readonly id: number | string }>(
  before: readonly Value[],
  { gone, came }: { readonly gone: ReadonlySet<Value['id']>; readonly came: readonly Value[] },
  slices: TimeSlices,
): Promise<readonly Value[]> {
  const after: Value[] = [];
  const coming = came.toSorted(byId);
  let next = 0;
  let left = gone.size;
  const comeUntil = (id: Value['id'] | null): void => {
    for (; next < coming.length; next += 1) {
      const value = coming[next];
      if (value === undefined || (id !== null && value.id >= id)) return;
      after.push(value);
    }
  };
  for (const value of before) {
    comeUntil(value.id);
    if (gone.has(value.id)) left -= 1;
    else if (coming[next]?.id === value.id) {
      throw new Error(`delta adds ${value.id}, which is there already`);
    } else after.push(value);
    if (slices.isOver) await slices.next();
  }
  comeUntil(null);
  if (left > 0) throw new Error(`delta removes ${[...gone].join(', ')}, not all of which is there`);
  return after;
}

async function copyOf<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  slices: TimeSlices,
): Promise<Map<Key, Value>> {
  const copy = new Map<Key, Value>();
  for (const [key, value] of map) {
    copy.set(key, value);
    if (slices.isOver) await slices.next();
  }
  return copy;
}
