import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDirectory } from '../base/make-directory.ts';

/** Raised with every change of the tables; another version is read anew from the journal. */
const VERSION = 1;

/** A reader of another process may hold the database for a moment. */
const BUSY_WAIT_MS = 2_000;

/** The log is cut back to this many bytes once a backlog has gone. */
const LOG_BYTES_KEPT = 64 * 1024 * 1024;

const TABLES = `
  CREATE TABLE notices (
    row INTEGER PRIMARY KEY,
    demand_partner_id INTEGER NOT NULL,
    destination TEXT NOT NULL,
    next_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    due_ms INTEGER NOT NULL,
    auction_id TEXT NOT NULL,
    imp INTEGER NOT NULL,
    lineitem_id INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    status INTEGER NOT NULL,
    url TEXT NOT NULL
  ) STRICT;
  CREATE INDEX notices_next ON notices (demand_partner_id, destination, next_ms);
  CREATE INDEX notices_due ON notices (event, due_ms);
  CREATE TABLE held (
    auction_id TEXT NOT NULL,
    imp INTEGER NOT NULL,
    bid INTEGER NOT NULL,
    demand_partner_id INTEGER NOT NULL,
    lineitem_id INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    url TEXT NOT NULL,
    PRIMARY KEY (auction_id, imp, bid)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX held_due ON held (due_ms);
  CREATE TABLE cursors (segment TEXT PRIMARY KEY, read_to INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE recorded (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE recovery (under_way INTEGER NOT NULL) STRICT;
`;

export function noticeDatabasePath(dataDirectory: string): string {
  return join(dataDirectory, 'courier', 'notices.sqlite');
}

/**
 * Opens the file in which notices wait, and makes it when it is missing: every commit is on the disk
 * before it is answered, and other processes may read meanwhile.
 *
 * @throws SQLite's error when it cannot be used; UnknownVersion when it is another Rialto's
 */
export function openNoticeDatabase(path: string): DatabaseSync {
  makeDirectory(dirname(path));
  // SQLite gives the log and the shared memory file the mode of the database file.
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: BUSY_WAIT_MS });
  try {
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;
       PRAGMA journal_size_limit = ${LOG_BYTES_KEPT}`,
    );
    const version = versionOf(database);
    if (version === 0) {
      database.exec(`BEGIN IMMEDIATE; ${TABLES} PRAGMA user_version = ${VERSION}; COMMIT`);
    } else if (version !== VERSION) throw new UnknownVersion(path, version);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens it to read it beside the process that writes it; null when there is none.
 *
 * @throws as `openNoticeDatabase`
 */
export function readNoticeDatabase(path: string): DatabaseSync | null {
  if (!existsSync(path)) return null;
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_WAIT_MS });
  try {
    const version = versionOf(database);
    if (version === VERSION) return database;
    throw new UnknownVersion(path, version);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** 0 where nothing has been made yet. */
function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** Written by another version of Rialto. */
class UnknownVersion extends Error {
  override readonly name = 'UnknownVersion';

  constructor(path: string, version: number) {
    super(`${path} has version ${version}; this Rialto reads ${VERSION}.`);
  }
}

/** SQLite's result codes for a file that is none of its own, or not whole any more. */
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Whether the file itself is at fault, so that trying again would not help. */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof UnknownVersion) return true;
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  // The low byte is the primary code of SQLite's extended result codes.
  const code = Number(error.errcode) % 256;
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}
