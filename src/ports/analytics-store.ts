/**
 * Where raw records and rollups are kept and asked: ClickHouse, in this process or on a server. Both
 * take the same SQL; `src/adapters/chdb.ts` is the one in process. Settings stand in the SQL text,
 * never beside it: in process they would stay with the session.
 */
export interface AnalyticsStore {
  /** Runs a statement that returns nothing. */
  command(sql: string): Promise<void>;
  /** The rows of a SELECT without a FORMAT clause; `{name:Type}` in it is bound to a parameter. */
  query(sql: string, parameters?: Readonly<Record<string, SqlParameter>>): Promise<StoreRow[]>;
  /**
   * The rows of such a SELECT some hundred at a time, as they are asked for: a result is never held
   * as a whole. Its values stand in the text, because in process a statement with parameters must
   * not run beside another one. Whoever stops asking ends the statement; a fault, also one after
   * the first rows, ends the rows with an AnalyticsStoreError.
   */
  stream(sql: string): AsyncIterable<readonly StoreRow[]>;
  /**
   * Runs one INSERT that ends in the name of a format with a record a line, with all of its records
   * in one buffer, and resolves when they are there. No line may be empty: in process that ends the
   * records.
   */
  insert(sql: string, records: Uint8Array): Promise<void>;
  /**
   * To be called after an INSERT that failed, before it is tried again: whether it did its work, or
   * part of it, is open, and after this the same INSERT with the same token does exactly the rest.
   */
  recover(): Promise<void>;
  /** Waits for what is running. Nothing may be asked afterwards. */
  close(): Promise<void>;
}

/** One row, by column; 64-bit integers come as numbers or as text. */
export type StoreRow = Readonly<Record<string, unknown>>;

export type SqlParameter = string | number | readonly string[] | readonly number[];

/** Every error of the store; `code` is ClickHouse's, null where the fault was not ClickHouse's. */
export class AnalyticsStoreError extends Error {
  override readonly name = 'AnalyticsStoreError';
  readonly code: number | null;

  constructor(message: string, code: number | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
