import type { Kysely } from 'kysely';
import { insertRows } from './insert-rows.ts';
import type { Database } from './schema.ts';
import { readOnly } from './state.ts';

/** Every table, each after those that it refers to. */
const TABLES = [
  'configuration_version',
  'exchange_settings',
  'demand_partners',
  'stopped_bidders',
  'bidders',
  'line_items',
  'publishers',
  'properties',
  'ad_spaces',
  'deals',
  'creative_reviews',
  'users',
  'applications',
  'accounts',
  'access_tokens',
  'one_time_links',
  'sessions',
  'second_factors',
  'audit_log',
  'segment_offsets',
  'pending_batches',
  'settled_loads',
  'analytics_stores',
  'reoffers',
  'leases',
  'report_requests',
  'idempotency_keys',
  'subscriptions',
  'last_ids',
  'sent_mails',
  'conditions',
  'deliveries',
] as const satisfies readonly (keyof Database)[];

/** Kept by the migrations, which both stores have been through. */
const KEPT_BY_MIGRATIONS = /^kysely_/;

/** What a copy came to. */
export type Copied =
  | { readonly ok: true; readonly rows: number }
  /** Something was there already: nothing was copied. */
  | { readonly ok: false };

/**
 * Copies all that one store holds into another, in which nothing is: configuration, secrets' hashes,
 * tokens, what is loaded of every journal and what is granted of every limit. It is the same store
 * afterwards, with the same version, for couriers as for control. Nobody may change the first one
 * meanwhile. Both are migrated.
 *
 * @throws Error when a store fails, or has a table that is not known here; nothing is copied then.
 */
export async function copyStore(from: Kysely<Database>, to: Kysely<Database>): Promise<Copied> {
  await assertAllKnown(from);
  return readOnly(from, (source) =>
    to.transaction().execute(async (target) => {
      for (const table of TABLES) {
        if (table === 'configuration_version') continue;
        const [row] = await target.selectFrom(table).selectAll().limit(1).execute();
        if (row !== undefined) return { ok: false };
      }
      await target.deleteFrom('configuration_version').execute();
      let count = 0;
      for (const table of TABLES) {
        const rows = await source.selectFrom(table).selectAll().execute();
        await insertRows(
          target,
          table,
          rows.map((row) => Object.values(row)),
          Object.keys(rows[0] ?? {}),
        );
        count += rows.length;
      }
      return { ok: true, rows: count };
    }),
  );
}

/** A table that a migration adds and nobody adds here would be left behind. */
async function assertAllKnown(db: Kysely<Database>): Promise<void> {
  const tables = await db.introspection.getTables();
  const known = new Set<string>(TABLES);
  const unknown = tables
    .map(({ name }) => name)
    .filter((name) => !known.has(name) && !KEPT_BY_MIGRATIONS.test(name));
  if (unknown.length > 0) throw new Error(`no copy is made of ${unknown.join(', ')}`);
}
