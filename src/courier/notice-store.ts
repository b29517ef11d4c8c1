import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { NoticeEvent } from '../events/delivery-record.ts';
import { openNoticeDatabase } from './notice-database.ts';
import {
  decodeCursor,
  decodeLane,
  decodeNotice,
  decodeNumber,
  type StoredLane,
  type StoredNotice,
} from './notice-rows.ts';
import type { DueNotice } from './notice.ts';

/** Held notices that a checkpoint lets go of at most. */
const RELEASED_MAX = 2_000;

/** Held notices that are kept at most; what comes on top is not held, and so never called. */
const HELD_MAX = 500_000;

/** A notice as it is written when it has to wait. */
export interface NoticeToStore {
  readonly due: DueNotice;
  /** As its lane is called. */
  readonly destination: string;
  readonly nextMs: number;
  readonly tries: number;
  readonly status: number;
}

/** What one checkpoint changes, all of it or nothing. */
export interface StoreChanges {
  readonly added: readonly NoticeToStore[];
  readonly changed: readonly Pick<StoredNotice, 'row' | 'nextMs' | 'tries' | 'status'>[];
  /** Rows of notices that are done, and in the journal as such. */
  readonly removed: readonly number[];
  readonly held: readonly DueNotice[];
  readonly won: readonly { readonly auctionId: string; readonly imp: number }[];
  /** Held notices that were due until then are let go of, unless they have been won. */
  readonly releasedUntilMs: number;
  readonly cursors: readonly (readonly [segment: string, readTo: number])[];
  /** Segments that are not there any more. */
  readonly gone: readonly string[];
}

export interface StoreCommit {
  /** Of what was added, in its order. */
  readonly rows: readonly number[];
  readonly released: readonly DueNotice[];
  /** Notices that could not be held. */
  readonly notHeld: number;
}

/**
 * What waits, on the disk: notices to be tried again, losses that are held, and up to where the
 * journal has been read. Nothing of it is changed but by a checkpoint. Its calls block the event
 * loop; `busySeconds` says for how long they have.
 */
