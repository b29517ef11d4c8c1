import { open } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { messageOf } from '../base/unknown-error.ts';

/** How long a statement waits for another process's write transaction before it fails. */
const BUSY_WAIT_MS = 15_000;

/** SQLite's own wait stops the event loop, so that it is short and the rest is waited for outside. */
const BUSY_BLOCK_MS = 2;

/** Pause between two tries, drawn at random up to this, so that waiting processes do not march in step. */
const BUSY_PAUSE_MAX_MS = 25;

/** Statements that are kept prepared, and the longest of them. */
const STATEMENTS_MAX = 200;
const STATEMENT_LENGTH_MAX = 4_000;
/** After these, tables are not what they were as a statement was prepared. */
const DEFINES = /^\s*(?:create|alter|drop)\b/i;

const SQLITE_BUSY = 5;
/** A transaction that has read an older state can never write; trying again would not help. */
const SQLITE_BUSY_SNAPSHOT = 517;

/**
 * Opens the embedded configuration store: write-ahead log, every commit on the disk before it is
 * answered, foreign keys enforced, readable by its owner alone. Several processes may hold the file
 * open at once. Transactions take the write lock when they begin, so that what they have read still
 * holds when they write; those with access mode "read only" see one state and lock nobody out.
 *
 * @param path a file, created when it is missing, or ":memory:".
 * @throws Error that names the path, when it cannot be opened or is no SQLite database.
 */
export async function openSqlite<Schema>(path: string): Promise<Kysely<Schema>> {
  const database = await openDatabase(path);
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new NodeSqliteAdapter(),
      createDriver: () => new NodeSqliteDriver(database),
      createIntrospector: (introspected) => new SqliteIntrospector(introspected),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  // Kysely closes only what it has used: without this, a store that is opened and not asked
  // anything would stay open.
  await db.executeQuery(CompiledQuery.raw('SELECT 1'));
  return db;
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

/** SQLite changes its schema within transactions; Kysely's own adapter leaves that unused. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely's driver over `node:sqlite`: one connection, which Kysely lends to one user at a time. */
class NodeSqliteDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: NodeSqliteConnection;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#connection = new NodeSqliteConnection(database);
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection);
  }

  async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const begin = settings.accessMode === 'read only' ? 'BEGIN' : 'BEGIN IMMEDIATE';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('COMMIT'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk, for one, makes SQLite roll back by itself; there is nothing left to do then.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('ROLLBACK'));
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    this.#database.close();
    return Promise.resolve();
  }
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  /** Of what was asked last, the oldest first. */
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return whileNotBusy(() => this.#run<Row>(query));
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  /** To prepare a statement takes longer than most take to run. */
  #prepare(sql: string): StatementSync {
    if (DEFINES.test(sql)) this.#statements.clear();
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    if (DEFINES.test(sql) || sql.length > STATEMENT_LENGTH_MAX) return statement;
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > STATEMENTS_MAX && oldest !== undefined) {
      this.#statements.delete(oldest);
    }
    return statement;
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.#prepare(sql);
    const bound = parameters.map(bindable);
    if (statement.columns().length > 0) {
      const rows: Row[] = statement.all(...bound).map(plainObject);
      return { rows };
    }
    const { changes, lastInsertRowid } = statement.run(...bound);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }
}

/**
 * Rows come without a prototype, which makes them unequal to the same object written out. What type
 * they have is for the query to say, so that none is claimed here.
 */
function plainObject(row: object) {
  return Object.setPrototypeOf(row, Object.prototype);
}

function bindable(value: unknown): SQLInputValue {
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  throw new TypeError(`SQLite cannot store a value of type ${typeof value}`);
}

/**
 * Runs a statement again while another process holds the write lock: one that found the database
 * busy has done nothing. The event loop goes on in between.
 */
async function whileNotBusy<T>(statement: () => T): Promise<T> {
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
