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
 * (docs/decisions/0031-overload.md). What work then still waits for the loop corrects the cost.
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
/** A window that is so long is one in which hardly anybody asked. */
const QUIET_MS = 4 * WINDOW_MS;
/** After a longer silence nothing is left of what publishers wanted. */
const FORGET_MS = 1_000;
/** Time that was not used can be used later, but no more than this: so much is made up for after a pause. */
const CREDIT_MS = 40;
/** So much more than there is time for is admitted, because requests do not come evenly. */
const DEBT_MAX_MS = 10;
/** Where an auction takes long, as on a crowded machine or after a start, a few may still come together. */
const DEBT_MAX_AUCTIONS = 8;
/** The part of the loop's time that publishers are given: the rest is for their bursts. */
const DIVIDED_SHARE = 0.97;
/** How fast parts follow what there is to divide: what corrects the cost for a moment is not to turn them over. */
const DIVISION_GAIN = 0.1;
/**
 * So few auctions make one another wait for some milliseconds at most. Clients that wait for their answers, and have no
 * more connections than that, use all of the time and are not refused for it: of them, no more come than end.
 */
const UNDER_WAY_MIN = 32;
const FLOOD_FACTOR = 1.5;
/** Auctions that a publisher may have at once, however small its part is. */
const PUBLISHER_BURST_MIN = 5;

/**
 * What a refusal costs, as a part of an auction: some 18 µs (`refuse.ts`) of 450. As a time of its own it would be
 * too little where others use the processor too, and what refusals take would be taken for auctions.
 */
const REFUSAL_SHARE = 0.04;
/** Taken for the cost of an auction until it is measured. Lower than any is. */
const FIRST_COST_MS = 0.05;
/**
 * Time that passes while others use the processor is lost as well, and is part of a cost; but only up to so many
 * times of what was used, because a process that gets next to nothing would take itself for a slow one.
 */
const CONTENTION_MAX = 3;
/** What fewer auctions cost says little. */
const MEASURED_AUCTIONS_MIN = 10;
const COST_GAIN = 0.15;
/** With which a cost is taken over that is twice of what was known, or half, as after a start. */
const COST_JUMP_GAIN = 0.6;