export class NoticeStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #busyMs = 0;
  #isBusy = false;
  #held: number;

  /** @throws as `openNoticeDatabase` */
  constructor(path: string) {
    this.#database = openNoticeDatabase(path);
    this.#held = this.#number('SELECT count(*) AS n FROM held') ?? 0;
  }

  close(): void {
    this.#database.close();
  }

  /** How long its calls have taken. */
  get busySeconds(): number {
    return this.#busyMs / 1000;
  }

  get held(): number {
    return this.#held;
  }

  /** Of each destination of each partner, how many notices wait and when the first is due. */
  lanes(): StoredLane[] {
    return this.#all(
      `SELECT demand_partner_id, destination, count(*) AS notices, min(next_ms) AS next_ms
       FROM notices GROUP BY demand_partner_id, destination`,
    ).map(decodeLane);
  }

  /** Up to where each segment of the journal has been read. */
  cursors(): Map<string, number> {
    return new Map(this.#all('SELECT segment, read_to FROM cursors').map(decodeCursor));
  }

  count(event: NoticeEvent): number {
    return this.#number('SELECT count(*) AS n FROM notices WHERE event = ?', event) ?? 0;
  }

  /** Notices of a lane whose time has come, the first of them first. */
  due({ partnerId, destination }: LaneName, untilMs: number, max: number): StoredNotice[] {
    return this.#all(
      `SELECT *, -1 AS bid FROM notices
       WHERE demand_partner_id = ? AND destination = ? AND next_ms <= ? ORDER BY next_ms LIMIT ?`,
      partnerId,
      destination,
      untilMs,
      max,
    ).map(decodeNotice);
  }

  /** When the first notice of a lane is to be tried that is not due yet; Infinity without one. */
  nextMs({ partnerId, destination }: LaneName, afterMs: number): number {
    const nextMs = this.#number(
      `SELECT min(next_ms) AS n FROM notices
       WHERE demand_partner_id = ? AND destination = ? AND next_ms > ?`,
      partnerId,
      destination,
      afterMs,
    );
    return nextMs ?? Infinity;
  }

  /** Notices that were due until then, the oldest first. */
  dueUntil(event: NoticeEvent, untilMs: number, max: number): StoredNotice[] {
    return this.#all(
      'SELECT *, -1 AS bid FROM notices WHERE event = ? AND due_ms <= ? ORDER BY due_ms LIMIT ?',
      event,
      untilMs,
      max,
    ).map(decodeNotice);
  }

  /** Unix time in milliseconds since when a notice of this event waits; null when none does. */
  oldestDueMs(event: NoticeEvent): number | null {
    return this.#number('SELECT min(due_ms) AS n FROM notices WHERE event = ?', event);
  }

  /** Whether a notice is held that was due until then. */
  holdsUntil(untilMs: number): boolean {
    if (this.#held === 0) return false;
    return (
      this.#number(
        'SELECT count(*) AS n FROM (SELECT 1 FROM held WHERE due_ms <= ? LIMIT 1)',
        untilMs,
      ) !== 0
    );
  }

  /** @throws SQLite's error; nothing has been changed then. */
  commit(changes: StoreChanges): StoreCommit {
    return this.#transaction(() => {
      for (const row of changes.removed) this.#run('DELETE FROM notices WHERE row = ?', row);
      for (const { row, nextMs, tries, status } of changes.changed) {
        const sql = 'UPDATE notices SET next_ms = ?, tries = ?, status = ? WHERE row = ?';
        this.#run(sql, nextMs, tries, status, row);
      }
      const rows = changes.added.map((notice) => this.#insert(notice));
      const notHeld = this.#hold(changes.held);
      for (const { auctionId, imp } of changes.won) {
        const sql = 'DELETE FROM held WHERE auction_id = ? AND imp = ?';
        this.#held -= this.#run(sql, auctionId, imp).changes;
      }
      const released = this.#release(changes.releasedUntilMs);
      for (const [segment, readTo] of changes.cursors) {
        this.#run('INSERT OR REPLACE INTO cursors VALUES (?, ?)', segment, readTo);
      }
      for (const name of changes.gone) this.#run('DELETE FROM cursors WHERE segment = ?', name);
      return { rows, released, notHeld };
    });
  }

  #insert({ due, destination, nextMs, tries, status }: NoticeToStore): number {
    return this.#run(
      `INSERT INTO notices (demand_partner_id, destination, next_ms, event, due_ms, auction_id, imp,
         lineitem_id, tries, status, url) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      due.partnerId,
      destination,
      nextMs,
      due.event,
      due.dueMs,
      due.auctionId,
      due.imp,
      due.lineItemId,
      tries,
      status,
      due.url,
    ).row;
  }

  /** @returns how many there was no room for. */
  #hold(held: readonly DueNotice[]): number {
    const room = Math.max(0, HELD_MAX - this.#held);
    for (const { auctionId, imp, bid, partnerId, lineItemId, dueMs, url } of held.slice(0, room)) {
      this.#held += this.#run(
        'INSERT OR IGNORE INTO held VALUES (?, ?, ?, ?, ?, ?, ?)',
        auctionId,
        imp,
        bid,
        partnerId,
        lineItemId,
        dueMs,
        url,
      ).changes;
    }
    return Math.max(0, held.length - room);
  }

  #release(untilMs: number): DueNotice[] {
    const released = this.#all(
      `SELECT *, 0 AS row, 'loss' AS event, '' AS destination, 0 AS next_ms, 0 AS tries, 0 AS status
       FROM held WHERE due_ms <= ? ORDER BY due_ms LIMIT ?`,
      untilMs,
      RELEASED_MAX,
    ).map((row) => decodeNotice(row).due);
    for (const { auctionId, imp, bid } of released) {
      const sql = 'DELETE FROM held WHERE auction_id = ? AND imp = ? AND bid = ?';
      this.#held -= this.#run(sql, auctionId, imp, bid).changes;
    }
    return released;
  }

  /** What the store holds is being read anew from the journal, and is not whole yet. */
  get isRecovering(): boolean {
    return this.#number('SELECT count(*) AS n FROM recovery') !== 0;
  }

  beginRecovery(): void {
    this.#run('INSERT INTO recovery VALUES (1)');
  }

  endRecovery(): void {
    this.#transaction(() => {
      this.#run('DELETE FROM recorded');
      this.#run('DELETE FROM recovery');
    });
  }

  /** These notices are done, as the journal says: they are not due again. */
  addRecorded(ids: readonly string[]): void {
    this.#transaction(() => {
      for (const id of ids) this.#run('INSERT OR IGNORE INTO recorded VALUES (?)', id);
    });
  }

  isRecorded(id: string): boolean {
    return this.#number('SELECT count(*) AS n FROM recorded WHERE id = ?', id) !== 0;
  }

  #transaction<T>(work: () => T): T {
    const held = this.#held;
    return this.#timed(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        this.#held = held;
        // A full disk, for one, makes SQLite roll back by itself.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  #run(sql: string, ...values: (string | number)[]): { row: number; changes: number } {
    const { lastInsertRowid, changes } = this.#timed(() => this.#prepare(sql).run(...values));
    return { row: Number(lastInsertRowid), changes: Number(changes) };
  }

  #all(sql: string, ...values: (string | number)[]): unknown[] {
    return this.#timed(() => this.#prepare(sql).all(...values));
  }

  #number(sql: string, ...values: (string | number)[]): number | null {
    return decodeNumber(this.#all(sql, ...values)[0]);
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Counts the time of the outermost call. */
  #timed<T>(work: () => T): T {
    if (this.#isBusy) return work();
    const startMs = performance.now();
    this.#isBusy = true;
    try {
      return work();
    } finally {
      this.#isBusy = false;
      this.#busyMs += performance.now() - startMs;
    }
  }
}

/** Names a lane; see `notice-lane.ts`. */
export interface LaneName {
  readonly partnerId: number;
  readonly destination: string;
}
