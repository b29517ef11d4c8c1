import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Statements that are kept prepared, and the longest of them. */
const STATEMENTS_MAX = 200;
const STATEMENT_LENGTH_MAX = 4_000;

/** The statements of one connection: to prepare one takes longer than most take to run. */
export class PreparedStatements {
  readonly #database: DatabaseSync;
  /** Of what was asked last, the oldest first. */
  readonly #kept = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  prepare(sql: string): StatementSync {
    const statement = this.#kept.get(sql) ?? this.#database.prepare(sql);
    if (sql.length > STATEMENT_LENGTH_MAX) return statement;
    this.#kept.delete(sql);
    this.#kept.set(sql, statement);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > STATEMENTS_MAX && oldest !== undefined) this.#kept.delete(oldest);
    return statement;
  }

  forget(): void {
    this.#kept.clear();
  }
}
