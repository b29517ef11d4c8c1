import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import type { ClickHouseClient } from '@clickhouse/client';
import { messageOf } from '../base/unknown-error.ts';

import { AnalyticsStoreError, type SqlParameter, type StoreRow } from '../ports/analytics-store.ts';

/**
 * Statements through ClickHouse's own client. What is behind it, an engine in this process or a
 * server, was decided when the client was made. Nothing here uses `clickhouse_settings`: in process
 * they would stay with the session (chdb 3.4.0 turns them into SET statements).
 */
export class ClientStore {
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  async command(sql: string): Promise<void> {
    await asked(() => this.#client.command({ query: sql }));
  }

  query(sql: string, parameters: Readonly<Record<string, SqlParameter>> = {}): Promise<StoreRow[]> {
    return asked(async () => {
      const results = await this.#client.query({
        query: sql,
        format: 'JSONEachRow',
        query_params: { ...parameters },
      });
      return results.json<StoreRow>();
    });
  }

  /**
   * `exec`, because the client's `insert` takes no raw bytes; in one chunk, because chdb's adapter
   * decodes each chunk by itself and would break a character that lies across two.
   */
  async insert(sql: string, records: Uint8Array): Promise<void> {
    const bytes = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
    await asked(async () => {
      const { stream } = await this.#client.exec({ query: sql, values: Readable.from([bytes]) });
      await finished(stream.resume());
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = messageOf(error);
    throw new AnalyticsStoreError(message, clickHouseCode(error), { cause: error });
  }
}

/**
 * The code of a ClickHouse error, known by its form: chdb and the client bring a class each. Errors
 * of the system have codes too (`ECONNREFUSED`), which are not numbers.
 */
function clickHouseCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return /^\d+$/.test(String(error.code)) ? Number(error.code) : null;
}
