import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { addDays, startOf } from '../analytics/dates.ts';
import { noticeKey } from '../analytics/reconcile-key.ts';
import { isMissing } from '../base/unknown-error.ts';
import type { LocalParts } from './reconcile-day.ts';
import type { PendingNotices } from './reconcile-notices.ts';
import { noticeDatabasePath, readNoticeDatabase } from '../courier/notice-database.ts';
import { readTrimmedMs } from '../courier/shipping-state.ts';

/** What of this node's disk is compared; null for a data directory without a journal. */
export function readLocalParts(dataDirectory: string, date: string): LocalParts | null {
  const journalDirectory = join(dataDirectory, 'journal');
  const node = readNode(journalDirectory);
  if (node === null) return null;
  return {
    node,
    journalDirectory,
    trimmedMs: () => readTrimmedMs(dataDirectory),
    pendingNotices: async () => readPendingNotices(dataDirectory, date),
  };
}

/** Not `readIncarnation`, which makes one: to compare changes nothing. */
function readNode(journalDirectory: string): string | null {
  try {
    return readFileSync(join(journalDirectory, 'incarnation'), 'utf8').trimEnd();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** What waits and how far the journal was read, both of one moment. */
function readPendingNotices(dataDirectory: string, date: string): PendingNotices {
  const database = readNoticeDatabase(noticeDatabasePath(dataDirectory));
  if (database === null) return { keys: new Set(), readTo: new Map(), isWhole: true };
  try {
    database.exec('BEGIN');
    const waiting = database
      .prepare(
        `SELECT event, auction_id, imp FROM notices
         WHERE event IN ('win', 'billing') AND due_ms >= ? AND due_ms < ?`,
      )
      .all(startOf(date), startOf(addDays(date, 1)));
    const cursors = database.prepare('SELECT segment, read_to FROM cursors').all();
    const recovery = database.prepare('SELECT 1 FROM recovery').all();
    return {
      keys: new Set(
        waiting.map((row) =>
          noticeKey(String(row['event']), String(row['auction_id']), Number(row['imp'])),
        ),
      ),
      readTo: new Map(cursors.map((row) => [String(row['segment']), Number(row['read_to'])])),
      isWhole: recovery.length === 0,
    };
  } finally {
    database.close();
  }
}
