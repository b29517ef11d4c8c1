import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { logLinesOf, type LogContext, type LogLine } from './log-lines.ts';
import {
  readLogMinutes,
  readLogRows,
  readLogTraces,
  readOwnAuctions,
  type LogOwner,
  type LogRow,
} from './log-rows.ts';
import { windowsOf, type Window } from './recorded-windows.ts';

/** A page of more records is read in halves. */
const PAGE_RECORDS = 4_000;
/** The records of one millisecond cannot be divided; more of them are a fault. */
const MILLISECOND_RECORDS_MAX = 100_000;

/**
 * The log of a partner or publisher, a page at a time and in the order of its times: the next page
 * is read when it is asked for, so that no more than one is held, however slowly it is taken. Its
 * times are those of the records, each in the window.
 *
 * @throws AnalyticsStoreError when the store does not answer: what came before is not all.
 */
export async function* readLog(
  store: AnalyticsStore,
  owner: LogOwner,
  window: Window,
): AsyncGenerator<readonly LogLine[], void, void> {
  const minutes = await readLogMinutes(store, owner, window);
  for (const part of windowsOf(window, minutes, 1)) yield* readPart(store, owner, part);
}

async function* readPart(
  store: AnalyticsStore,
  owner: LogOwner,
  window: Window,
): AsyncGenerator<readonly LogLine[], void, void> {
  const { from_ms, to_ms } = window;
  const max = to_ms - from_ms > 1 ? PAGE_RECORDS : MILLISECOND_RECORDS_MAX;
  const rows = await readLogRows(store, owner, { window, max });
  if (rows.length > max) {
    if (to_ms - from_ms <= 1) throw new Error(`More than ${max} records are of one millisecond.`);
    const middleMs = Math.floor((from_ms + to_ms) / 2);
    yield* readPart(store, owner, { from_ms, to_ms: middleMs });
    yield* readPart(store, owner, { from_ms: middleMs, to_ms });
    return;
  }
  const context = await contextOf(store, { owner, rows, window });
  yield rows.flatMap((row) => logLinesOf(row, context));
}

async function contextOf(
  store: AnalyticsStore,
  page: { readonly owner: LogOwner; readonly rows: readonly LogRow[]; readonly window: Window },
): Promise<LogContext> {
  const { owner, rows, window } = page;
  if (owner.side === 'supply') return { owner, traces: new Map(), auctions: new Map() };
  const present = new Map(
    rows.filter(({ kind }) => kind === 'auction').map((row) => [row.auction_id, row]),
  );
  const missing = rows.flatMap(auctionsOf).filter(({ auction_id: id }) => !present.has(id));
  const [traces, found] = await Promise.all([
    readLogTraces(store, rows, window),
    readOwnAuctions(store, owner, missing),
  ]);
  const others = found.map((auction) => [auction.auction_id, auction] as const);
  return { owner, traces, auctions: new Map([...present, ...others]) };
}

/** The auctions that a beacon or the deliveries of notices are about. */
function auctionsOf({ kind, auction_id, at_ms, deliveries }: LogRow) {
  if (kind === 'auction') return [];
  if (kind !== 'delivery') return [{ auction_id, at_ms }];
  return deliveries.map((each) => ({ auction_id: each.auction_id, at_ms }));
}
