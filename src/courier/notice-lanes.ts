import { LANE_CALLS_MAX, NoticeLane, type Notice } from './notice-lane.ts';
import type { LaneName } from './notice-store.ts';
import { destinationOf, type DueNotice } from './notice.ts';

/** Calls under way at a time: of all partners, and of each. */
const CALLS_MAX = 4 * LANE_CALLS_MAX;
const PARTNER_CALLS_MAX = LANE_CALLS_MAX;

/** Destinations of a partner that have a lane of their own; the others share one. */
const PARTNER_LANES_MAX = 64;
const OTHER_DESTINATIONS = '*';

/** The lanes of one partner, of which one after the other has its turn. */
interface Partner {
  readonly lanes: Map<string, NoticeLane>;
  turns: NoticeLane[];
  turn: number;
  inFlight: number;
  /** It is among those who have turns. */
  isWaiting: boolean;
}

/** What is to be called now. */
export interface Turn {
  readonly lane: NoticeLane;
  readonly item: Notice | DueNotice;
}

/**
 * The lanes of all partners. Partners have turns, and the lanes of each among themselves, each with
 * a limit of calls under way: who does not answer keeps nobody else waiting.
 */
export class NoticeLanes {
  readonly #partners = new Map<number, Partner>();
  /** Partners with something to call, in their turn. */
  #waiting: Partner[] = [];
  #turn = 0;
  #inFlight = 0;

  /** Calls under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  *[Symbol.iterator](): Generator<NoticeLane> {
    for (const { lanes } of this.#partners.values()) yield* lanes.values();
  }

  /** The lane of a notice; null where its address cannot be called. */
  laneOf({ partnerId, url }: DueNotice): NoticeLane | null {
    const destination = destinationOf(url);
    return destination === null ? null : this.lane({ partnerId, destination });
  }

  lane({ partnerId, destination }: LaneName): NoticeLane {
    const { lanes } = this.#partner(partnerId);
    const known = lanes.get(destination);
    if (known !== undefined) return known;
    if (destination !== OTHER_DESTINATIONS && lanes.size >= PARTNER_LANES_MAX) {
      if (!this.#forgetIdle(partnerId)) {
        return this.lane({ partnerId, destination: OTHER_DESTINATIONS });
      }
    }
    const lane = new NoticeLane({ partnerId, destination });
    lanes.set(destination, lane);
    this.#partner(partnerId).turns.push(lane);
    return lane;
  }

  push(notice: Notice): void {
    notice.lane.push(notice);
    this.#wait(notice.lane);
  }

  /** @returns false when it is dropped. */
  pushLoss(lane: NoticeLane, loss: DueNotice): boolean {
    const isTaken = lane.pushLoss(loss);
    if (isTaken) this.#wait(lane);
    return isTaken;
  }

  /** Takes what is called next, which then is under way; null when nothing may be called now. */
  next(monotonicMs: number): Turn | null {
    if (this.#inFlight >= CALLS_MAX) return null;
    for (let tried = this.#waiting.length; tried > 0; tried -= 1) {
      this.#turn = this.#turn >= this.#waiting.length ? 0 : this.#turn;
      const partner = this.#waiting[this.#turn];
      if (partner === undefined) return null;
      const turn = takeTurn(partner, monotonicMs);
      if (turn === 'empty') {
        partner.isWaiting = false;
        this.#waiting.splice(this.#turn, 1);
        continue;
      }
      this.#turn += 1;
      if (turn === null) continue;
      this.#count(turn.lane, 1);
      return turn;
    }
    return null;
  }

  /** It was not called after all, since its destination takes no more for now. */
  putBack({ lane, item }: Turn, monotonicMs: number): void {
    this.#count(lane, -1);
    lane.unshift(item, monotonicMs);
    this.#wait(lane);
  }

  /** A call has ended. */
  ended(lane: NoticeLane): void {
    this.#count(lane, -1);
  }

  #partner(id: number): Partner {
    let partner = this.#partners.get(id);
    if (partner === undefined) {
      partner = { lanes: new Map(), turns: [], turn: 0, inFlight: 0, isWaiting: false };
      this.#partners.set(id, partner);
    }
    return partner;
  }

  #forgetIdle(partnerId: number): boolean {
    const partner = this.#partner(partnerId);
    for (const lane of partner.lanes.values()) {
      if (!lane.isIdle || lane.isFailing) continue;
      partner.lanes.delete(lane.destination);
      partner.turns = partner.turns.filter((each) => each !== lane);
      return true;
    }
    return false;
  }

  #wait({ partnerId }: LaneName): void {
    const partner = this.#partner(partnerId);
    if (partner.isWaiting) return;
    partner.isWaiting = true;
    this.#waiting.push(partner);
  }

  #count(lane: NoticeLane, change: number): void {
    this.#inFlight += change;
    lane.inFlight += change;
    this.#partner(lane.partnerId).inFlight += change;
  }
}

/** Null when nothing of the partner may be called now, `empty` when nothing waits. */
function takeTurn(partner: Partner, monotonicMs: number): Turn | 'empty' | null {
  const { turns } = partner;
  let isEmpty = true;
  for (let tried = turns.length; tried > 0; tried -= 1) {
    partner.turn = (partner.turn + 1) % turns.length;
    const lane = turns[partner.turn];
    if (lane === undefined || lane.queued + lane.queuedLosses === 0) continue;
    isEmpty = false;
    if (partner.inFlight >= PARTNER_CALLS_MAX || !lane.mayCall(monotonicMs)) continue;
    const item = lane.shift();
    if (item !== undefined) return { lane, item };
  }
  return isEmpty ? 'empty' : null;
}
