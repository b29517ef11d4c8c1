/** Demand is averaged over some seconds, so that leases follow it and not its noise. */
const AVERAGED_MS = 5_000;
/** Counts over less than this say too little. */
const MEASURED_MIN_MS = 500;
/** A change of less than this part is not told. */
const TOLD_CHANGE = 0.2;
/** Below this there is no demand. */
const PER_SECOND_MIN = 0.01;
/** After so many reports everything is told again, for a control that has forgotten it. */
const TOLD_AGAIN_AFTER = 60;

interface Demand {
  asked: number;
  perSecond: number;
  told: number;
  /** The report that told it last. */
  toldIn: number;
}

/** How often a second each limit is asked for, and what control has not heard of that. */
export class RateDemand {
  readonly #demands = new Map<string, Demand>();
  #measuredMs: number;

  /** @param nowMs monotonic. */
  constructor(nowMs: number) {
    this.#measuredMs = nowMs;
  }

  count(key: string): void {
    const demand = this.#demands.get(key);
    if (demand === undefined) {
      this.#demands.set(key, { asked: 1, perSecond: 0, told: 0, toldIn: 0 });
    } else demand.asked += 1;
  }

  /**
   * What the report of this number is to say.
   *
   * @param acknowledged the last report that control has answered.
   */
  tell(
    report: number,
    acknowledged: number,
    nowMs: number,
  ): { key: string; wantedPerSecond: number }[] {
    this.#measure(nowMs);
    const rates = [];
    for (const [key, demand] of this.#demands) {
      const { perSecond, told } = demand;
      const isOld = told > 0 && report - demand.toldIn >= TOLD_AGAIN_AFTER;
      if (isOld || Math.abs(perSecond - told) > TOLD_CHANGE * told) {
        demand.told = perSecond;
        demand.toldIn = report;
      }
      if (demand.toldIn > acknowledged) rates.push({ key, wantedPerSecond: round(demand.told) });
      else if (perSecond === 0 && demand.asked === 0) this.#demands.delete(key);
    }
    return rates;
  }

  #measure(nowMs: number): void {
    const elapsedMs = nowMs - this.#measuredMs;
    if (elapsedMs < MEASURED_MIN_MS) return;
    this.#measuredMs = nowMs;
    const weight = 1 - Math.exp(-elapsedMs / AVERAGED_MS);
    for (const demand of this.#demands.values()) {
      const nowPerSecond = (demand.asked * 1000) / elapsedMs;
      demand.asked = 0;
      // A first count is believed at once: whoever starts to ask shall not wait.
      if (demand.perSecond === 0) demand.perSecond = nowPerSecond;
      else demand.perSecond += (nowPerSecond - demand.perSecond) * weight;
      if (demand.perSecond < PER_SECOND_MIN) demand.perSecond = 0;
    }
  }
}

/** Three digits are enough to share by. */
function round(perSecond: number): number {
  return Number(perSecond.toPrecision(3));
}
