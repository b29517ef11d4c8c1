import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import { dateOf } from '../../src/analytics/dates.ts';
import { readKeyedRows } from '../../src/analytics/reconcile-records.ts';
import { readStoreSide } from '../../src/analytics/reconcile.ts';
import { reconcileDay, type Reconciled } from '../../src/commands/reconcile-day.ts';
import { noticeKey } from '../../src/analytics/reconcile-key.ts';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import type { Delivery } from '../../src/events/delivery-record.ts';
import { MONEY_SCHEMA, type MoneyRecord } from '../../src/events/money-record.ts';
import { openJournal } from '../../src/journal/journal.ts';
import type { JournalWriter } from '../../src/journal/segment.ts';
import type { SegmentRange } from '../../src/ports/batch.ts';
import { testAnalytics, type Analytics } from './loader-fixture.ts';
import { NODE } from './loader-beacons.ts';
import { makeRecords } from './loader-records.ts';

/** Raw records expire by the clock of the engine, so that the day has to be near. */
export const TODAY = dateOf(Date.now());
const DAY_MS = 86_400_000;

/** A node's day: its journal, the store that it is loaded into, and what waits to be called. */
export interface ReconciledDay {
  readonly analytics: Analytics;
  readonly records: readonly MoneyRecord[];
  /** Notices that are neither delivered nor given up, by their keys. */
  readonly pending: Set<string>;
  /** Appends to the journal, as the processes of a node would. */
  write(records: readonly WrittenRecord[]): Promise<void>;
  /** Loads what the journal has and the store does not. */
  load(): Promise<void>;
  /** Says that all of the journal was loaded, and loads nothing. */
  acknowledge(): Promise<void>;
  /** Removes every segment. */
  removeJournal(): Promise<void>;
  reconcile(options?: {
    readonly trimmedMs?: number;
    readonly hasJournal?: boolean;
    /** False: the courier has read nothing of the journal for notices yet. */
    readonly isRead?: boolean;
  }): Promise<Reconciled>;
}

/** A record, or one of another version. */
type WrittenRecord = MoneyRecord | Omit<AuctionRecord, 'node'>;

const WRITER_OF: Readonly<Record<MoneyRecord['kind'], JournalWriter>> = {
  auction: 'exchange',
  win: 'tracker',
  impression: 'tracker',
  view: 'tracker',
  click: 'tracker',
  delivery: 'courier',
};

/** A day of seeded records, all of them in the journal and none in the store. */
export async function makeDay(t: TestContext, auctions = 300): Promise<ReconciledDay> {
  const analytics = await testAnalytics(t);
  const directory = join(analytics.directory, 'journal');
  await mkdir(directory);
  const startMs = Date.parse(`${TODAY}T00:00:00Z`);
  // The last beacons and deliveries come before midnight too.
  const records = makeRecords('day', auctions, startMs, Math.floor((DAY_MS - 10_000) / auctions));
  const day: ReconciledDay = {
    analytics,
    records,
    pending: new Set(dueKeys(records).difference(doneKeys(records))),
    write: (more) => writeJournal(directory, more),
    load: () => loadJournal(directory, analytics),
    acknowledge: async () => {
      for (const { range } of await unloaded(directory, analytics)) {
        const manifest = { incarnation: NODE, schema: 1, segments: [range] };
        await analytics.offsets.commit({ token: 'none', manifest, load: null, records: 0 });
      }
    },
    removeJournal: async () => {
      for (const name of await segmentNames(directory)) await rm(join(directory, name));
    },
    reconcile: ({ trimmedMs = 0, hasJournal = true, isRead = true } = {}) => {
      const { store, offsets, quarantine } = analytics;
      return reconcileDay({
        date: TODAY,
        store: {
          side: (question) => readStoreSide({ store, offsets, quarantine, question, today: TODAY }),
          rows: (question) => readKeyedRows(store, question),
        },
        local: hasJournal
          ? {
              node: NODE,
              journalDirectory: directory,
              trimmedMs: () => Promise.resolve(trimmedMs),
              pendingNotices: async () => {
                const read = isRead ? await segmentNames(directory) : [];
                return {
                  keys: day.pending,
                  readTo: new Map(read.map((name) => [name, Infinity])),
                  isWhole: true,
                };
              },
            }
          : null,
      });
    },
  };
  await day.write(records);
  return day;
}

async function writeJournal(directory: string, records: readonly WrittenRecord[]): Promise<void> {
  await writeFile(join(directory, 'incarnation'), `${NODE}\n`);
  for (const writer of new Set(Object.values(WRITER_OF))) {
    const own = records.filter(({ kind }) => WRITER_OF[kind] === writer);
    if (own.length === 0) continue;
    const journal = openJournal({ directory, stream: 'money', writer, now: Date.now });
    for (const record of own) journal.append(JSON.stringify(record));
    journal.close();
  }
}

/** As the courier does it: whole segments, each from where the last load ended. */
async function loadJournal(directory: string, analytics: Analytics): Promise<void> {
  for (const { range, records } of await unloaded(directory, analytics)) {
    const manifest = { incarnation: NODE, schema: MONEY_SCHEMA, segments: [range] };
    const { kind } = await analytics.loader.load({ manifest, records });
    if (kind !== 'loaded' && kind !== 'quarantined') throw new Error(`a segment was ${kind}`);
  }
}

async function unloaded(
  directory: string,
  { offsets }: Analytics,
): Promise<{ range: SegmentRange; records: Buffer }[]> {
  const { offsets: loaded } = await offsets.read(NODE, 'money');
  const waiting: { range: SegmentRange; records: Buffer }[] = [];
  for (const segment of await segmentNames(directory)) {
    const start = loaded.get(segment) ?? 0;
    const bytes = await readFile(join(directory, segment));
    if (start === bytes.length) continue;
    const from = start === 0 ? bytes.indexOf('\n') + 1 : start;
    const records = bytes.subarray(from);
    waiting.push({ range: { segment, start, from, end: bytes.length }, records });
  }
  return waiting;
}

async function segmentNames(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.startsWith('money-')).sort();
}

/** The notices that records make due. */
function dueKeys(records: readonly MoneyRecord[]): Set<string> {
  const keys = records.flatMap((record) => {
    if (record.kind === 'delivery') return [];
    if (record.kind === 'auction') {
      const wins = record.notices.filter(({ event }) => event === 'win');
      return wins.map(({ imp }) => noticeKey('win', record.auction_id, imp));
    }
    const event = record.kind === 'win' ? 'win' : 'billing';
    return record.notice_url === '' ? [] : [noticeKey(event, record.auction_id, record.imp)];
  });
  return new Set(keys);
}

export function deliveriesIn(records: readonly MoneyRecord[]): Delivery[] {
  return records.flatMap((record) => (record.kind === 'delivery' ? record.deliveries : []));
}

function doneKeys(records: readonly MoneyRecord[]): Set<string> {
  const keys = deliveriesIn(records).map((each) =>
    noticeKey(each.event, each.auction_id, each.imp),
  );
  return new Set(keys);
}
