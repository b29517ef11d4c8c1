import type { Kysely } from 'kysely';
import type { AuditLine } from './audit-log.ts';
import type { Database } from './schema.ts';
import { SUBSCRIPTION_NOUNS } from './subscriptions.ts';

/** What a line of the audit log is about: as it is called now, and whose it is. */
export interface AuditSubject {
  readonly name: string;
  readonly demandPartnerId: number | null;
  readonly publisherId: number | null;
}

type Line = Pick<AuditLine, 'resource' | 'resourceId'>;
type Found = readonly (AuditSubject & { readonly id: number | string })[];

/** A part of an owner, such as its bidder or its account, is called by its owner's kind and id. */
const OWNER = /(demand partner|publisher) (\d+)$/;

/**
 * Looks up what lines of the audit log are about, all of a page together.
 *
 * @returns for a line null where it goes by its name already, as users do, and for what is gone.
 */
export async function readAuditSubjects(
  db: Kysely<Database>,
  lines: readonly Line[],
): Promise<(line: Line) => AuditSubject | null> {
  const found = new Map<string, AuditSubject>();
  for (const [kind, of] of Map.groupBy(lines.map(placeOf), ({ kind: each }) => each)) {
    const read = READERS[kind];
    if (read === undefined) continue;
    const rows = await read(db, [...new Set(of.map(({ id }) => id))]);
    for (const { id, ...subject } of rows) found.set(`${kind} ${id}`, subject);
  }
  return (line) => {
    const { kind, id } = placeOf(line);
    return found.get(`${kind} ${id}`) ?? null;
  };
}

function placeOf({ resource, resourceId }: Line): { kind: string; id: string } {
  const [, kind = resource, id = resourceId] = OWNER.exec(`${resource} ${resourceId}`) ?? [];
  return { kind, id };
}

type Reader = (db: Kysely<Database>, ids: readonly string[]) => Promise<Found>;

const READERS: Readonly<Record<string, Reader>> = {
  'demand partner': async (db, ids) =>
    (await named(db, 'demand_partners', ids)).map(({ id, name }) => subjectOf(id, name, id, null)),
  publisher: async (db, ids) =>
    (await named(db, 'publishers', ids)).map(({ id, name }) => subjectOf(id, name, null, id)),
  'line item': async (db, ids) =>
    (
      await db
        .selectFrom('line_items')
        .select(['id', 'name', 'demand_partner_id'])
        .where('id', 'in', ids.map(Number))
        .execute()
    ).map(({ id, name, demand_partner_id: owner }) => subjectOf(id, name, owner, null)),
  app: readProperties,
  site: readProperties,
  'ad space': async (db, ids) =>
    (
      await db
        .selectFrom('ad_spaces')
        .innerJoin('properties', 'properties.id', 'ad_spaces.property_id')
        .select(['ad_spaces.id', 'ad_spaces.name', 'properties.publisher_id'])
        .where('ad_spaces.id', 'in', ids.map(Number))
        .execute()
    ).map(({ id, name, publisher_id: owner }) => subjectOf(id, name, null, owner)),
  application: async (db, ids) =>
    (
      await db
        .selectFrom('applications')
        .innerJoin('users', 'users.id', 'applications.user_id')
        .select(['client_id', 'name', 'demand_partner_id', 'publisher_id'])
        .where('client_id', 'in', ids)
        .execute()
    ).map((row) => subjectOf(row.client_id, row.name, row.demand_partner_id, row.publisher_id)),
  [SUBSCRIPTION_NOUNS.webhook]: readSubscriptions,
  [SUBSCRIPTION_NOUNS.email]: readSubscriptions,
  'creative review': async (db, ids) =>
    (
      await db
        .selectFrom('creative_reviews')
        .select(['id', 'value'])
        .where('id', 'in', ids.map(Number))
        .execute()
    ).map(({ id, value }) => subjectOf(id, value, null, null)),
  deal: async (db, ids) =>
    (await db.selectFrom('deals').select(['id', 'name']).where('id', 'in', ids).execute()).map(
      ({ id, name }) => subjectOf(id, name, null, null),
    ),
};

async function readSubscriptions(db: Kysely<Database>, ids: readonly string[]): Promise<Found> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['id', 'name', 'demand_partner_id', 'publisher_id'])
    .where('id', 'in', ids.map(Number))
    .execute();
  return rows.map((row) => subjectOf(row.id, row.name, row.demand_partner_id, row.publisher_id));
}

async function readProperties(db: Kysely<Database>, ids: readonly string[]): Promise<Found> {
  const rows = await db
    .selectFrom('properties')
    .select(['id', 'name', 'publisher_id'])
    .where('id', 'in', ids.map(Number))
    .execute();
  return rows.map(({ id, name, publisher_id: owner }) => subjectOf(id, name, null, owner));
}

async function named(
  db: Kysely<Database>,
  table: 'demand_partners' | 'publishers',
  ids: readonly string[],
) {
  return db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids.map(Number)).execute();
}

function subjectOf(
  id: number | string,
  name: string,
  demandPartnerId: number | null,
  publisherId: number | null,
) {
  return { id, name, demandPartnerId, publisherId };
}
