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

/**
 * Which state of the configuration a snapshot shows. `seq` counts the changes of one store;
 * `epoch` names the store, so that a rebuilt or restored store is never mistaken for an older one.
 */
export interface SnapshotVersion {
  readonly epoch: string;
  readonly seq: number;
}

/**
 * The configuration as an exchange process holds it: immutable, indexed by what a request names.
 * Successive versions share what is the same in both (see `delta.ts`). The order of a map's entries
 * means nothing.
 */
export interface Snapshot {
  readonly version: SnapshotVersion;
  readonly exchange: ExchangeSettings;
  readonly demandPartners: ReadonlyMap<number, DemandPartner>;
  /** By demand partner id, in ascending order of line item id. */
  readonly lineItems: ReadonlyMap<number, readonly LineItem[]>;
  readonly publishers: ReadonlyMap<number, Publisher>;
  readonly properties: ReadonlyMap<number, Property>;
  /** By the id as `imp.tagid` carries it. */
  readonly adSpaces: ReadonlyMap<string, AdSpace>;
  /** By ad space id, in ascending order of deal id. */
  readonly deals: ReadonlyMap<number, readonly Deal[]>;
  /** In ascending order of id. */
  readonly creativeReviews: readonly CreativeReview[];
}

export function versionKey(version: SnapshotVersion): string {
  return `${version.epoch}.${version.seq}`;
}

/**
 * Collects entities one at a time, so that a process can build a large snapshot in short slices
 * between auctions.
 */
export class SnapshotBuilder {
  readonly #version: SnapshotVersion;
  #exchange: ExchangeSettings | undefined;
  readonly #demandPartners = new Map<number, DemandPartner>();
  readonly #lineItems = new Map<number, LineItem[]>();
  readonly #publishers = new Map<number, Publisher>();
  readonly #properties = new Map<number, Property>();
  readonly #adSpaces = new Map<string, AdSpace>();
  readonly #deals = new Map<number, Deal[]>();
  readonly #creativeReviews: CreativeReview[] = [];

  constructor(version: SnapshotVersion) {
    this.#version = version;
  }

  add(entity: Entity): void {
    switch (entity.kind) {
      case 'exchange':
        this.#exchange = entity;
        break;
      case 'demandPartner':
        this.#demandPartners.set(entity.id, entity);
        break;
      case 'lineItem':
        append(this.#lineItems, entity.demandPartnerId, entity);
        break;
      case 'publisher':
        this.#publishers.set(entity.id, entity);
        break;
      case 'property':
        this.#properties.set(entity.id, entity);
        break;
      case 'adSpace':
        this.#adSpaces.set(adSpaceKey(entity), entity);
        break;
      case 'deal':
        for (const adSpaceId of dealKeys(entity)) append(this.#deals, adSpaceId, entity);
        break;
      case 'creativeReview':
        this.#creativeReviews.push(entity);
        break;
      default:
        throw new Error('a snapshot has an entity of an unknown kind');
    }
  }

  /** Throws when the entities do not make a whole: a snapshot is taken or refused, never half. */
  build(): Snapshot {
    if (this.#exchange === undefined) throw new Error('snapshot has no exchange settings');
    const owners = { properties: this.#properties, publishers: this.#publishers };
    for (const adSpace of this.#adSpaces.values()) checkOwners(adSpace, owners);
    for (const items of this.#lineItems.values()) items.sort(byId);
    for (const deals of this.#deals.values()) deals.sort(byId);
    this.#creativeReviews.sort(byId);
    return {
      version: this.#version,
      exchange: this.#exchange,
      demandPartners: this.#demandPartners,
      lineItems: this.#lineItems,
      publishers: this.#publishers,
      properties: this.#properties,
      adSpaces: this.#adSpaces,
      deals: this.#deals,
      creativeReviews: this.#creativeReviews,
    };
  }
}

/** As `imp.tagid` carries it. */
export function adSpaceKey({ id }: AdSpace): string {
  return String(id);
}

/** The ad spaces that a deal is for, each once. */
export function dealKeys({ adSpaceIds }: Deal): ReadonlySet<number> {
  return new Set(adSpaceIds);
}

/** Throws for an ad space that belongs to nobody. */
export function checkOwners(
  { id, propertyId }: AdSpace,
  { properties, publishers }: Pick<Snapshot, 'properties' | 'publishers'>,
): void {
  const property = properties.get(propertyId);
  if (property === undefined || !publishers.has(property.publisherId)) {
    throw new Error(`snapshot has ad space ${id} without its property or publisher`);
  }
}

/** The order of every list of a snapshot, so that it does not tell how the snapshot came about. */
export function byId<Id extends number | string>(
  one: { readonly id: Id },
  other: { readonly id: Id },
): number {
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
