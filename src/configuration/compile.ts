import type { Kysely } from 'kysely';
import { TimeSlices } from '../base/slices.ts';
import type { Entity } from '../snapshot/entities.ts';
import type { SnapshotVersion } from '../snapshot/snapshot.ts';
import { loadReviews } from './creative-reviews.ts';
import { loadKnownResources } from './known-state.ts';
import { adSpaceEntity } from './resources/ad-space.ts';
import { creativeReviewEntity } from './resources/creative-review.ts';
import { dealEntity } from './resources/deal.ts';
import { demandPartnerEntity } from './resources/demand-partner.ts';
import { exchangeEntity } from './resources/exchange.ts';
import { lineItemEntity } from './resources/line-item.ts';
import { propertyEntity } from './resources/property.ts';
import { publisherEntity } from './resources/publisher.ts';
import type { Database } from './schema.ts';
import { readOnly, type Resources, type Row } from './state.ts';

/** One state of the configuration, as the exchange works with it. */
export interface CompiledSnapshot {
  readonly version: SnapshotVersion;
  readonly entities: readonly Entity[];
}

/**
 * Compiles what the store holds into the entities of a snapshot, all from one state, each kind in
 * order of id. What is archived is left out, and so is all that belongs to it.
 *
 * @param pause runs between slices of the work, once the store has been read.
 */
export async function compileSnapshot(
  db: Kysely<Database>,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<CompiledSnapshot> {
  const { resources, reviews } = await readOnly(db, async (transaction) => ({
    resources: await loadKnownResources(db, transaction),
    reviews: await loadReviews(transaction),
  }));
  const entities: Entity[] = [];
  const slices = new TimeSlices(pause);
  for (const entity of entitiesOf(resources, reviews)) {
    entities.push(entity);
    if (slices.isOver) await slices.next();
  }
  return { version: resources.version, entities };
}

function* entitiesOf(
  resources: Resources,
  reviews: readonly Row<'creative_reviews'>[],
): Generator<Entity, void, void> {
  yield exchangeEntity(resources.exchange);
  yield* demandEntities(resources);
  yield* supplyEntities(resources);
  yield* reviewEntities(resources, reviews);
}

function* demandEntities(resources: Resources): Generator<Entity, void, void> {
  const { demandPartners, stoppedBidders, bidders, lineItems, deals } = resources;
  const partners = live(demandPartners);
  const partnerIds = idsOf(partners);
  for (const row of partners) {
    yield demandPartnerEntity(row, bidders.get(row.id), stoppedBidders.has(row.id));
  }
  for (const row of live(lineItems)) {
    if (partnerIds.has(row.demand_partner_id)) yield lineItemEntity(row);
  }
  for (const row of live(deals)) yield dealEntity(row);
}

function* supplyEntities({
  publishers,
  properties,
  adSpaces,
}: Resources): Generator<Entity, void, void> {
  const livePublishers = live(publishers);
  const publisherIds = idsOf(livePublishers);
  const liveProperties = live(properties).filter((row) => publisherIds.has(row.publisher_id));
  const propertyIds = idsOf(liveProperties);
  for (const row of livePublishers) yield publisherEntity(row);
  for (const row of liveProperties) yield propertyEntity(row);
  for (const row of live(adSpaces)) if (propertyIds.has(row.property_id)) yield adSpaceEntity(row);
}

/** A review of what is archived is about nothing. */
function* reviewEntities(
  { publishers, demandPartners }: Resources,
  reviews: readonly Row<'creative_reviews'>[],
): Generator<Entity, void, void> {
  const publisherIds = idsOf(live(publishers));
  const partnerIds = idsOf(live(demandPartners));
  for (const row of reviews) {
    const { publisher_id: publisherId, demand_partner_id: partnerId } = row;
    if (publisherId !== 0 && !publisherIds.has(publisherId)) continue;
    if (partnerId !== 0 && !partnerIds.has(partnerId)) continue;
    yield creativeReviewEntity(row);
  }
}

/** In order of id: what was made last stands last in what is known of the store, whatever its id. */
function live<Each extends { readonly id: string | number; readonly status: string }>(
  rows: ReadonlyMap<unknown, Each>,
): Each[] {
  return [...rows.values()]
    .filter(({ status }) => status !== 'ARCHIVED')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function idsOf(rows: readonly { readonly id: number }[]): ReadonlySet<number> {
  return new Set(rows.map(({ id }) => id));
}
