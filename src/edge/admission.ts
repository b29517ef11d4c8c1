import { LoopWait, type LoopClock } from '../base/loop-wait.ts';
import type { OverloadReason } from '../exchange/metrics.ts';
import { fairLevel } from '../limits/fair-parts.ts';

/**
 * Which ad requests a process takes on when there are more than it can answer in time.
 *
 * The scarce thing is the time of the event loop, and an auction takes half of its part long after it
 * was admitted, when the bidders have answered. So it is paid for in advance: what an auction costs is
 * measured, and admitted is what the loop has time for. That holds however long bidders take, where a limit on
 * auctions under way, found by their latency, would mostly measure the bidders
 * (docs/decisions/0035-overload.md). What work then still waits for the loop corrects the cost.
 */

export interface AdmissionOptions {
  readonly clock: LoopClock;
  /** Auctions that the process holds at a time at most, because each takes memory. */
  readonly auctionsMax: number;
}

/** What operators see of it. */
export interface AdmissionFigures {
  readonly auctionsUnderWay: number;
  /** What an auction takes of the loop's time, as far as it was measured. */
  readonly costMs: number;
}

/** For requests whose publisher cannot be told before they are read. They share one part. */
export const UNKNOWN_PUBLISHER = 0;

/** How often costs are measured and parts are divided. */
const WINDOW_MS = 50;
/** After a longer silence nothing is left of what publishers wanted. */
const FORGET_MS = 1_000;
/** Time that was not used can be used later, but no more than this: so much is made up for after a pause. */
const CREDIT_MS = 40;
/** So much more than there is time for is admitted, because requests do not come evenly. */
const DEBT_MAX_MS = 10;
/** The part of the loop's time that publishers are given: the rest is for their bursts. */
const DIVIDED_SHARE = 0.97;
/** Auctions that a publisher may have at once, however small its part is. */
const PUBLISHER_BURST_MIN = 5;

/** What a refusal takes of the loop's time. Measured: 15 to 18 µs (`refuse.ts`). */
const REFUSAL_COST_MS = 0.02;
/** Taken for the cost of an auction until it is measured. Lower than any is. */
const FIRST_COST_MS = 0.05;
/** What fewer auctions cost, or a loop that mostly sleeps, says little. */
const MEASURED_AUCTIONS_MIN = 10;
const MEASURED_BUSY_SHARE_MIN = 0.25;
const COST_GAIN = 0.15;
/** With which a cost is taken over that is twice of what was known. */
const COST_JUMP_GAIN = 0.6;

/** Up to this mean nobody minds that work waits. */
const WAIT_GOAL_MS = 5;
const CORRECTION_MIN = 0.7;
const CORRECTION_MAX = 2;

