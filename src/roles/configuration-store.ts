import nodeFs from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { CommandError } from '../base/errors.ts';
import { makeDirectory } from '../base/make-directory.ts';
import { messageOf } from '../base/unknown-error.ts';
import type { StorePlace } from '../settings/read-settings.ts';
import { migrateConfiguration } from '../configuration/migrate.ts';
import type { Database } from '../configuration/schema.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import { ALONE, type Leadership } from '../ports/leadership.ts';

/**
 * Opens the configuration store in the form that this version works with: the PostgreSQL database
 * that is named, else a file in the data directory. Several processes may have it open.
 *
 * @throws CommandError with the reason when it cannot be opened or was made by a newer version.
 */
export async function openConfigurationStore(place: StorePlace): Promise<Kysely<Database>> {
  let db: Kysely<Database> | undefined;
  try {
    db = await open(place);
    await migrateConfiguration(db);
    return db;
  } catch (error) {
    await db?.destroy();
    const reason = messageOf(error);
    // A server may be back in a moment; a store that was opened and does not fit stays as it is.
    const exit = db === undefined && place.databaseUrl !== null ? 'unreachable' : 'failed';
    throw new CommandError(`The configuration store is not usable: ${reason}`, {
      exit,
      cause: error,
    });
  }
}

/** Each store is loaded where it is used. */
async function open({ dataDirectory, databaseUrl }: StorePlace): Promise<Kysely<Database>> {
  if (databaseUrl !== null) {
    const { openPostgres } = await import('../adapters/postgres.ts');
    return openPostgres<Database>(databaseUrl);
  }
  const { openSqlite } = await import('../adapters/sqlite.ts');
  makeDirectory(dataDirectory);
  return openSqlite<Database>(join(dataDirectory, 'configuration.sqlite'));
}

/**
 * What tells this control from others that share its configuration store: a store of its own has no
 * other, and of a shared one the data directory decides.
 */
export function readControlPlace({ dataDirectory, databaseUrl }: StorePlace): string {
  if (databaseUrl === null) return 'local';
  const directory = join(dataDirectory, 'control');
  makeDirectory(directory);
  return readIncarnation(directory, nodeFs);
}

/** A database as messages name it: `HOST:PORT/DATABASE`, without secrets. */
export async function nameDatabase(url: string): Promise<string> {
  const { postgresName } = await import('../adapters/postgres-address.ts');
  return postgresName(url);
}

/** How a control takes part in leading, and how it stops to. */
export interface Candidacy {
  readonly leadership: Leadership;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Of the controls that share a store one leads. One with a file of its own always does.
 *
 * @param options.isPreferred whether this control should rather lead than another.
 */
export async function standForLeader(
  { databaseUrl }: StorePlace,
  options: { readonly isPreferred: () => boolean; readonly logger: Logger },
): Promise<Candidacy> {
  if (databaseUrl === null) {
    return { leadership: ALONE, start: () => Promise.resolve(), stop: () => Promise.resolve() };
  }
  const { PostgresLeadership } = await import('../adapters/postgres-leadership.ts');
  const leadership = new PostgresLeadership({ url: databaseUrl, ...options });
  return { leadership, start: () => leadership.start(), stop: () => leadership.stop() };
}
