import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../base/unknown-error.ts';
import { PreparedStatements } from './sqlite-statements.ts';

/** How long a statement waits for another process's write transaction before it fails. */
const BUSY_WAIT_MS = 15_000;

/** SQLite's own wait stops the event loop, so that it is short and the rest is waited for outside. */
const BUSY_BLOCK_MS = 2;

/** Pause between two tries, drawn at random up to this, so that waiting processes do not march in step. */
const BUSY_PAUSE_MAX_MS = 25;

const SQLITE_BUSY = 5;
/** A transaction that has read an older state can never write; trying again would not help. */
const SQLITE_BUSY_SNAPSHOT = 517;

/** Readers that are kept for the next; each has the file open and a cache of its own. */
const IDLE_READERS_MAX = 2;

interface Connection {
  readonly database: DatabaseSync;
  readonly statements: PreparedStatements;
}

/** A connection for one user at a time. */
export interface Lent extends Connection {
  giveBack(): void;
}

/**
 * The connections to one file: one that writes, which is lent to one user at a time in the order in
 * which they came, and as many that read as are needed at once. In memory there is the one alone.
 */
export class SqliteDatabases {
  readonly #path: string;
  readonly #writer: Connection;
  readonly #waiting: (() => void)[] = [];
  #isWriterLent = false;
  readonly #readers = new Set<Connection>();
  readonly #idleReaders: Connection[] = [];

  private constructor(path: string, writer: DatabaseSync) {
    this.#path = path;
    this.#writer = connectionTo(writer);
  }

  static async open(path: string): Promise<SqliteDatabases> {
    return new SqliteDatabases(path, await openDatabase(path));
  }

  async toWrite(): Promise<Lent> {
    if (this.#isWriterLent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isWriterLent = true;
    return { ...this.#writer, giveBack: () => this.#lendOn() };
  }

  async toRead(): Promise<Lent> {
    if (this.#path === ':memory:') return this.toWrite();
    const reader = this.#idleReaders.pop() ?? this.#openReader();
    return { ...reader, giveBack: () => this.#keep(reader) };
  }

  /** To be called before tables are made or changed: statements that were prepared before do not fit them. */
  forgetStatements(): void {
    for (const { statements } of [this.#writer, ...this.#readers]) statements.forget();
  }

  close(): void {
    // The writer, which closes last, takes the log into the file.
    for (const { database } of this.#readers) database.close();
    this.#writer.database.close();
  }

  #lendOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isWriterLent = false;
    else next();
  }

  #openReader(): Connection {
    const database = new DatabaseSync(this.#path, { timeout: BUSY_BLOCK_MS, readOnly: true });
    const reader = connectionTo(database);
    this.#readers.add(reader);
    database.exec('PRAGMA trusted_schema = OFF');
    return reader;
  }

  #keep(reader: Connection): void {
    const { database } = reader;
    if (!database.isOpen) return;
    if (this.#idleReaders.length < IDLE_READERS_MAX && !database.isTransaction) {
      this.#idleReaders.push(reader);
      return;
    }
    this.#readers.delete(reader);
    database.close();
  }
}

function connectionTo(database: DatabaseSync): Connection {
  return { database, statements: new PreparedStatements(database) };
}

async function openDatabase(path: string): Promise<DatabaseSync> {
  let database: DatabaseSync | undefined;
  try {
    // SQLite gives the log and the shared memory file the mode of the database file.
    if (path !== ':memory:') await (await open(path, 'a', 0o600)).close();
    const opened = new DatabaseSync(path, { timeout: BUSY_BLOCK_MS });
    database = opened;
    // Two processes that create the same file exclude each other while they turn on the log.
    await whileNotBusy(() => opened.exec('PRAGMA journal_mode = WAL'));
    opened.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF');
    return opened;
  } catch (cause) {
    database?.close();
    const reason = messageOf(cause);
    throw new Error(`cannot open the configuration store ${path}: ${reason}`, { cause });
  }
}

/**
 * Runs a statement again while another process holds the write lock: one that found the database
 * busy has done nothing. The event loop goes on in between.
 */
export async function whileNotBusy<T>(statement: () => T): Promise<T> {
  const deadline = performance.now() + BUSY_WAIT_MS;
  for (;;) {
    try {
      return statement();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    await sleep(Math.random() * BUSY_PAUSE_MAX_MS);
  }
}

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  const { errcode } = error;
  if (typeof errcode !== 'number' || errcode === SQLITE_BUSY_SNAPSHOT) return false;
  // The low byte is the primary code of SQLite's extended result codes.
  return errcode % 256 === SQLITE_BUSY;
}
