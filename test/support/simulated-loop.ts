import type { LoopClock } from '../../src/base/loop-wait.ts';
import type { Admission } from '../../src/edge/admission.ts';
import type { OverloadReason } from '../../src/exchange/metrics.ts';
import { percentilesOf } from '../../sim/percentiles.ts';
import { createRandom, type Random } from '../../sim/random.ts';

/**
 * The event loop of an exchange process in simulated time: it reads what has come, handles one after the
 * other, and what it does takes its time. Requests come at random; bidders answer after a while of their own.
 */

/** What the work of a process takes of its time, in milliseconds. */
const COSTS_MS = { begin: 0.2, answer: 0.04, end: 0.1, refuse: 0.02 };
const BIDDERS = 5;
/** How many auctions that is in a second, if nothing else is done. */
export const CAPACITY = 1_000 / (COSTS_MS.begin + BIDDERS * COSTS_MS.answer + COSTS_MS.end);
/** A refusal, in seconds. */
export const REFUSAL_S = COSTS_MS.refuse / 1_000;
/** As libuv: so many events in one turn. */
const EVENTS_PER_TURN = 1_024;
export const TMAX_MS = 400;
/** An answer that takes longer is of no use to a publisher. */
const ANSWER_MAX_MS = TMAX_MS + 30;

export interface SimulatedLoad {
  /** Ad requests a second of each publisher, at a time in milliseconds. */
  readonly rates: readonly ((atMs: number) => number)[];
  readonly durationMs: number;
  /** How many times as much everything takes, at a time in milliseconds; once by default. */
  readonly slowness?: (atMs: number) => number;
  /** How long a bidder takes. */
  readonly bidderMs: (random: Random) => number;
  /** From when on what is seen counts. */
  readonly countFromMs: number;
}

export interface SimulatedResult {
  /** Auctions a second that were answered in time, of each publisher. */
  readonly goodput: readonly number[];
  /** Requests a second of each publisher, as chance made them. */
  readonly offered: readonly number[];
  readonly acceptedP99Ms: number;
  readonly refusedP99Ms: number;
  readonly refused: Readonly<Partial<Record<OverloadReason, number>>>;
}

type Event =
  | { readonly atMs: number; readonly kind: 'request'; readonly publisher: number }
  | { readonly atMs: number; readonly kind: 'answer'; readonly auction: SimulatedAuction };

interface SimulatedAuction {
  readonly publisher: number;
  readonly arrivedMs: number;
  waitsFor: number;
}

export class SimulatedLoop implements LoopClock {
  readonly #random: Random;
  readonly #events = new EventQueue();
  readonly #latenciesMs: { accepted: number[]; refused: number[] } = { accepted: [], refused: [] };
  #slowness: (atMs: number) => number = () => 1;
  #nowMs = 0;
  #sleptMs = 0;
  #turns = 0;
  #cpuMs = 0;
  #afterTurn: (() => void)[] = [];

  constructor(seed: string) {
    this.#random = createRandom(seed);
  }

  readonly now = (): number => this.#nowMs;
  readonly sleptMs = (): number => this.#sleptMs;
  readonly cpuMs = (): number => this.#cpuMs;
  readonly turns = (): number => this.#turns;
  readonly afterTurn = (callback: () => void): void => void this.#afterTurn.push(callback);

