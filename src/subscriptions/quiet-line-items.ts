const HOUR_MS = 3_600_000;

/** A line item that should have traffic. */
export interface ActiveLineItem {
  readonly id: number;
  readonly name: string;
  readonly demandPartnerId: number;
}

/** What is known of one line item's bid requests. */
interface Seen {
  /** Of the day that was looked at last. */
  requests: number;
  /** When there were more than before, or it was first looked at; Unix time in milliseconds. */
  changedMs: number;
  /** There were more than at the first look. */
  hasRisen: boolean;
}

/**
 * Tells which line items have had no bid request for an hour, by the sums of the day that reports are
 * made of. An hour begins when a line item is first seen active: after a start of control, too.
 */
export class QuietLineItems {
  #seen = new Map<number, Seen>();
  #date = '';

  /**
   * @param requests bid requests of the UTC day so far, by line item; those without any are left out.
   * @returns the line items that are quiet, out of `active`.
   */
  look(
    active: readonly ActiveLineItem[],
    { date, requests, nowMs }: Requests & { readonly nowMs: number },
  ): readonly ActiveLineItem[] {
    const isSameDay = date === this.#date;
    this.#date = date;
    const before = this.#seen;
    // Those that are active no more are forgotten.
    this.#seen = new Map();
    return active.filter(({ id }) => {
      const sum = requests.get(id) ?? 0;
      const known = before.get(id);
      const lastSum = isSameDay ? (known?.requests ?? 0) : 0;
      const isMore = known !== undefined && sum > lastSum;
      const changedMs = known === undefined || isMore ? nowMs : known.changedMs;
      const hasRisen = isMore || known?.hasRisen === true;
      this.#seen.set(id, { requests: sum, changedMs, hasRisen });
      return nowMs - changedMs >= HOUR_MS;
    });
  }

  /** Whether a line item was seen to have bid requests; what was before the first look is not known. */
  hasHadTraffic(id: number): boolean {
    return this.#seen.get(id)?.hasRisen === true;
  }
}

/** Bid requests of a UTC day so far. */
export interface Requests {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly requests: ReadonlyMap<number, number>;
}
