import type { ChdbQueryStream } from 'chdb';
import { messageOf } from '../base/unknown-error.ts';

import { AnalyticsStoreError, type StoreRow } from '../ports/analytics-store.ts';

/** Rows are parsed so many at a time, so that the event loop is never held for long. */
const ROWS_AT_ONCE = 500;
const NEWLINE = 0x0a;

/**
 * The rows of one SELECT, read from the engine as they are asked for. ClickHouse's client would take
 * the whole result from the engine first, so that this asks chdb itself, over a connection of its
 * own (made in half a millisecond): one can have one stream at a time.
 *
 * @param signal ends the stream, with an error, before the engine is shut.
 */
export async function* streamRows(
  directory: string,
  sql: string,
  signal: AbortSignal,
): AsyncGenerator<readonly StoreRow[]> {
  const { Session } = await import('chdb');
  if (signal.aborted) throw asStoreError(signal.reason, signal);
  const session = new Session(directory);
  // A stream that nobody reads at this moment would hold the engine open.
  const close = (): void => session.close();
  signal.addEventListener('abort', close);
  try {
    yield* parse(session.queryStream(sql, { format: 'JSONEachRow' }));
    // A session that was closed ends its stream as if there were no more rows.
    signal.throwIfAborted();
  } catch (error) {
    throw asStoreError(error, signal);
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/**
 * Lines are cut where the bytes have a newline, and decoded one by one: no character can be broken,
 * wherever a chunk ends.
 */
async function* parse(chunks: ChdbQueryStream): AsyncGenerator<readonly StoreRow[]> {
  let rest: Buffer = Buffer.alloc(0);
  let rows: StoreRow[] = [];
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk.raw() : Buffer.concat([rest, chunk.raw()]);
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, from)) {
      rows.push(JSON.parse(buffer.toString('utf8', from, end)));
      from = end + 1;
      if (rows.length < ROWS_AT_ONCE) continue;
      yield rows;
      rows = [];
    }
    rest = buffer.subarray(from);
  }
  if (rest.length > 0) throw new Error('The engine ended a stream within a row.');
  if (rows.length > 0) yield rows;
}

function asStoreError(error: unknown, signal: AbortSignal): AnalyticsStoreError {
  if (signal.aborted) {
    const message = 'The analytics store was closed before all rows were read.';
    return new AnalyticsStoreError(message, null, { cause: error });
  }
  const message = messageOf(error);
  const [, code] = /^Code: (\d+)\./.exec(message) ?? [];
  return new AnalyticsStoreError(message, code === undefined ? null : Number(code), {
    cause: error,
  });
}
