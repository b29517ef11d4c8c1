import type { ClickHouseClientConfigOptions } from '@clickhouse/client';

/** What ClickHouse's client speaks to instead of a server. */
type Connection = NonNullable<ClickHouseClientConfigOptions['connection']>;

/**
 * How often the engine looks at its memory. By default that is twenty times a second, for 0.2 % of a core.
 */
const MEMORY_LOOK_MS = 1_000;

/**
 * Settings of the engine as a whole. A thread of its pool that has worked once keeps three files of
 * /proc open for as long as it lives, and by default a thousand idle ones are kept, of pools of a
 * hundred: what one burst had needed stayed open for ever.
 */
const ENGINE_ARGUMENTS: readonly string[] = [
  '--max_thread_pool_free_size=8',
  '--max_io_thread_pool_size=8',
  '--max_prefixes_deserialization_thread_pool_size=8',
  `--memory_worker_period_ms=${MEMORY_LOOK_MS}`,
];

/**
 * By default the engine compiles to native code what it is asked for the fourth time. That costs the fourth
 * batch a quarter of a second of a processor, and neither batches nor reports over a million rows are
 * cheaper for it. So it waits for what is asked all the time.
 */
const USES_BEFORE_COMPILED = 100;
const COMPILED: readonly string[] = [
  'expression',
  'aggregate_expression',
  'sort_description',
  'regular_expression',
];

/**
 * Opens the engine on a directory. Only the statement and its parameters go through: chdb 3.4.0
 * turns `clickhouse_settings` into SET statements, which stay with the session and change every
 * statement after, so that such settings are refused here.
 */
export async function connect(directory: string): Promise<Connection> {
  const { Session } = await import('chdb');
  const { createChdbConnection } = await import('chdb/connection');
  // The first connection starts the engine; the client's takes no arguments for it.
  const first = new Session(directory, { connectionArgs: [...ENGINE_ARGUMENTS] });
  const engine = createChdbConnection({ path: directory });
  // Settings of the session, which is the engine's only one.
  for (const what of COMPILED) {
    await engine.command({ query: `SET min_count_to_compile_${what} = ${USES_BEFORE_COMPILED}` });
  }
  return {
    ping: () => engine.ping({ select: true }),
    query: (params) => engine.query(statementOf(params)),
    command: (params) => engine.command(statementOf(params)),
    exec: ({ values, ...params }) =>
      engine.exec({ ...statementOf(params), ...(values === undefined ? {} : { values }) }),
    insert: () => Promise.reject(new Error('The store inserts by exec, with raw bytes.')),
    close: async () => {
      await engine.close();
      first.close();
    },
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