/** What one publisher wants, and may have at once. */
interface PublisherShare {
  /** Requests in this window. */
  arrived: number;
  /** Requests in a millisecond, smoothed. */
  wanted: number;
  /** Auctions that it may have now. */
  tokens: number;
  atMs: number;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #wait: LoopWait;
  readonly #publishers = new Map<number, PublisherShare>();
  /** Auctions that any publisher may have in a millisecond; Infinity while there is enough for all. */
  #level = Infinity;
  #costMs = FIRST_COST_MS;
  /** What the cost is multiplied by, because of what waits. */
  #correction = 1;
  /** Time of the loop that was promised and has not passed; negative for time that was not used. */
  #debtMs = 0;
  #debtAtMs = 0;
  #underWay = 0;
  #isRefusing = false;
  #window: Window;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#wait = new LoopWait(options.clock);
    this.#window = this.#openWindow(options.clock.now());
  }

  /** Whether there may not be time for all: then it matters whose a request is, and else it need not be known. */
  get isPressed(): boolean {
    return this.#isRefusing || this.#level < Infinity || this.#debtMs > DEBT_MAX_MS / 2;
  }

  get figures(): AdmissionFigures {
    return { auctionsUnderWay: this.#underWay, costMs: this.#costMs * this.#correction };
  }

  /** Since when a request that is handled now can have been there, on the clock of the loop. */
  arrivalMs(): number {
    const nowMs = this.#options.clock.now();
    return nowMs - this.#wait.waitedMs(nowMs);
  }

  /**
   * Admits an auction, which then has to be released, or says why not.
   *
   * @param publisher whose request it is; it is not looked at unless the process is pressed.
   */
  admit(publisher: number): OverloadReason | null {
    const nowMs = this.#options.clock.now();
    const waitedMs = this.#wait.waitedMs(nowMs);
    if (nowMs - this.#window.startMs >= WINDOW_MS) this.#endWindow(nowMs);
    const creditMs = this.#isRefusing ? 0 : CREDIT_MS;
    this.#debtMs = Math.max(-creditMs, this.#debtMs - (nowMs - this.#debtAtMs));
    this.#debtAtMs = nowMs;
    this.#window.requests += 1;
    this.#window.waitedMs += waitedMs;
    const share = this.isPressed ? this.#shareOf(publisher, nowMs) : null;
    const reason = this.#reasonAgainst(waitedMs, share);
    if (reason === null) {
      if (share !== null) share.tokens -= 1;
      this.#underWay += 1;
      this.#window.admitted += 1;
      this.#debtMs += this.#costMs * this.#correction;
    } else {
      this.#isRefusing = true;
      this.#window.refused += 1;
      this.#debtMs += REFUSAL_COST_MS;
    }
    return reason;
  }

  /** The auction has been answered, or came to nothing. */
  release(): void {
    this.#underWay -= 1;
    this.#window.ended += 1;
  }

  #reasonAgainst(waitedMs: number, share: PublisherShare | null): OverloadReason | null {
    if (this.#underWay >= this.#options.auctionsMax) return 'full';
    if (share !== null && share.tokens < 1) return 'share';
    // What is known to wait is owed as well, unless all that came was a pause.
    const waitsMs = share === null ? 0 : Math.max(0, waitedMs - WAIT_GOAL_MS);
    return this.#debtMs + waitsMs > DEBT_MAX_MS ? 'busy' : null;
  }

  #shareOf(publisher: number, nowMs: number): PublisherShare {
    let share = this.#publishers.get(publisher);
    if (share === undefined) {
      share = { arrived: 0, wanted: 0, tokens: PUBLISHER_BURST_MIN, atMs: nowMs };
      this.#publishers.set(publisher, share);
    }
    share.arrived += 1;
    const tokensMax = Math.max(PUBLISHER_BURST_MIN, this.#level * DEBT_MAX_MS);
    // The other way round, no time at all of an infinite level would be no number.
    const gained = this.#level === Infinity ? tokensMax : this.#level * (nowMs - share.atMs);
    share.tokens = Math.min(tokensMax, share.tokens + gained);
    share.atMs = nowMs;
    return share;
  }

  #endWindow(nowMs: number): void {
    const { clock } = this.#options;
    const { startMs, sleptMs, requests, waitedMs, admitted, ended, refused } = this.#window;
    const lengthMs = nowMs - startMs;
    const refusalsMs = refused * REFUSAL_COST_MS;
    const busyMs = lengthMs - (clock.sleptMs() - sleptMs);
    // One half of an auction is done when it is admitted, the other when it ends.
    const auctions = (admitted + ended) / 2;
    if (auctions >= MEASURED_AUCTIONS_MIN && busyMs > lengthMs * MEASURED_BUSY_SHARE_MIN) {
      this.#measure((busyMs - refusalsMs) / auctions);
    }
    this.#correct(requests === 0 ? 0 : waitedMs / requests, refused > 0);
    const timeShare = Math.max(0.05, 1 - refusalsMs / lengthMs);
    const perMs = timeShare / (this.#costMs * this.#correction);
    this.#divide(perMs * DIVIDED_SHARE, lengthMs);
    this.#isRefusing = refused > 0;
    this.#window = this.#openWindow(nowMs);
  }

  #measure(costMs: number): void {
    const gain = costMs > 2 * this.#costMs ? COST_JUMP_GAIN : COST_GAIN;
    this.#costMs += (Math.max(FIRST_COST_MS, costMs) - this.#costMs) * gain;
  }

  /** More is taken for the cost while work waits, less while it does not and something is refused. */
  #correct(meanWaitMs: number, hasRefused: boolean): void {
    const over = meanWaitMs / WAIT_GOAL_MS;
    if (over > 1) this.#correction *= 1 + Math.min(0.05, 0.01 * over);
    else if (hasRefused) this.#correction *= 0.995;
    else this.#correction += (1 - this.#correction) * 0.025;
    this.#correction = Math.min(CORRECTION_MAX, Math.max(CORRECTION_MIN, this.#correction));
  }

  /** Who wants less than an equal part of `perMs` auctions in a millisecond gets it, whatever others want. */
  #divide(perMs: number, lengthMs: number): void {
    if (lengthMs > FORGET_MS) this.#publishers.clear();
    const wanted: number[] = [];
    for (const [publisher, share] of this.#publishers) {
      const gain = share.wanted === 0 ? 1 : 0.2;
      share.wanted += (share.arrived / lengthMs - share.wanted) * gain;
      share.arrived = 0;
      if (share.wanted * FORGET_MS < 0.1) this.#publishers.delete(publisher);
      else wanted.push(share.wanted);
    }
    this.#level = fairLevel(wanted, perMs);
  }

  #openWindow(startMs: number): Window {
    return {
      startMs,
      sleptMs: this.#options.clock.sleptMs(),
      requests: 0,
      waitedMs: 0,
      admitted: 0,
      ended: 0,
      refused: 0,
    };
  }
}

/** What was counted since the last measure. */
interface Window {
  readonly startMs: number;
  /** For how long the loop had slept by then. */
  readonly sleptMs: number;
  requests: number;
  /** The sum over all requests. */
  waitedMs: number;
  admitted: number;
  ended: number;
  refused: number;
}
