import type { SQLInputValue } from 'node:sqlite';
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
import { SqliteDatabases, whileNotBusy, type Lent } from './sqlite-databases.ts';

/**
 * Opens the embedded configuration store: write-ahead log, every commit on the disk before it is
 * answered, foreign keys enforced, readable by its owner alone. Several processes may hold the file
 * open at once. Transactions take the write lock when they begin, so that what they have read still
 * holds when they write. What only reads, alone or in a transaction with access mode "read only", sees one
 * state, locks nobody out, and waits for nobody, however long somebody else writes.
 *
 * @param path a file, created when it is missing, or ":memory:".
 * @throws Error that names the path, when it cannot be opened or is no SQLite database.
 */
export async function openSqlite<Schema>(path: string): Promise<Kysely<Schema>> {
  const databases = await SqliteDatabases.open(path);
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new NodeSqliteAdapter(),
      createDriver: () => new NodeSqliteDriver(databases),
      createIntrospector: (introspected) => new SqliteIntrospector(introspected),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  // Kysely closes only what it has used: without this, a store that is opened and not asked
  // anything would stay open. This takes the connection that writes, which has to know of the log before
  // one that reads closes it.
  await db.executeQuery(CompiledQuery.raw('PRAGMA user_version'));
  return db;
}

/** SQLite changes its schema within transactions; Kysely's own adapter leaves that unused. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Who writes waits in `SqliteDatabases`, and not everybody before they begin. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Kysely's driver over `node:sqlite`. */
class NodeSqliteDriver implements Driver {
  readonly #databases: SqliteDatabases;

  constructor(databases: SqliteDatabases) {
    this.#databases = databases;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<NodeSqliteConnection> {
    return Promise.resolve(new NodeSqliteConnection(this.#databases));
  }

  beginTransaction(
    connection: NodeSqliteConnection,
    { accessMode }: TransactionSettings,
  ): Promise<void> {
    return connection.begin(accessMode === 'read only');
  }

  commitTransaction(connection: NodeSqliteConnection): Promise<void> {
    return connection.end('COMMIT');
  }

  rollbackTransaction(connection: NodeSqliteConnection): Promise<void> {
    return connection.end('ROLLBACK');
  }

  releaseConnection(connection: NodeSqliteConnection): Promise<void> {
    connection.release();
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    this.#databases.close();
    return Promise.resolve();
  }
}

/** What one user of the store does: single statements, or a transaction. */
class NodeSqliteConnection implements DatabaseConnection {
  readonly #databases: SqliteDatabases;
  /** Of a transaction. */
  #lent: Lent | null = null;

  constructor(databases: SqliteDatabases) {
    this.#databases = databases;
  }

  async begin(readsOnly: boolean): Promise<void> {
    const lent = readsOnly ? await this.#databases.toRead() : await this.#databases.toWrite();
    this.#lent = lent;
    const begin = readsOnly ? 'BEGIN' : 'BEGIN IMMEDIATE';
    await whileNotBusy(() => lent.database.exec(begin));
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const { database } = this.#lent ?? {};
    // A full disk, for one, makes SQLite roll back by itself; there is nothing left to do then.
    if (database === undefined || (how === 'ROLLBACK' && !database.isTransaction)) return;
    await whileNotBusy(() => database.exec(how));
  }

  release(): void {
    this.#lent?.giveBack();
    this.#lent = null;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (DEFINES.test(query.sql)) this.#databases.forgetStatements();
    if (this.#lent !== null) return run(this.#lent, query);
    const lent = READS.test(query.sql)
      ? await this.#databases.toRead()
      : await this.#databases.toWrite();
    try {
      return await run(lent, query);
    } finally {
      lent.giveBack();
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}

/** A statement of SQLite that begins like this changes nothing. */
const READS = /^\s*select\b/i;

/** Of tables. */
const DEFINES = /^\s*(?:create|alter|drop)\b/i;

function run<Row>(
  { statements }: Pick<Lent, 'statements'>,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<Row>> {
  return whileNotBusy(() => {
    const statement = statements.prepare(sql);
    const bound = parameters.map(bindable);
    if (statement.columns().length > 0) {
      const rows: Row[] = statement.all(...bound).map(plainObject);
      return { rows };
    }
    const { changes, lastInsertRowid } = statement.run(...bound);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  });
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
