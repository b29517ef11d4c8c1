import type { NoticeClient, NoticeReply } from '../ports/notice-client.ts';
import { noOutcomes } from './notice-figures.ts';
import type { Notice, NoticeLane } from './notice-lane.ts';
import type { NoticeLanes, Turn } from './notice-lanes.ts';
import type { NoticeLedger } from './notice-ledger.ts';
import { nextTryMs, NOTICE_WITHIN_MS } from './notice-schedule.ts';
import type { NoticeWatch } from './notice-watch.ts';
import { noticeId, type DueNotice } from './notice.ts';

export interface NoticeCallerOptions {
  readonly lanes: NoticeLanes;
  readonly ledger: NoticeLedger;
  readonly client: Pick<NoticeClient, 'call'>;
  readonly watch: NoticeWatch;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** The clock of `performance.now()`. */
  readonly monotonic: () => number;
}

/** When a call began, on both clocks. */
interface Began {
  readonly calledMs: number;
  readonly startMs: number;
}

/** Calls what waits in the lanes, in their turns, and decides what becomes of it. */
export class NoticeCaller {
  readonly outcomes = noOutcomes();
  /** Calls that were made. */
  tries = 0;
  readonly #options: NoticeCallerOptions;
  #isStopped = false;
  #isPumping = false;

  constructor(options: NoticeCallerOptions) {
    this.#options = options;
  }

  /** Takes a notice that has fallen due: it is called in its turn, or written to the disk first. */
  take(due: DueNotice): void {
    const { lanes, ledger, watch, now } = this.#options;
    const lane = lanes.laneOf(due);
    if (due.event === 'loss') {
      if (lane === null || !lanes.pushLoss(lane, due)) this.outcomes.loss.dropped += 1;
      return;
    }
    if (lane === null) {
      ledger.finishUnseen(due, 'given_up');
      this.outcomes[due.event].givenUp += 1;
      watch.gaveUpUncallable(due.partnerId);
      return;
    }
    const nowMs = now();
    const notice = ledger.add(due, lane, nowMs);
    if (lane.takes(nowMs)) lanes.push(notice);
  }

  /** Calls all that may be called now. */
  pump(): void {
    if (this.#isStopped) return;
    const { lanes, monotonic } = this.#options;
    const startMs = monotonic();
    for (let turn = lanes.next(startMs); turn !== null; turn = lanes.next(startMs)) {
      this.#call(turn, startMs);
    }
  }

  /** Calls nothing more; what is under way is still heard. */
  stop(): void {
    this.#isStopped = true;
  }

  finish(notice: Notice, outcome: 'delivered' | 'given_up'): void {
    this.#options.ledger.finish(notice, outcome);
    if (outcome === 'given_up') this.#options.watch.gaveUp(notice.lane);
    this.outcomes[notice.due.event][outcome === 'delivered' ? 'delivered' : 'givenUp'] += 1;
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
    const { lanes, watch, monotonic } = this.#options;
    const { lane, item } = turn;
    if (reply.kind === 'busy') {
      if ('lane' in item) item.state = 'queued';
      lanes.putBack(turn, monotonic());
      return;
    }
    lanes.ended(lane);
    this.tries += 1;
    const isDelivered = reply.kind === 'answer' ? reply.status < 500 : reply.kind === 'oversized';
    const isCallable = reply.kind !== 'error' || reply.code !== 'ERR_INVALID_URL';
    if (!isDelivered) watch.failed(lane, reply);
    if (isDelivered) lane.answered();
    else if (isCallable) this.#failed(lane, began.startMs);
    if (!('lane' in item)) this.outcomes.loss[isDelivered ? 'delivered' : 'givenUp'] += 1;
    else {
      item.tries += 1;
      if (reply.kind === 'answer') item.status = reply.status;
      if (isDelivered) this.finish(item, 'delivered');
      else this.#tryLater(item, isCallable, began.calledMs);
    }
    this.#pumpSoon();
  }

  #tryLater(notice: Notice, isCallable: boolean, calledMs: number): void {
    const { event, dueMs } = notice.due;
    const nextMs = isCallable ? nextTryMs(event, dueMs, calledMs) : null;
    if (nextMs === null) this.finish(notice, 'given_up');
    else this.#options.ledger.postpone(notice, nextMs);
  }

  #failed(lane: NoticeLane, startMs: number): void {
    const { ledger, monotonic } = this.#options;
    const hasFailed = lane.isFailing;
    lane.failed(startMs, monotonic());
    if (hasFailed || !lane.isFailing) return;
    const { notices, losses } = lane.spill();
    for (const notice of notices) ledger.putAside(notice);
    this.outcomes.loss.dropped += losses;
  }

  /** Once for all answers that have come together. */
  #pumpSoon(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    queueMicrotask(() => {
      this.#isPumping = false;
      this.pump();
    });
  }
}
