import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { openSqlite } from '../adapters/sqlite.ts';
import { CommandError } from '../base/errors.ts';
import { migrateConfiguration } from '../configuration/migrate.ts';
import type { Database } from '../configuration/schema.ts';

/**
 * Opens the node's configuration store in the form that this version works with. Several processes
 * may have it open.
 *
 * @throws CommandError with the reason when it cannot be opened or was made by a newer version.
 */
export async function openConfigurationStore(dataDirectory: string): Promise<Kysely<Database>> {
  let db: Kysely<Database> | undefined;
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    db = await openSqlite<Database>(join(dataDirectory, 'configuration.sqlite'));
    await migrateConfiguration(db);
    return db;
  } catch (error) {
    await db?.destroy();
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The configuration store is not usable: ${reason}`, { cause: error });
  }
}