  run(admission: Admission, load: SimulatedLoad): SimulatedResult {
    const { rates, durationMs, countFromMs, slowness = () => 1 } = load;
    this.#slowness = slowness;
    for (const publisher of rates.keys()) this.#arrive(publisher, load);
    const good = rates.map(() => 0);
    const offered = rates.map(() => 0);
    const perSecond = (count: number): number => (count * 1_000) / (durationMs - countFromMs);
    const refused: Partial<Record<OverloadReason, number>> = {};
    for (let next = this.#events.first; next !== undefined; next = this.#events.first) {
      this.#turns += 1;
      if (next.atMs > this.#nowMs) {
        this.#sleptMs += next.atMs - this.#nowMs;
        this.#nowMs = next.atMs;
      }
      for (const event of this.#events.takeUntil(this.#nowMs, EVENTS_PER_TURN)) {
        if (event.kind === 'request') {
          const reason = this.#request(event, admission, load);
          if (event.atMs >= countFromMs)
            offered[event.publisher] = (offered[event.publisher] ?? 0) + 1;
          if (reason !== null && event.atMs >= countFromMs)
            refused[reason] = (refused[reason] ?? 0) + 1;
        } else if (this.#answer(event.auction, admission, countFromMs)) {
          good[event.auction.publisher] = (good[event.auction.publisher] ?? 0) + 1;
        }
      }
      for (const callback of this.#afterTurn.splice(0)) callback();
    }
    return {
      goodput: good.map(perSecond),
      offered: offered.map(perSecond),
      acceptedP99Ms: percentilesOf(this.#latenciesMs.accepted).p99,
      refusedP99Ms: percentilesOf(this.#latenciesMs.refused).p99,
      refused,
    };
  }

  #arrive(publisher: number, { rates, durationMs }: SimulatedLoad): void {
    const rateOf = rates[publisher];
    if (rateOf === undefined) throw new Error(`no rate for publisher ${publisher}`);
    let atMs = 0;
    for (;;) {
      atMs += (-Math.log(1 - this.#random.next()) * 1_000) / rateOf(atMs);
      if (atMs >= durationMs) return;
      this.#events.add({ atMs, kind: 'request', publisher });
    }
  }

  #request(
    { publisher, atMs }: Extract<Event, { kind: 'request' }>,
    admission: Admission,
    { bidderMs, countFromMs }: SimulatedLoad,
  ): OverloadReason | null {
    const reason = admission.admit(publisher + 1);
    if (reason !== null) {
      this.#take(COSTS_MS.refuse);
      if (atMs >= countFromMs) this.#latenciesMs.refused.push(this.#nowMs - atMs);
      return reason;
    }
    this.#take(COSTS_MS.begin);
    const auction = { publisher, arrivedMs: atMs, waitsFor: BIDDERS };
    for (let index = 0; index < BIDDERS; index += 1) {
      // Who does not answer is not waited for: the deadline takes as much as an answer.
      const takesMs = Math.min(bidderMs(this.#random), TMAX_MS - 10);
      this.#events.add({ atMs: this.#nowMs + takesMs, kind: 'answer', auction });
    }
    return null;
  }

  #take(ms: number): void {
    this.#nowMs += ms * this.#slowness(this.#nowMs);
    this.#cpuMs += ms;
  }

  /** Whether it was the auction's last, and in time. */
  #answer(auction: SimulatedAuction, admission: Admission, countFromMs: number): boolean {
    this.#take(COSTS_MS.answer);
    auction.waitsFor -= 1;
    if (auction.waitsFor > 0) return false;
    this.#take(COSTS_MS.end);
    admission.release();
    if (auction.arrivedMs < countFromMs) return false;
    const tookMs = this.#nowMs - auction.arrivedMs;
    this.#latenciesMs.accepted.push(tookMs);
    return tookMs <= ANSWER_MAX_MS;
  }
}

/** Events in the order of their times: a binary heap. */
class EventQueue {
  readonly #events: Event[] = [];

  get first(): Event | undefined {
    return this.#events[0];
  }

  add(event: Event): void {
    let at = this.#events.push(event) - 1;
    for (let above = (at - 1) >> 1; at > 0 && this.#isBefore(at, above); above = (at - 1) >> 1) {
      this.#swap(at, above);
      at = above;
    }
  }

  takeUntil(atMs: number, most: number): Event[] {
    const taken: Event[] = [];
    for (let first = this.first; first !== undefined && first.atMs <= atMs; first = this.first) {
      if (taken.length === most) break;
      taken.push(first);
      this.#removeFirst();
    }
    return taken;
  }

  #removeFirst(): void {
    const last = this.#events.pop();
    if (last === undefined || this.#events.length === 0) return;
    this.#events[0] = last;
    for (let at = 0; ;) {
      let below = 2 * at + 1;
      if (this.#isBefore(below + 1, below)) below += 1;
      if (!this.#isBefore(below, at)) return;
      this.#swap(at, below);
      at = below;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [first, second] = [this.#events[one], this.#events[other]];
    return first !== undefined && second !== undefined && first.atMs < second.atMs;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#events[one], this.#events[other]];
    if (first === undefined || second === undefined) throw new Error('beyond the end of a queue');
    this.#events[one] = second;
    this.#events[other] = first;
  }
}
