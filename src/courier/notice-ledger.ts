import assert from 'node:assert/strict';

import type { Delivery, DeliveryRecord } from '../events/delivery-record.ts';
import type { Journal } from '../journal/journal.ts';
import type { Notice, NoticeLane } from './notice-lane.ts';
import type { NoticeStore, NoticeToStore, StoreChanges, StoreCommit } from './notice-store.ts';
import type { DueNotice } from './notice.ts';

/** Deliveries in one line of the journal at most, so that it stays far below what a line may be. */
const DELIVERIES_MAX = 500;

export interface NoticeLedgerOptions {
  readonly store: NoticeStore;
  /** The courier's own; its records have to be durable. */
  readonly journal: Pick<Journal, 'append'>;
  readonly incarnation: string;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** How far the journal has been read: what a checkpoint lets the store know of it. */
export type ReadProgress = Pick<StoreChanges, 'cursors' | 'gone' | 'releasedUntilMs'>;

/** What a checkpoint has come to. */
export interface Checkpoint
  extends Omit<StoreCommit, 'rows'>, Omit<ReadProgress, 'releasedUntilMs'> {}

/** A checkpoint under way. */
interface Batch {
  readonly deliveries: readonly Delivery[];
  isRecorded: boolean;
  readonly changes: StoreChanges;
  readonly added: readonly Notice[];
  readonly changed: readonly Notice[];
  readonly removed: readonly Notice[];
  /** Entries of memory that it stands for. */
  readonly size: number;
}

type WonImp = StoreChanges['won'][number];

/**
 * What has changed since the last checkpoint. A checkpoint first writes to the journal what was
 * done, and then, in one transaction, takes that out of the store together with all that was read
 * and is not done, and with how far was read. Killed at any moment, the courier so finds every
 * notice that is due and not in the journal as done; some of those it will have called already.
 */
export class NoticeLedger {
  readonly #options: NoticeLedgerOptions;
  /** Neither done nor in the store. */
  #unsaved = new Set<Notice>();
  #changed: Notice[] = [];
  #removed: Notice[] = [];
  #deliveries: Delivery[] = [];
  #held = new Map<string, DueNotice[]>();
  #won: WonImp[] = [];
  #batch: Batch | null = null;
  readonly #pending: Record<Delivery['event'], number>;

  constructor(options: NoticeLedgerOptions) {
    this.#options = options;
    const { store } = options;
    this.#pending = { win: store.count('win'), billing: store.count('billing') };
  }

