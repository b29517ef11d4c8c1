import { existsSync, renameSync, rmSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import type { Logger } from 'pino';
import { Compile } from 'typebox/compile';

import { DeliveryRecordSchema, type Delivery } from '../events/delivery-record.ts';
import { readSegmentHeader } from '../journal/segment-header.ts';
import { parseSegmentName } from '../journal/segment.ts';
import { isUnreadable, noticeDatabasePath } from './notice-database.ts';
import { lifeEndsMs } from './notice-schedule.ts';
import { NoticeStore } from './notice-store.ts';
import { noticeId } from './notice.ts';

export interface NoticeStoreOptions {
  readonly dataDirectory: string;
  readonly journalDirectory: string;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** Ids that are written to the disk together. */
const RECORDED_TOGETHER = 5_000;

const deliveriesValidator = Compile(DeliveryRecordSchema);

/**
 * Opens the store of notices. Where it is gone, or cannot be read and was moved aside, the journal
 * still knows what was due and what of it is done: the ids of the latter are put into a new store,
 * and the reader begins with the first segment. So no billing notice is lost whose record is still
 * there, and none is called again that was recorded as done. Of wins only those of the last minute
 * are due again, of losses those that are still held. A recovery that was cut short begins anew.
 *
 * @throws SQLite's error when the store cannot be used for another reason, such as a full disk
 */
export async function openNoticeStore(options: NoticeStoreOptions): Promise<NoticeStore> {
  const path = noticeDatabasePath(options.dataDirectory);
  const store = openKept(path, options.logger) ?? new NoticeStore(path);
  try {
    // A store that has never seen the journal is new: at the first start as when the last is gone.
    if (store.cursors().size > 0) return store;
    const names = await deliverySegments(options.journalDirectory);
    if (names.length === 0) return store;
    const reason = 'the state of notices is gone: what is due is read again from the journal';
    options.logger.error({ path }, reason);
    store.beginRecovery();
    for (const name of names)
      await addRecorded(join(options.journalDirectory, name), store, options);
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Moves a store aside that cannot be read, for a person to look at. */
export function moveNoticeStoreAside(path: string): string {
  const aside = `${path}.unreadable-${new Date().toISOString().replaceAll(':', '')}`;
  for (const suffix of FILES) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

/** SQLite's own files beside the database. */
const FILES = ['', '-wal', '-shm'];

/** The store that is there; null when there is none that is of use. */
function openKept(path: string, logger: Logger): NoticeStore | null {
  if (!existsSync(path)) return null;
  let store: NoticeStore | null = null;
  try {
    store = new NoticeStore(path);
    // What is asked of every store at its start, so that damage shows here.
    store.lanes();
    if (!store.isRecovering) return store;
    store.close();
    for (const suffix of FILES) rmSync(path + suffix, { force: true });
  } catch (error) {
    store?.close();
    if (!isUnreadable(error)) throw error;
    const aside = moveNoticeStoreAside(path);
    logger.error({ err: error, aside }, 'the state of notices cannot be read and is moved aside');
  }
  return null;
}

/** Segments in which couriers of this node have written what was done. */
async function deliverySegments(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of (await readdir(directory)).sort()) {
    if (!name.startsWith('money-') || parseSegmentName(name) === null) continue;
    const path = join(directory, name);
    const read = await readSegmentHeader(path);
    if (read.kind === 'torn' || read.kind === 'foreign') continue;
    const [writer, end] =
      read.kind === 'header' ? [read.header.writer, read.end] : [read.writer, 0];
    if (writer === 'courier' && (await stat(path)).size > end) found.push(name);
  }
  return found;
}

async function addRecorded(
  path: string,
  store: NoticeStore,
  { now }: NoticeStoreOptions,
): Promise<void> {
  let ids: string[] = [];
  const file = await open(path);
  for await (const line of file.readLines()) {
    for (const delivery of deliveriesOf(line)) {
      const { event, auction_id: auctionId, imp, due_ms: dueMs } = delivery;
      if (event === 'win' && lifeEndsMs('win', dueMs) < now()) continue;
      ids.push(noticeId({ event, auctionId, imp, bid: -1 }));
    }
    if (ids.length < RECORDED_TOGETHER) continue;
    store.addRecorded(ids);
    ids = [];
    await setImmediate();
  }
  store.addRecorded(ids);
}

/** None for the header, and for a line that was torn by a crash. */
function deliveriesOf(line: string): readonly Delivery[] {
  try {
    const record: unknown = JSON.parse(line);
    return deliveriesValidator.Check(record) ? record.deliveries : [];
  } catch {
    return [];
  }
}
