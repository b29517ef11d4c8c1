import { setImmediate, setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Journal } from '../journal/journal.ts';
import type { NoticeClient, NoticeReply } from '../ports/notice-client.ts';
import { noOutcomes, type NoticeFigures } from './notice-figures.ts';
import { QUEUED_MAX, type Notice, type NoticeLane } from './notice-lane.ts';
import { NoticeLanes, type Turn } from './notice-lanes.ts';
import { NoticeLedger } from './notice-ledger.ts';
import type { NoticeSink } from './notice-lines.ts';
import { NoticeReader } from './notice-reader.ts';
import { isUnreadable } from './notice-database.ts';
import type { StoredNotice } from './notice-rows.ts';
import { lifeEndsMs, nextTryMs, NOTICE_WITHIN_MS, WAIT_MAX_MS } from './notice-schedule.ts';
import type { NoticeStore } from './notice-store.ts';
import { noticeId, type DueNotice } from './notice.ts';

export interface NoticesOptions {
  readonly journalDirectory: string;
  readonly incarnation: string;
  readonly store: NoticeStore;
  /** The courier's own, durable. */
  readonly journal: Pick<Journal, 'append'>;
  readonly client: Pick<NoticeClient, 'call'>;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** The clock of `performance.now()`. */
  readonly monotonic: () => number;
  /** For tests. */
  readonly storedMax?: number;
}

/** How often the journal is looked at. */
const LOOK_MS = 100;
const CHECKPOINT_MS = 1_000;

/** So much in memory that only a checkpoint lets go of: nothing more is read before that. */
const UNSAVED_MAX = 20_000;

/** Reading goes on for so long before calls and answers have their turn. */
const READ_MS = 5;

/** Notices in the store; beyond it the oldest of the fullest lane are given up. */
const STORED_MAX = 1_000_000;
/** Notices that are given up at a time. */
const GIVEN_UP_MAX = 2_000;
/** A beacon is recorded a moment after it came. */
const HELD_SLACK_MS = 2_000;

/** Notices of a lane that are in the store and in memory, those included that are done, at most. */
const LOADED_MAX = 2_048;

const STOP_LOOK_MS = 10;

/** A notice whose last try is under way, or about to be, is not given up yet. */
const LAST_TRY_MS = 30_000;

/**
 * Calls the notices that the journal makes due: reads them, calls them in turns, writes what became
 * of them, and keeps what has to wait in the store. Memory is bounded whatever partners do.
 */
