import type { Kysely } from 'kysely';
import type { Entity } from '../snapshot/entities.ts';
import type { SnapshotVersion } from '../snapshot/snapshot.ts';
import { loadReviews } from './creative-reviews.ts';
import { adSpaceEntity } from './resources/ad-space.ts';
import { creativeReviewEntity } from './resources/creative-review.ts';
import { dealEntity } from './resources/deal.ts';
import { demandPartnerEntity } from './resources/demand-partner.ts';
import { exchangeEntity } from './resources/exchange.ts';
import { lineItemEntity } from './resources/line-item.ts';
import { propertyEntity } from './resources/property.ts';
import { publisherEntity } from './resources/publisher.ts';
import type { Database } from './schema.ts';
import { loadResources, readOnly, type Resources, type Row } from './state.ts';

/** One state of the configuration, as the exchange works with it. */
export interface CompiledSnapshot {
  readonly version: SnapshotVersion;
  readonly entities: readonly Entity[];
}

/**
 * Compiles what the store holds into the entities of a snapshot, all from one state, each kind in
 * order of id. What is archived is left out, and so is all that belongs to it.
 */
export async function compileSnapshot(db: Kysely<Database>): Promise<CompiledSnapshot> {
  const { resources, reviews } = await readOnly(db, async (transaction) => ({
    resources: await loadResources(transaction),
    reviews: await loadReviews(transaction),
  }));
  const entities = [
    exchangeEntity(resources.exchange),
    ...demandEntities(resources),
    ...supplyEntities(resources),
    ...reviewEntities(resources, reviews),
  ];
  return { version: resources.version, entities };
}

function demandEntities(resources: Resources): Entity[] {
  const { demandPartners, stoppedBidders, bidders, lineItems, deals } = resources;
  const partners = live(demandPartners);
  const partnerIds = idsOf(partners);
  return [
    ...partners.map((row) =>
      demandPartnerEntity(row, bidders.get(row.id), stoppedBidders.has(row.id)),
    ),
    ...live(lineItems)
      .filter((row) => partnerIds.has(row.demand_partner_id))
      .map((row) => lineItemEntity(row)),
    ...live(deals).map((row) => dealEntity(row)),
  ];
}

function supplyEntities({ publishers, properties, adSpaces }: Resources): Entity[] {
  const livePublishers = live(publishers);
  const publisherIds = idsOf(livePublishers);
  const liveProperties = live(properties).filter((row) => publisherIds.has(row.publisher_id));
  const propertyIds = idsOf(liveProperties);
  return [
    ...livePublishers.map((row) => publisherEntity(row)),
    ...liveProperties.map((row) => propertyEntity(row)),
    ...live(adSpaces)
      .filter((row) => propertyIds.has(row.property_id))
      .map((row) => adSpaceEntity(row)),
  ];
}

/** A review of what is archived is about nothing. */
function reviewEntities(
  { publishers, demandPartners }: Resources,
  reviews: readonly Row<'creative_reviews'>[],
): Entity[] {
  const publisherIds = idsOf(live(publishers));
  const partnerIds = idsOf(live(demandPartners));
  return reviews
    .filter(({ publisher_id: id }) => id === 0 || publisherIds.has(id))
    .filter(({ demand_partner_id: id }) => id === 0 || partnerIds.has(id))
    .map((row) => creativeReviewEntity(row));
}

function live<Each extends { readonly status: string }>(rows: ReadonlyMap<unknown, Each>): Each[] {
  return [...rows.values()].filter(({ status }) => status !== 'ARCHIVED');
}

function idsOf(rows: readonly { readonly id: number }[]): ReadonlySet<number> {
  return new Set(rows.map(({ id }) => id));
}
