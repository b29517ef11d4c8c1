import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { schema } from './migrations/0001-schema.ts';
import type { Database } from './schema.ts';

/** In the order in which they run; one that has been released is never changed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = { '0001-schema': schema };

/** What a store of this version has been through. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

/**
 * Brings the store to the form that this version of Rialto works with; does nothing when it is
 * there already. Processes that do it at the same time wait for one another.
 *
 * @throws Error when a migration fails, of which then nothing remains, or when the store was made
 *   by a newer version.
 */
export async function migrateConfiguration(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const reason = error instanceof Error ? `: ${error.message}` : '';
    throw new Error(`cannot migrate the configuration store${reason}`, { cause: error });
  }
}
