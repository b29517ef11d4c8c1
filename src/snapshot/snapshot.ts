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

/** The configuration as an exchange process holds it: immutable, indexed by what a request names. */
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
  /** By ad space id. */
  readonly deals: ReadonlyMap<number, readonly Deal[]>;
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
        this.#adSpaces.set(String(entity.id), entity);
        break;
      case 'deal':
        for (const adSpaceId of entity.adSpaceIds) append(this.#deals, adSpaceId, entity);
        break;
      case 'creativeReview':
        this.#creativeReviews.push(entity);
        break;
    }
  }

  /** Throws when the entities do not make a whole: a snapshot is taken or refused, never half. */
  build(): Snapshot {
    if (this.#exchange === undefined) throw new Error('snapshot has no exchange settings');
    for (const adSpace of this.#adSpaces.values()) {
      const property = this.#properties.get(adSpace.propertyId);
      if (property === undefined || !this.#publishers.has(property.publisherId)) {
        throw new Error(`snapshot has ad space ${adSpace.id} without its property or publisher`);
      }
    }
    for (const items of this.#lineItems.values()) items.sort((a, b) => a.id - b.id);
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

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
