import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, type Kysely } from 'kysely';
import { messageOf } from '../base/unknown-error.ts';
import type { StorePlace } from '../settings/read-settings.ts';
import { MIGRATION_NAMES } from '../configuration/migrate.ts';
import type { Database } from '../configuration/schema.ts';
import { versionKey } from '../snapshot/snapshot.ts';
import { lockFile } from '../roles/file-lock.ts';

/** A bidder that bid requests go to. */
export interface InspectedBidder {
  readonly demandPartner: number;
  readonly endpoint: string;
  readonly matchesUsers: boolean;
}

/** What a configuration store says of itself to somebody who changes nothing. */
export interface InspectedStore {
  /** `EPOCH.SEQ`. */
  readonly version: string;
  readonly bidders: readonly InspectedBidder[];
  readonly allowPrivateAddresses: readonly string[];
}

export type Inspection =
  | { readonly state: 'missing' }
  | { readonly state: 'older' | 'newer' }
  /** The reason names the database, and not its password. */
  | { readonly state: 'unreachable' | 'damaged'; readonly reason: string }
  | { readonly state: 'present'; readonly store: InspectedStore };

type Row = Readonly<Record<string, unknown>>;

/** Asks a store, of whichever kind. */
type Ask = (sql: string) => Promise<readonly Row[]>;

/**
 * Looks into the configuration store, without changing it: one of another version is not migrated,
 * and one that is missing not made.
 */
export function inspectConfigurationStore({
  dataDirectory,
  databaseUrl,
}: StorePlace): Promise<Inspection> {
  return databaseUrl === null ? inspectFile(dataDirectory) : inspectDatabase(databaseUrl);
}

async function inspectFile(dataDirectory: string): Promise<Inspection> {
  const path = join(dataDirectory, 'configuration.sqlite');
  if (!existsSync(path)) return { state: 'missing' };
  let database: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    database = opened;
    const ask: Ask = (sql) => Promise.resolve(opened.prepare(sql).all());
    const other = await otherVersion(ask);
    if (other !== null) return { state: other };
    const [verdict = ''] = column(await ask('PRAGMA quick_check(1)'), 'quick_check');
    if (verdict !== 'ok') return { state: 'damaged', reason: verdict };
    return { state: 'present', store: await readStore(ask) };
  } catch (error) {
    return { state: 'damaged', reason: messageOf(error) };
  } finally {
    database?.close();
  }
}

const HAS_MIGRATIONS = `
  SELECT 1 FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_name = 'kysely_migration'`;

async function inspectDatabase(url: string): Promise<Inspection> {
  const { openPostgres } = await import('../adapters/postgres.ts');
  let db: Kysely<Database>;
  try {
    db = await openPostgres<Database>(url);
  } catch (error) {
    return { state: 'unreachable', reason: messageOf(error) };
  }
  try {
    const ask: Ask = async (sql) => (await db.executeQuery<Row>(CompiledQuery.raw(sql))).rows;
    if ((await ask(HAS_MIGRATIONS)).length === 0) return { state: 'missing' };
    const other = await otherVersion(ask);
    if (other !== null) return { state: other };
    return { state: 'present', store: await readStore(ask) };
  } catch (error) {
    return { state: 'damaged', reason: messageOf(error) };
  } finally {
    await db.destroy();
  }
}

/** Null where the store has been through what this version knows, and nothing else. */
async function otherVersion(ask: Ask): Promise<'older' | 'newer' | null> {
  const done = new Set(column(await ask('SELECT name FROM kysely_migration'), 'name'));
  if ([...done].some((name) => !MIGRATION_NAMES.includes(name))) return 'newer';
  return MIGRATION_NAMES.every((name) => done.has(name)) ? null : 'older';
}

/** Whether a process has the analytics store of a data directory open; null where there is none. */
export function isAnalyticsStoreInUse(dataDirectory: string): boolean | null {
  const path = join(dataDirectory, 'analytics', 'lock.sqlite');
  if (!existsSync(path)) return null;
  const lock = lockFile(path);
  lock?.release();
  return lock === null;
}

const ACTIVE_BIDDERS = `
  SELECT demand_partner_id, endpoint, sync_url FROM bidders
  JOIN demand_partners ON demand_partners.id = demand_partner_id
  WHERE status = 'ACTIVE' ORDER BY demand_partner_id`;

async function readStore(ask: Ask): Promise<InspectedStore> {
  const [version] = await ask('SELECT epoch, seq FROM configuration_version WHERE id = 1');
  const settings = await ask('SELECT allow_private_addresses FROM exchange_settings');
  const ranges: unknown = JSON.parse(column(settings, 'allow_private_addresses')[0] ?? '[]');
  return {
    version: versionKey({ epoch: String(version?.['epoch']), seq: Number(version?.['seq']) }),
    bidders: (await ask(ACTIVE_BIDDERS)).map((row) => ({
      demandPartner: Number(row['demand_partner_id']),
      endpoint: String(row['endpoint']),
      matchesUsers: row['sync_url'] !== null,
    })),
    allowPrivateAddresses: Array.isArray(ranges) ? ranges.map(String) : [],
  };
}

function column(rows: readonly Row[], name: string): string[] {
  return rows.map((row) => String(row[name]));
}
