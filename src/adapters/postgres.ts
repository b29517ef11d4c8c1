import {
  CompiledQuery,
  DeleteQueryNode,
  InsertQueryNode,
  Kysely,
  MergeQueryNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  UpdateQueryNode,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import { postgresOptions, postgresPlace, reasonOf } from './postgres-address.ts';
import { ADVISORY_CLASS, ADVISORY_LOCKS } from './postgres-locks.ts';

/** One process asks little at a time; many controls share what the server allows, 100 by default. */
const CONNECTIONS_MAX = 10;
/** As long as SQLite's writers wait for one another. */
const TURN_WAIT_MS = 15_000;
/** No statement of ours takes seconds; one that does has lost its server or its plan. */
const STATEMENT_MS = 30_000;
/** The client's own limit is the later one: the server tells why, silence does not. */
const ANSWER_MS = 40_000;
/** A transaction in which nothing happens holds up all others. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/** The first that cuts sessions which idle, see `postgres-leadership.ts`. */
const VERSION_MIN = 14;

/** One state for all that is read. */
const BEGIN_READING = 'begin isolation level repeatable read read only';
const BEGIN_WRITING = 'begin isolation level read committed';
const TAKE_TURN = `select pg_advisory_xact_lock(${ADVISORY_CLASS}, ${ADVISORY_LOCKS.writers})`;

/**
 * Opens a configuration store on a PostgreSQL server, as `openSqlite` opens one in a file: what one
 * transaction reads still holds when it writes, those with access mode "read only" see one state, and
 * numbers are numbers. Connections are made as they are needed and again after the server was away.
 *
 * @param url `postgresql://user:password@host:port/database`, with libpq's `sslmode` and the like.
 * @throws Error that names the place and never the password, when it cannot be reached or is no
 *   server that this works with.
 */
export async function openPostgres<Schema>(url: string): Promise<Kysely<Schema>> {
  const place = postgresPlace(url);
  const pool = new Pool({
    ...postgresOptions(url),
    max: CONNECTIONS_MAX,
    statement_timeout: STATEMENT_MS,
    lock_timeout: TURN_WAIT_MS,
    query_timeout: ANSWER_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  // One that breaks between two statements fails the next of them; one that nobody uses is replaced.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PgDriver(pool, place),
      createIntrospector: (introspected) => new PostgresIntrospector(introspected),
      createQueryCompiler: () => new WholeNumbersCompiler(),
    },
  });
  try {
    await assertUsable(db, place);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Something else than what the store needs would fail late, and where nobody expects it. */
async function assertUsable<Schema>(db: Kysely<Schema>, place: string): Promise<void> {
  const { rows } = await db.executeQuery<{ version: number; encoding: string; replica: boolean }>(
    CompiledQuery.raw(
      `select current_setting('server_version_num')::int / 10000 as version,
        current_setting('server_encoding') as encoding, pg_is_in_recovery() as replica`,
    ),
  );
  const [server] = rows;
  if (server === undefined) throw new Error(`${place} says nothing of itself`);
  const { version, encoding, replica } = server;
  if (version < VERSION_MIN) {
    throw new Error(`${place} is PostgreSQL ${version}; it has to be ${VERSION_MIN} or later`);
  }
  if (encoding !== 'UTF8') {
    throw new Error(`${place} stores ${encoding}; the database has to be created with UTF8`);
  }
  if (replica) throw new Error(`${place} is a replica, which cannot be written to`);
}

/**
 * PostgreSQL takes the type of a value from the column that it meets, and fails where the column is
 * too small for it: a search for the id 99999999999 has to find nothing instead.
 */
class WholeNumbersCompiler extends PostgresQueryCompiler {
  protected override appendValue(parameter: unknown): void {
    super.appendValue(parameter);
    if (Number.isInteger(parameter)) this.append('::bigint');
  }
}

/**
 * Kysely's driver over pg, with one writer at a time. Whoever writes takes its turn before it reads
 * anything: the turn is a lock that ends with the transaction, and each statement after it sees all
 * that was committed before (read committed). A higher isolation level would take its view of the
 * store before the turn; it would fail half-way, and the services would have to try again.
 */
class PgDriver implements Driver {
  readonly #pool: Pool;
  readonly #place: string;

  constructor(pool: Pool, place: string) {
    this.#pool = pool;
    this.#place = place;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    try {
      return new PgConnection(await this.#pool.connect());
    } catch (cause) {
      throw new Error(`cannot reach ${this.#place}: ${reasonOf(cause)}`, { cause });
    }
  }

  async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await own(connection).begin(settings);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).commit();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).rollback();
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release();
    return Promise.resolve();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

/** One connection while it is lent. A write without a transaction is one of its own, in its turn. */
class PgConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  #isInTransaction = false;
  /** What state the session is in is not known: it is closed rather than lent again. */
  #isBroken = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isInTransaction || !isWrite(query)) return this.#run<Row>(query);
    await this.begin({});
    try {
      const result = await this.#run<Row>(query);
      await this.commit();
      return result;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  async begin({ accessMode }: TransactionSettings): Promise<void> {
    const isReadOnly = accessMode === 'read only';
    await this.#command(isReadOnly ? BEGIN_READING : BEGIN_WRITING);
    this.#isInTransaction = true;
    if (isReadOnly) return;
    try {
      await this.#command(TAKE_TURN);
    } catch (error) {
      // Kysely ends only what has begun.
      await this.rollback();
      throw error;
    }
  }

  async commit(): Promise<void> {
    const { command } = await this.#command('commit');
    this.#isInTransaction = false;
    // What has failed is rolled back, also by those who ask for a commit.
    if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back');
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false;
    try {
      await this.#command('rollback');
    } catch {
      // The connection is gone, and the server rolls back by itself.
      this.#isBroken = true;
    }
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  async #run<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.#command(sql, parameters);
    if (!WRITES.has(command)) return { rows };
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async #command(text: string, parameters: readonly unknown[] = []) {
    try {
      return await this.#client.query(text, [...parameters]);
    } catch (error) {
      // What the server has answered leaves the session in order; silence does not.
      if (!(error instanceof DatabaseError)) this.#isBroken = true;
      throw error;
    }
  }
}

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

function isWrite({ query }: CompiledQuery): boolean {
  return [InsertQueryNode, UpdateQueryNode, DeleteQueryNode, MergeQueryNode].some((kind) =>
    kind.is(query),
  );
}

function own(connection: DatabaseConnection): PgConnection {
  if (connection instanceof PgConnection) return connection;
  throw new TypeError('a connection of another driver');
}