/** A queue stands where everything waits for longer (CoDel). */
const WAIT_GOAL_MS = 3;
const CORRECTION_MIN = 0.5;
const CORRECTION_MAX = 2;
/** A loop that sleeps for more of its time has time, whatever was measured. */
const SLEEP_SHARE_MAX = 0.25;

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
  /** Auctions that the process can hold in a millisecond. */
  #perMs = 1 / FIRST_COST_MS;
  #costMs = FIRST_COST_MS;
  /** Of which the next measure is made; refusals are parts of auctions. */
  readonly #measured = { auctions: 0, tookMs: 0, cpuMs: 0 };
  /** What the cost is multiplied by, because of what waits. */
  #correction = 1;
  /** Time of the loop that was promised and has not passed; negative for time that was not used. */
  #debtMs = 0;
  #debtAtMs = 0;
  #underWay = 0;
  #isRefusing = false;
  /** Whether many more have come than were answered. */
  #isFlooded = false;
  /** Whether everything waits, where after a pause of the machine only some did. */
  #isStanding = false;
  #window: Window;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#wait = new LoopWait(options.clock);
    this.#window = this.#openWindow(options.clock.now());
  }

  /** Whether there may not be time for all: then it matters whose a request is, and else it need not be known. */
  get isPressed(): boolean {
    return this.#isRefusing || this.#level < Infinity || this.#debtMs > this.#debtMaxMs / 2;
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
    const creditMs = this.#isRefusing ? 0 : CREDIT_MS;
    this.#debtMs = Math.max(-creditMs, this.#debtMs - (nowMs - this.#debtAtMs));
    this.#debtAtMs = nowMs;
    this.#window.leastWaitMs = Math.min(this.#window.leastWaitMs, waitedMs);
    if (nowMs - this.#window.startMs >= WINDOW_MS) this.#endWindow(nowMs);
    const share = this.isPressed ? this.#shareOf(publisher, nowMs) : null;
    const reason = this.#reasonAgainst(waitedMs, share);
    if (reason === null) {
      if (share !== null) share.tokens = Math.max(0, share.tokens - 1);
      this.#underWay += 1;
      this.#window.admitted += 1;
      this.#debtMs = Math.min(3 * this.#debtMaxMs, this.#debtMs + this.#costMs * this.#correction);
    } else {
      this.#isRefusing = true;
      this.#window.refused += 1;
      const refusalMs = this.#costMs * this.#correction * REFUSAL_SHARE;
      this.#debtMs = Math.min(3 * this.#debtMaxMs, this.#debtMs + refusalMs);
    }
    return reason;
  }

  /** The auction has been answered, or came to nothing. */
  release(): void {
    this.#underWay -= 1;
    this.#window.ended += 1;
  }

  get #debtMaxMs(): number {
    return Math.max(DEBT_MAX_MS, DEBT_MAX_AUCTIONS * this.#costMs * this.#correction);
  }

  #reasonAgainst(waitedMs: number, share: PublisherShare | null): OverloadReason | null {
    if (this.#underWay >= this.#options.auctionsMax) return 'full';
    if (this.#underWay < UNDER_WAY_MIN && !this.#isFlooded) return null;
    if (share !== null && share.tokens < 1) return 'share';
    // What is known to wait is owed as well.
    const waitsMs = this.#isStanding ? Math.max(0, waitedMs - WAIT_GOAL_MS) : 0;
    // Whoever wants less than its part is the last to be refused.
    const isModest = share !== null && this.#level < Infinity && share.wanted < this.#level;
    const debtMaxMs = isModest ? 2 * this.#debtMaxMs : this.#debtMaxMs;
    return this.#debtMs + waitsMs > debtMaxMs ? 'busy' : null;
  }

  #shareOf(publisher: number, nowMs: number): PublisherShare {
    let share = this.#publishers.get(publisher);
    if (share === undefined) {
      share = { arrived: 0, wanted: 0, tokens: PUBLISHER_BURST_MIN, atMs: nowMs };
      this.#publishers.set(publisher, share);
    }
    share.arrived += 1;
    const tokensMax = Math.max(PUBLISHER_BURST_MIN, this.#level * this.#debtMaxMs);
    // The other way round, no time at all of an infinite level would be no number.
    const gained = this.#level === Infinity ? tokensMax : this.#level * (nowMs - share.atMs);
    share.tokens = Math.min(tokensMax, share.tokens + gained);
    share.atMs = nowMs;
    return share;
  }

  #endWindow(nowMs: number): void {
    const { clock } = this.#options;
    const { startMs, sleptMs, cpuMs, leastWaitMs, admitted, ended, refused } = this.#window;
    const lengthMs = nowMs - startMs;
    if (lengthMs > QUIET_MS) return this.#endSilence(nowMs);
    const sleepMs = clock.sleptMs() - sleptMs;
    // One half of an auction is done when it is admitted, the other when it ends.
    this.#measured.tookMs += lengthMs - sleepMs;
    this.#measured.cpuMs += clock.cpuMs() - cpuMs;
    this.#measure((admitted + ended) / 2 + refused * REFUSAL_SHARE);
    if (refused > 0 && sleepMs > lengthMs * SLEEP_SHARE_MAX) this.#correction *= 0.99;
    else this.#correct(leastWaitMs, refused > 0);
    this.#correction = Math.min(CORRECTION_MAX, Math.max(CORRECTION_MIN, this.#correction));
    const allPerMs = 1 / (this.#costMs * this.#correction);
    const perMs = Math.max(allPerMs / 20, allPerMs - (refused * REFUSAL_SHARE) / lengthMs);
    this.#perMs += (perMs - this.#perMs) * DIVISION_GAIN;
    this.#divide(this.#perMs * DIVIDED_SHARE, lengthMs);
    this.#isRefusing = refused > 0;
    this.#isFlooded = admitted + refused > FLOOD_FACTOR * ended + UNDER_WAY_MIN;
    this.#isStanding = leastWaitMs > WAIT_GOAL_MS;
    this.#window = this.#openWindow(nowMs);
  }

  /** What the loop has done while hardly anybody asked is no part of what auctions cost. */
  #endSilence(nowMs: number): void {
    this.#forgetMeasured();
    if (nowMs - this.#window.startMs > FORGET_MS) this.#publishers.clear();
    this.#level = Infinity;
    this.#isRefusing = false;
    this.#isFlooded = false;
    this.#isStanding = false;
    this.#window = this.#openWindow(nowMs);
  }

  #forgetMeasured(): void {
    this.#measured.auctions = 0;
    this.#measured.tookMs = 0;
    this.#measured.cpuMs = 0;
  }

  #measure(auctions: number): void {
    const measured = this.#measured;
    measured.auctions += auctions;
    if (measured.auctions < MEASURED_AUCTIONS_MIN) return;
    const lostMs = Math.min(measured.tookMs, measured.cpuMs * CONTENTION_MAX);
    const costMs = Math.max(FIRST_COST_MS, lostMs / measured.auctions);
    const isJump = costMs > 2 * this.#costMs || costMs < this.#costMs / 2;
    this.#costMs += (costMs - this.#costMs) * (isJump ? COST_JUMP_GAIN : COST_GAIN);
    this.#forgetMeasured();
  }

  /** More is taken for the cost while work waits, less while it does not and something is refused. */
  #correct(leastWaitMs: number, hasRefused: boolean): void {
    const over = leastWaitMs / WAIT_GOAL_MS;
    if (over > 1) this.#correction *= 1 + Math.min(0.05, 0.01 * over);
    else if (hasRefused) this.#correction *= 0.99;
    else this.#correction += (1 - this.#correction) * 0.025;
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
      cpuMs: this.#options.clock.cpuMs(),
      leastWaitMs: Infinity,
      admitted: 0,
      ended: 0,
      refused: 0,
    };
  }
}

/** What was counted since the last measure. */
interface Window {
  readonly startMs: number;
  /** For how long the loop had slept by then, and what it had used of a processor. */
  readonly sleptMs: number;
  readonly cpuMs: number;
  /** Of all its requests; one has come when it ends. */
  leastWaitMs: number;
  admitted: number;
  ended: number;
  refused: number;
}
