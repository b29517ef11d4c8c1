import type { ClickHouseClientConfigOptions } from '@clickhouse/client';

/** What ClickHouse's client speaks to instead of a server. */
type Connection = NonNullable<ClickHouseClientConfigOptions['connection']>;

/**
 * Opens the engine on a directory. Only the statement and its parameters go through: chdb 3.4.0
 * turns `clickhouse_settings` into SET statements, which stay with the session and change every
 * statement after, so that such settings are refused here.
 */
export async function connect(directory: string): Promise<Connection> {
  const { createChdbConnection } = await import('chdb/connection');
  const engine = createChdbConnection({ path: directory });
  return {
    ping: () => engine.ping({ select: true }),
    query: (params) => engine.query(statementOf(params)),
    command: (params) => engine.command(statementOf(params)),
    exec: ({ values, ...params }) =>
      engine.exec({ ...statementOf(params), ...(values === undefined ? {} : { values }) }),
    insert: () => Promise.reject(new Error('The store inserts by exec, with raw bytes.')),
    close: () => engine.close(),
  };
}

interface Statement {
  readonly query: string;
  readonly query_params?: Record<string, unknown>;
  readonly clickhouse_settings?: object;
}

function statementOf({ query, query_params, clickhouse_settings = {} }: Statement): Statement & {
  clickhouse_settings?: never;
} {
  const settings = Object.keys(clickhouse_settings);
  if (settings.length > 0) {
    throw new Error(`Write ${settings.join(', ')} into the SQL text: SETTINGS name = value.`);
  }
  return query_params === undefined ? { query } : { query, query_params };
}