export class Notices implements NoticeSink {
  readonly #options: NoticesOptions;
  readonly #ledger: NoticeLedger;
  readonly #reader: NoticeReader;
  readonly #lanes = new NoticeLanes();
  readonly #outcomes = noOutcomes();
  readonly #stopping = new AbortController();
  /** How far each segment has been read, as the store has it. */
  readonly #read: Map<string, number>;
  #isRecovering: boolean;
  #hasReadAll = false;
  #tries = 0;
  #checkpointMs = -Infinity;
  #failing = false;
  #pumping = false;
  #running: Promise<void> | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
    const { store, journal, incarnation, now, logger, journalDirectory: directory } = options;
    this.#ledger = new NoticeLedger({ store, journal, incarnation, now });
    this.#read = store.cursors();
    this.#reader = new NoticeReader({
      directory,
      incarnation,
      cursors: this.#read,
      sink: this,
      logger,
      now,
    });
    this.#isRecovering = store.isRecovering;
    for (const { partnerId, destination, notices, nextMs } of store.lanes()) {
      const lane = this.#lanes.lane({ partnerId, destination });
      lane.stored = notices;
      lane.nextStoredMs = nextMs;
    }
  }

  get figures(): NoticeFigures {
    const { store, now } = this.#options;
    const oldestMs = Math.min(
      store.oldestDueMs('win') ?? Infinity,
      store.oldestDueMs('billing') ?? Infinity,
    );
    return {
      outcomes: this.#outcomes,
      pending: this.#ledger.pending,
      oldestSeconds: oldestMs === Infinity ? 0 : Math.max(0, now() - oldestMs) / 1000,
      tries: this.#tries,
      failingDestinations: [...this.#lanes].filter(({ isFailing }) => isFailing).length,
      storeSeconds: store.busySeconds,
    };
  }

  /** Whether a segment of this size may be removed: the store has all that it makes due, or it is done. */
  hasPassed(segment: string, bytes: number): boolean {
    const readTo = this.#reader.readTo(segment, bytes);
    return readTo !== null && readTo <= (this.#read.get(segment) ?? 0);
  }

  /**
   * Calls notices until `stop`.
   *
   * @throws SQLite's error when the store is not readable any more; all others are waited out
   */
  run(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Calls nothing more, waits for what is under way as long as a grace lasts, and saves all. */
  async stop(graceMs: number): Promise<void> {
    const { monotonic } = this.#options;
    this.#stopping.abort();
    await this.#running;
    const endMs = monotonic() + graceMs;
    while (this.#lanes.inFlight > 0 && monotonic() < endMs) await delay(STOP_LOOK_MS);
    await this.#checkpoint();
  }

  /**
   * One look at the journal, and a checkpoint when it is time.
   *
   * @throws what makes it impossible for now
   */
  async step(): Promise<void> {
    const { monotonic } = this.#options;
    if (monotonic() - this.#checkpointMs >= CHECKPOINT_MS) {
      await this.#checkpoint();
      this.#giveUpOld();
      this.#giveUpExcess();
    }
    await this.#readOn();
    if (this.#ledger.size >= UNSAVED_MAX) await this.#checkpoint();
    for (const lane of this.#lanes) this.#refill(lane);
    this.#pump();
  }

  onNotice(due: DueNotice): void {
    if (this.#isRecovering && !this.#isStillDue(due)) return;
    const lane = this.#lanes.laneOf(due);
    if (due.event === 'loss') {
      if (lane === null || !this.#lanes.pushLoss(lane, due)) this.#outcomes.loss.dropped += 1;
      return;
    }
    if (lane === null) {
      this.#ledger.finishUnseen(due, 'given_up');
      this.#outcomes[due.event].givenUp += 1;
      return;
    }
    const nowMs = this.#options.now();
    const notice = this.#ledger.add(due, lane, nowMs);
    if (lane.takes(nowMs)) this.#lanes.push(notice);
  }

  onHeld(due: DueNotice): void {
    if (this.#isRecovering && due.dueMs <= this.#options.now()) return;
    this.#ledger.hold(due);
  }

  onWon(auctionId: string, imp: number): void {
    this.#ledger.won({ auctionId, imp });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.step();
        if (this.#failing) this.#options.logger.info('notices are called again');
        this.#failing = false;
      } catch (error) {
        if (isUnreadable(error)) throw error;
        if (!this.#failing) {
          this.#options.logger.error({ err: error }, 'notices wait: their state cannot be kept');
        }
        this.#failing = true;
      }
      await delay(this.#failing ? CHECKPOINT_MS : LOOK_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Reads the journal to the end, unless what was read has to be saved first. */
  async #readOn(): Promise<void> {
    const { monotonic } = this.#options;
    let untilMs = monotonic() + READ_MS;
    while (this.#ledger.size < UNSAVED_MAX) {
      if (!this.#reader.read()) {
        this.#hasReadAll = true;
        return;
      }
      if (monotonic() < untilMs) continue;
      this.#pump();
      await setImmediate();
      untilMs = monotonic() + READ_MS;
    }
  }

  async #checkpoint(): Promise<void> {
    const { store, logger, monotonic } = this.#options;
    const isRecovered = this.#isRecovering && this.#hasReadAll;
    const checkpoint = await this.#ledger.checkpoint(() => ({
      ...this.#reader.takeProgress(),
      releasedUntilMs: this.#reader.readUntilMs - HELD_SLACK_MS,
    }));
    this.#checkpointMs = monotonic();
    for (const [segment, readTo] of checkpoint?.cursors ?? []) this.#read.set(segment, readTo);
    for (const segment of checkpoint?.gone ?? []) this.#read.delete(segment);
    this.#outcomes.loss.dropped += checkpoint?.notHeld ?? 0;
    for (const loss of checkpoint?.released ?? []) this.onNotice(loss);
    if (!isRecovered) return;
    store.endRecovery();
    this.#isRecovering = false;
    logger.warn({ pending: this.#ledger.pending }, 'the state of notices is whole again');
  }

  /** While the store is filled from the journal: losses had their time, as had most wins. */
  #isStillDue(due: DueNotice): boolean {
    const { store, now } = this.#options;
    if (due.event === 'loss') return false;
    if (due.event === 'win' && lifeEndsMs('win', due.dueMs) < now()) return false;
    return !store.isRecorded(noticeId(due));
  }

  /** Brings notices from the store whose time has come; of a failing lane only one to try it with. */
  #refill(lane: NoticeLane): void {
    const nowMs = this.#options.now();
    // None waits for so long, unless the clock was set back meanwhile.
    const isLost = lane.nextStoredMs > nowMs + WAIT_MAX_MS && lane.nextStoredMs < Infinity;
    if (lane.nextStoredMs > nowMs && !isLost) return;
    if (lane.isFailing) {
      const isTime = lane.queued + lane.inFlight === 0 && lane.mayCall(this.#options.monotonic());
      if (isTime) this.#load(lane, isLost ? Infinity : nowMs, 1);
    } else if (lane.queued <= QUEUED_MAX / 4 && lane.loaded.size < LOADED_MAX) {
      this.#load(lane, isLost ? Infinity : nowMs, QUEUED_MAX - lane.queued);
    }
  }

  #load(lane: NoticeLane, untilMs: number, max: number): void {
    const { store } = this.#options;
    const untilKnownMs = Math.min(untilMs, Number.MAX_SAFE_INTEGER);
    const due = store
      .due(lane, untilKnownMs, max + lane.loaded.size)
      .filter(({ row }) => !lane.loaded.has(row))
      .slice(0, max);
    for (const stored of due) this.#lanes.push(this.#restore(stored, lane));
    if (due.length < max) lane.nextStoredMs = store.nextMs(lane, untilKnownMs);
  }

  #restore({ row, due, nextMs, tries, status }: StoredNotice, lane: NoticeLane): Notice {
    lane.loaded.add(row);
    const isSaved = true;
    const isChanged = false;
    return { due, lane, state: 'waiting', nextMs, tries, status, row, isSaved, isChanged };
  }

  #pump(): void {
    if (this.#stopping.signal.aborted) return;
    const { monotonic } = this.#options;
    const startMs = monotonic();
    for (let turn = this.#lanes.next(startMs); turn !== null; turn = this.#lanes.next(startMs)) {
      this.#call(turn, startMs);
    }
  }

  #call(turn: Turn, startMs: number): void {
    const { client, now } = this.#options;
    const due = 'lane' in turn.item ? turn.item.due : turn.item;
    if ('lane' in turn.item) turn.item.state = 'calling';
    const calledMs = now();
    client.call(
      {
        url: due.url,
        id: noticeId(due),
        bodyBytesMax: 0,
        deadlineMs: startMs + NOTICE_WITHIN_MS,
      },
      (reply) => this.#answered(turn, reply, { calledMs, startMs }),
    );
  }

  #answered(turn: Turn, reply: NoticeReply, began: Began): void {
    const { lane, item } = turn;
    if (reply.kind === 'busy') {
      if ('lane' in item) item.state = 'queued';
      this.#lanes.putBack(turn, this.#options.monotonic());
      return;
    }
    this.#lanes.ended(lane);
    this.#tries += 1;
    const isDelivered = reply.kind === 'answer' ? reply.status < 500 : reply.kind === 'oversized';
    const isCallable = reply.kind !== 'error' || reply.code !== 'ERR_INVALID_URL';
    if (isDelivered) lane.answered();
    else if (isCallable) this.#failed(lane, began.startMs);
    if (!('lane' in item)) {
      this.#outcomes.loss[isDelivered ? 'delivered' : 'givenUp'] += 1;
    } else {
      item.tries += 1;
      if (reply.kind === 'answer') item.status = reply.status;
      const { event, dueMs } = item.due;
      const nextMs = isDelivered || !isCallable ? null : nextTryMs(event, dueMs, began.calledMs);
      if (nextMs === null) this.#finish(item, isDelivered ? 'delivered' : 'given_up');
      else this.#ledger.postpone(item, nextMs);
    }
    this.#pumpSoon();
  }

  #failed(lane: NoticeLane, startMs: number): void {
    const hasFailed = lane.isFailing;
    lane.failed(startMs, this.#options.monotonic());
    if (hasFailed || !lane.isFailing) return;
    const { notices, losses } = lane.spill();
    for (const notice of notices) this.#ledger.putAside(notice);
    this.#outcomes.loss.dropped += losses;
  }

  #finish(notice: Notice, outcome: 'delivered' | 'given_up'): void {
    this.#ledger.finish(notice, outcome);
    this.#outcomes[notice.due.event][outcome === 'delivered' ? 'delivered' : 'givenUp'] += 1;
  }

  /** Once for all answers that have come together. */
  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    queueMicrotask(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  /**
   * Gives up what has been tried for long enough. What has not been tried is, however late: it was
   * this courier that was away. Where a lane fails, what was tried in its place counts.
   */
  #giveUpOld(): void {
    const { store, now } = this.#options;
    for (const event of ['win', 'billing'] as const) {
      const untilMs = now() - lifeEndsMs(event, 0) - LAST_TRY_MS;
      for (const stored of store.dueUntil(event, untilMs, GIVEN_UP_MAX)) {
        const { partnerId } = stored.due;
        const lane = this.#lanes.lane({ partnerId, destination: stored.destination });
        if (lane.loaded.has(stored.row) || (stored.tries === 0 && !lane.isFailing)) continue;
        this.#finish(this.#restore(stored, lane), 'given_up');
      }
    }
  }

  /** Gives up the oldest of the lane that has most, when there is no room for all. */
  #giveUpExcess(): void {
    const { store, logger, storedMax = STORED_MAX } = this.#options;
    const lanes = [...this.#lanes];
    const excess = lanes.reduce((sum, { stored }) => sum + stored, 0) - storedMax;
    if (excess <= 0) return;
    const lane = lanes.reduce((most, each) => (each.stored > most.stored ? each : most));
    const max = Math.min(excess, GIVEN_UP_MAX) + lane.loaded.size;
    const oldest = store
      .due(lane, Number.MAX_SAFE_INTEGER, max)
      .filter(({ row }) => !lane.loaded.has(row));
    for (const stored of oldest) this.#finish(this.#restore(stored, lane), 'given_up');
    const { partnerId, destination } = lane;
    logger.error(
      { partnerId, destination, notices: oldest.length },
      'more notices wait than are kept; the oldest are given up',
    );
  }
}

/** When a call began, on both clocks. */
interface Began {
  readonly calledMs: number;
  readonly startMs: number;
}
