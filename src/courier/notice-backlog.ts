import type { Logger } from 'pino';

import type { NoticeCaller } from './notice-caller.ts';
import { QUEUED_MAX, type Notice, type NoticeLane } from './notice-lane.ts';
import type { NoticeLanes } from './notice-lanes.ts';
import type { StoredNotice } from './notice-rows.ts';
import { lifeEndsMs, WAIT_MAX_MS } from './notice-schedule.ts';
import type { NoticeStore } from './notice-store.ts';

export interface NoticeBacklogOptions {
  readonly store: NoticeStore;
  readonly lanes: NoticeLanes;
  readonly caller: NoticeCaller;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** The clock of `performance.now()`. */
  readonly monotonic: () => number;
  /** Notices in the store; beyond it the oldest of the fullest lane are given up. */
  readonly storedMax: number;
}

/** Notices of a lane that are in the store and in memory, those included that are done, at most. */
const LOADED_MAX = 2_048;

/** Notices that are given up at a time. */
const GIVEN_UP_MAX = 2_000;

/** A notice whose last try is under way, or about to be, is not given up yet. */
const LAST_TRY_MS = 30_000;

/** That there is no room is said this often at most. */
const EXCESS_LINE_MS = 60_000;

/** The notices that wait in the store: brings them back to their lanes, or gives them up. */
export class NoticeBacklog {
  readonly #options: NoticeBacklogOptions;
  /** When the log last said that there is no room, and how many were given up since. */
  #excessToldMs = -Infinity;
  #excess = 0;

  constructor(options: NoticeBacklogOptions) {
    this.#options = options;
    for (const { partnerId, destination, notices, nextMs } of options.store.lanes()) {
      const lane = options.lanes.lane({ partnerId, destination });
      lane.stored = notices;
      lane.pending = notices;
      lane.nextStoredMs = nextMs;
    }
  }

  /** Brings what may be called now and has room; of a failing lane only one to try it with. */
  refill(): void {
    for (const lane of this.#options.lanes) this.#refill(lane);
  }

  /**
   * Gives up what waits behind a lane that fails and has waited for long enough: what was tried in
   * its place counts. Where a lane works each has its own last try, however late: it may have waited
   * for this courier, or for those before it.
   */
  giveUpOld(): void {
    const { store, lanes, caller, now } = this.#options;
    for (const event of ['win', 'billing'] as const) {
      const untilMs = now() - lifeEndsMs(event, 0) - LAST_TRY_MS;
      for (const stored of store.dueUntil(event, untilMs, GIVEN_UP_MAX)) {
        const { partnerId } = stored.due;
        const lane = lanes.lane({ partnerId, destination: stored.destination });
        if (lane.loaded.has(stored.row) || !lane.isFailing) continue;
        caller.finish(restore(stored, lane), 'given_up');
      }
    }
  }

  /** Gives up the oldest of the lane that has most, when there is no room for all. */
  giveUpExcess(): void {
    const { store, lanes, caller, storedMax } = this.#options;
    const all = [...lanes];
    const excess = all.reduce((sum, { stored }) => sum + stored, 0) - storedMax;
    if (excess <= 0) return;
    const lane = all.reduce((most, each) => (each.stored > most.stored ? each : most));
    const max = Math.min(excess, GIVEN_UP_MAX) + lane.loaded.size;
    const oldest = store
      .due(lane, Number.MAX_SAFE_INTEGER, max)
      .filter(({ row }) => !lane.loaded.has(row));
    for (const stored of oldest) caller.finish(restore(stored, lane), 'given_up');
    this.#tellExcess(lane, oldest.length);
  }

  #tellExcess({ partnerId: demandPartnerId }: NoticeLane, count: number): void {
    const { logger, monotonic } = this.#options;
    this.#excess += count;
    if (monotonic() - this.#excessToldMs < EXCESS_LINE_MS) return;
    const details = { demandPartnerId, notices: this.#excess };
    logger.error(details, 'more notices wait than are kept; the oldest are given up');
    this.#excessToldMs = monotonic();
    this.#excess = 0;
  }

  #refill(lane: NoticeLane): void {
    const { now, monotonic } = this.#options;
    const nowMs = now();
    // None waits for so long, unless the clock was set back meanwhile.
    const isLost = lane.nextStoredMs > nowMs + WAIT_MAX_MS && lane.nextStoredMs < Infinity;
    if (lane.nextStoredMs > nowMs && !isLost) return;
    const untilMs = isLost ? Number.MAX_SAFE_INTEGER : nowMs;
    if (lane.isFailing) {
      const isTime = lane.queued + lane.inFlight === 0 && lane.mayCall(monotonic());
      if (isTime) this.#load(lane, untilMs, 1);
    } else if (lane.queued <= QUEUED_MAX / 4 && lane.loaded.size < LOADED_MAX) {
      this.#load(lane, untilMs, QUEUED_MAX - lane.queued);
    }
  }

  #load(lane: NoticeLane, untilMs: number, max: number): void {
    const { store, lanes } = this.#options;
    const due = store
      .due(lane, untilMs, max + lane.loaded.size)
      .filter(({ row }) => !lane.loaded.has(row))
      .slice(0, max);
    for (const stored of due) lanes.push(restore(stored, lane));
    if (due.length < max) lane.nextStoredMs = store.nextMs(lane, untilMs);
  }
}

/** The notice in memory again. */
function restore({ row, due, nextMs, tries, status }: StoredNotice, lane: NoticeLane): Notice {
  lane.loaded.add(row);
  const isSaved = true;
  const isChanged = false;
  return { due, lane, state: 'waiting', nextMs, tries, status, row, isSaved, isChanged };
}
