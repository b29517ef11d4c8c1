import { EXPIRY_STEP_MS, OPEN_EXPIRIES_MAX } from '../ports/leases.ts';
import { type Amount, noAmount } from './amount.ts';
import { ADVANCE_KEPT } from './budget-grant.ts';

/** After a grant that did not come, the next is asked for after this long, then twice as long. */
const ASK_PAUSE_MIN_MS = 1_000;
const ASK_PAUSE_MAX_MS = 16_000;

/** What expires at one time: reserved, and the part of it that was given back and can be used again. */
interface Expiry {
  readonly reserved: Amount;
  readonly spare: Amount;
}

/**
 * One line item's budget in one process. What is reserved only grows, for a control that hears of it
 * late must never think that less is out there than is: what is given back is kept beside, for the
 * next win that expires at the same time.
 */
export class HeldBudget {
  readonly lineItemId: number;
  /** The UTC day that the grant is for; empty without one. */
  date = '';
  readonly granted: Amount = noAmount();
  readonly reserved: Amount = noAmount();
  dearestMicros = 0;
  /** The report that says its newest state, and the one that asks for more; they may be to come. */
  changedIn = 0;
  wantedIn = 0;
  readonly #open = new Map<number, Expiry>();
  /** Below this, more is asked for before it is used up. */
  readonly #low: Amount = noAmount();
  /** What was left when it did not cover a win: too little until there is more. */
  #tooLittleMicros = 0;
  #askFromMs = 0;
  #askPauseMs = ASK_PAUSE_MIN_MS;

  constructor(lineItemId: number) {
    this.lineItemId = lineItemId;
  }

  /** @returns whether a win may be covered now. */
  grant(date: string, impressions: number, micros: number): boolean {
    const { granted, reserved } = this;
    const isMore =
      date !== this.date || impressions > granted.impressions || micros > granted.micros;
    this.date = date;
    granted.impressions = impressions;
    granted.micros = micros;
    this.#low.impressions = Math.max(0, impressions - reserved.impressions) * ADVANCE_KEPT;
    this.#low.micros = Math.max(0, micros - reserved.micros) * ADVANCE_KEPT;
    if (isMore) this.#tooLittleMicros = 0;
    // Who is told that nothing is left asks less and less often.
    const hasSome =
      impressions > reserved.impressions && micros - reserved.micros > this.#tooLittleMicros;
    if (!isMore && !hasSome) return false;
    this.#askFromMs = 0;
    this.#askPauseMs = ASK_PAUSE_MIN_MS;
    return hasSome;
  }

  /** The lease that it was of has expired. What is reserved stays. */
  revoke(): void {
    this.date = '';
    this.granted.impressions = 0;
    this.granted.micros = 0;
    this.#askFromMs = 0;
  }

  /** Whether a win that expires then could be covered, as far as impressions go. */
  hasImpression(expiresMs: number): boolean {
    const { granted, reserved } = this;
    if (reserved.impressions + 1 <= granted.impressions) return true;
    return (this.#open.get(stepOf(expiresMs))?.spare.impressions ?? 0) >= 1;
  }

  /** Whether there is money left for a win that expires then, and more than was too little before. */
  hasMoney(expiresMs: number): boolean {
    return this.#leftMicros(expiresMs) > this.#tooLittleMicros;
  }

  /** Whether these micro-dollars are left; what is too little is remembered. */
  covers(micros: number, expiresMs: number): boolean {
    this.dearestMicros = Math.max(this.dearestMicros, micros);
    const leftMicros = this.#leftMicros(expiresMs);
    if (micros <= leftMicros) return true;
    this.#tooLittleMicros = Math.max(this.#tooLittleMicros, leftMicros);
    return false;
  }

  /** @pre what is limited covers it. */
  reserve(micros: number, expiresMs: number): void {
    const { reserved, spare } = this.#expiry(stepOf(expiresMs));
    const fromSpare = {
      impressions: Math.min(1, spare.impressions),
      micros: Math.min(micros, spare.micros),
    };
    const fresh = { impressions: 1 - fromSpare.impressions, micros: micros - fromSpare.micros };
    spare.impressions -= fromSpare.impressions;
    spare.micros -= fromSpare.micros;
    reserved.impressions += fresh.impressions;
    reserved.micros += fresh.micros;
    this.reserved.impressions += fresh.impressions;
    this.reserved.micros += fresh.micros;
    this.dearestMicros = Math.max(this.dearestMicros, micros);
  }

  release(micros: number, expiresMs: number): void {
    const expiry = this.#open.get(stepOf(expiresMs));
    // What is settled or was put together with another expiry is lost: it counts as used.
    if (expiry === undefined) return;
    const { reserved, spare } = expiry;
    spare.impressions = Math.min(reserved.impressions, spare.impressions + 1);
    spare.micros = Math.min(reserved.micros, spare.micros + micros);
  }

  /** So much is used that it should be filled up. */
  get isLow(): boolean {
    const { granted, reserved } = this;
    return (
      granted.impressions - reserved.impressions < this.#low.impressions ||
      granted.micros - reserved.micros < this.#low.micros
    );
  }

  /** Whether it may be asked for now; if so, not again before a pause that grows. */
  mayAsk(nowMs: number): boolean {
    if (nowMs < this.#askFromMs) return false;
    this.#askFromMs = nowMs + this.#askPauseMs;
    this.#askPauseMs = Math.min(2 * this.#askPauseMs, ASK_PAUSE_MAX_MS);
    return true;
  }

  /** What is reserved and not settled, by expiry. */
  openSince(settledMs: number): { untilMs: number; impressions: number; micros: number }[] {
    const open = [];
    for (const [untilMs, { reserved }] of this.#open) {
      if (untilMs > settledMs) open.push({ untilMs, ...reserved });
      else this.#open.delete(untilMs);
    }
    return open;
  }

  #leftMicros(expiresMs: number): number {
    const spare = this.#open.get(stepOf(expiresMs))?.spare.micros ?? 0;
    return this.granted.micros - this.reserved.micros + spare;
  }

  #expiry(untilMs: number): Expiry {
    const known = this.#open.get(untilMs);
    if (known !== undefined) return known;
    if (this.#open.size >= OPEN_EXPIRIES_MAX) this.#joinEarliest();
    const created = { reserved: noAmount(), spare: noAmount() };
    this.#open.set(untilMs, created);
    return created;
  }

  /** Nothing was settled for hours. To say that something expires later than it does is safe. */
  #joinEarliest(): void {
    const [first, second] = [...this.#open.keys()].sort((one, other) => one - other);
    if (first === undefined || second === undefined) return;
    const earliest = this.#open.get(first);
    const next = this.#open.get(second);
    if (earliest === undefined || next === undefined) return;
    next.reserved.impressions += earliest.reserved.impressions;
    next.reserved.micros += earliest.reserved.micros;
    this.#open.delete(first);
  }
}

/** The step of `EXPIRY_STEP_MS` that an expiry belongs to, by its end. */
function stepOf(expiresMs: number): number {
  return Math.ceil(expiresMs / EXPIRY_STEP_MS) * EXPIRY_STEP_MS;
}