  /** Notices that are not done, wherever they are; of losses those that are held. */
  get pending(): { readonly win: number; readonly billing: number; readonly loss: number } {
    return { ...this.#pending, loss: this.#options.store.held + this.#held.size };
  }

  /** Entries that are in memory until the next checkpoint. */
  get size(): number {
    const changes = this.#unsaved.size + this.#changed.length + this.#removed.length;
    const others = this.#deliveries.length + this.#held.size + this.#won.length;
    return changes + others + (this.#batch?.size ?? 0);
  }

  /** A notice that was read from the journal. */
  add(due: DueNotice, lane: NoticeLane, nowMs: number): Notice {
    const notice: Notice = {
      due,
      lane,
      state: 'waiting',
      nextMs: nowMs,
      tries: 0,
      status: 0,
      row: 0,
      isSaved: false,
      isChanged: false,
    };
    this.#unsaved.add(notice);
    lane.unsaved += 1;
    lane.pending += 1;
    if (due.event !== 'loss') this.#pending[due.event] += 1;
    return notice;
  }

  /** Its next try is later, and it is forgotten until then. */
  postpone(notice: Notice, nextMs: number): void {
    notice.state = 'waiting';
    notice.nextMs = nextMs;
    if (!notice.isSaved) return;
    notice.isChanged = true;
    this.#changed.push(notice);
  }

  /** It is forgotten until there is room for it again; nothing else has changed. */
  putAside(notice: Notice): void {
    const { lane, row, nextMs } = notice;
    notice.state = 'waiting';
    if (row === 0) return;
    lane.loaded.delete(row);
    lane.waits(nextMs);
  }

  /** It is not due any more. */
  finish(notice: Notice, outcome: Delivery['outcome']): void {
    notice.state = 'done';
    notice.lane.pending -= 1;
    if (this.#unsaved.delete(notice)) notice.lane.unsaved -= 1;
    else {
      notice.isChanged = true;
      this.#removed.push(notice);
    }
    this.finishUnseen(notice.due, outcome, notice);
    if (notice.due.event !== 'loss') this.#pending[notice.due.event] -= 1;
  }

  /** As `finish`, of a notice that was never in a lane, since it cannot be called. */
  finishUnseen(
    { event, auctionId, imp, partnerId, lineItemId, dueMs }: DueNotice,
    outcome: Delivery['outcome'],
    { tries, status }: Pick<Notice, 'tries' | 'status'> = { tries: 0, status: 0 },
  ): void {
    if (event === 'loss') return;
    this.#deliveries.push({
      event,
      auction_id: auctionId,
      imp,
      demand_partner_id: partnerId,
      lineitem_id: lineItemId,
      due_ms: dueMs,
      outcome,
      status,
      // Where a destination fails, calls of other notices stand for those of this one.
      tries: Math.max(1, tries),
    });
  }

  hold(loss: DueNotice): void {
    const key = impKey(loss);
    const held = this.#held.get(key);
    if (held === undefined) this.#held.set(key, [loss]);
    else held.push(loss);
  }

  won(imp: WonImp): void {
    if (this.#held.delete(impKey(imp))) return;
    const isHeld = this.#options.store.held > 0 || (this.#batch?.changes.held.length ?? 0) > 0;
    if (isHeld) this.#won.push(imp);
  }

  /**
   * Brings everything to the disk; null when there is nothing to bring. One that failed is made
   * again, as it was, by the next call.
   *
   * @param progress asked for as the checkpoint begins.
   * @throws the journal's or SQLite's error
   */
  async checkpoint(progress: () => ReadProgress): Promise<Checkpoint | null> {
    const { store } = this.#options;
    this.#batch ??= this.#gather(progress());
    const batch = this.#batch;
    const { cursors, gone, releasedUntilMs } = batch.changes;
    const isEmpty = batch.size + cursors.length + gone.length === 0;
    if (isEmpty && !store.holdsUntil(releasedUntilMs)) {
      this.#batch = null;
      return null;
    }
    if (!batch.isRecorded) await this.#record(batch.deliveries);
    batch.isRecorded = true;
    const { rows, released, notHeld } = store.commit(batch.changes);
    this.#batch = null;
    settle(batch, rows);
    return { released, notHeld, cursors, gone };
  }

  #gather(progress: ReadProgress): Batch {
    const size = this.size;
    const [added, changed, removed] = [[...this.#unsaved], this.#changed, this.#removed];
    for (const notice of added) notice.isSaved = true;
    const batch: Batch = {
      deliveries: this.#deliveries,
      isRecorded: this.#deliveries.length === 0,
      added,
      changed,
      removed,
      changes: {
        ...progress,
        added: added.map(toStore),
        changed: changed.map(({ row, nextMs, tries, status }) => ({ row, nextMs, tries, status })),
        removed: removed.map(({ row }) => row),
        held: [...this.#held.values()].flat(),
        won: this.#won,
      },
      size,
    };
    this.#unsaved = new Set();
    this.#held = new Map();
    [this.#changed, this.#removed, this.#deliveries, this.#won] = [[], [], [], []];
    return batch;
  }

  async #record(deliveries: readonly Delivery[]): Promise<void> {
    const { journal, incarnation, now } = this.#options;
    const written: Promise<void>[] = [];
    for (let from = 0; from < deliveries.length; from += DELIVERIES_MAX) {
      const record: DeliveryRecord = {
        kind: 'delivery',
        node: incarnation,
        at_ms: now(),
        deliveries: deliveries.slice(from, from + DELIVERIES_MAX),
      };
      written.push(append(journal, JSON.stringify(record)));
    }
    await Promise.all(written);
  }
}

function append(journal: Pick<Journal, 'append'>, record: string): Promise<void> {
  return new Promise((resolve, reject) => {
    journal.append(record, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}

function toStore({ due, lane, nextMs, tries, status }: Notice): NoticeToStore {
  return { due, destination: lane.destination, nextMs, tries, status };
}

/** The store is as the batch says: what it has may be forgotten, unless it has changed since. */
function settle({ added, changed, removed }: Batch, rows: readonly number[]): void {
  for (const [index, notice] of added.entries()) {
    const { lane } = notice;
    notice.row = rows[index] ?? 0;
    assert(notice.row > 0, 'the store has not said where a notice is');
    lane.unsaved -= 1;
    lane.stored += 1;
    if (notice.state === 'waiting' && !notice.isChanged) lane.waits(notice.nextMs);
    else lane.loaded.add(notice.row);
  }
  for (const { lane, row, nextMs } of changed) {
    lane.loaded.delete(row);
    lane.waits(nextMs);
  }
  for (const { lane, row } of removed) {
    lane.loaded.delete(row);
    lane.stored -= 1;
  }
}

function impKey({ auctionId, imp }: Pick<DueNotice, 'auctionId' | 'imp'>): string {
  return `${auctionId}-${imp}`;
}
