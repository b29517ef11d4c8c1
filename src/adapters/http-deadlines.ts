/**
 * The deadlines of all open calls on one timer: a wheel of one-millisecond slots, each a linked
 * list threaded through the entries, so that adding and removing costs no allocation. The timer is
 * armed for the earliest slot in use. Nearly every call is answered before its deadline, and a
 * timer that finds its slot empty moves to the next slot in use: under load it fires about as often
 * as a deadline is long, not once per call.
 */

/** What stands in the wheel; the three fields after `dueMs` belong to the wheel alone. */
export interface DeadlineEntry {
  /** Absolute, on the clock given to the wheel. Meaningful while the entry is in it. */
  dueMs: number;
  /** Index of the slot that holds the entry; `NO_SLOT` outside the wheel. */
  slot: number;
  previous: DeadlineEntry | null;
  next: DeadlineEntry | null;
  /** Called once when due, after the entry was taken out; it may add itself again. */
  onDue(): void;
}

/** The value of `slot` for an entry that stands in no wheel. */
export const NO_SLOT = -1;

/** A power of two. A deadline further away than this many milliseconds goes round again. */
const SLOTS = 1024;

/** Fires up to one millisecond early rather than late; later only when the event loop is busy. */
export class DeadlineWheel {
  readonly #now: () => number;
  readonly #slots: (DeadlineEntry | null)[] = Array.from({ length: SLOTS }, () => null);
  readonly #tick = (): void => this.#fire();
  #size = 0;
  /** While slots are being fired, their order must not change. */
  #firing = false;
  /** Every slot up to and with this millisecond has been fired. */
  #firedMs = 0;
  #timer: NodeJS.Timeout | null = null;
  /** The millisecond that the timer is set for; Infinity without a timer. */
  #armedMs = Number.POSITIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#size;
  }

  /** A deadline that has passed already fires with the next turn of the timer. */
  add(entry: DeadlineEntry, dueMs: number): void {
    // An empty wheel has nothing to fire in the time that has passed since.
    if (this.#size === 0 && !this.#firing) {
      this.#firedMs = Math.max(this.#firedMs, Math.floor(this.#now()) - 1);
    }
    entry.dueMs = dueMs;
    const slotMs = this.#link(entry);
    if (slotMs < this.#armedMs) this.#arm(slotMs);
  }

  /** Does nothing for an entry that is not in the wheel. */
  remove(entry: DeadlineEntry): void {
    if (entry.slot === NO_SLOT) return;
    if (entry.previous === null) this.#slots[entry.slot] = entry.next;
    else entry.previous.next = entry.next;
    if (entry.next !== null) entry.next.previous = entry.previous;
    entry.previous = null;
    entry.next = null;
    entry.slot = NO_SLOT;
    this.#size -= 1;
  }

  /** Stops the timer. What is still in the wheel never fires. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#armedMs = Number.POSITIVE_INFINITY;
  }

  /** Puts the entry into the slot of its millisecond, at most one turn of the wheel ahead. */
  #link(entry: DeadlineEntry): number {
    const slotMs = Math.min(
      Math.max(Math.floor(entry.dueMs), this.#firedMs + 1),
      this.#firedMs + SLOTS - 1,
    );
    const slot = slotMs % SLOTS;
    const head = this.#slots[slot] ?? null;
    entry.slot = slot;
    entry.next = head;
    entry.previous = null;
    if (head !== null) head.previous = entry;
    this.#slots[slot] = entry;
    this.#size += 1;
    return slotMs;
  }

  #arm(slotMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#armedMs = slotMs;
    // The timer keeps no process alive: an open call has a socket that does.
    this.#timer = setTimeout(this.#tick, Math.max(1, Math.ceil(slotMs - this.#now()))).unref();
  }

  #fire(): void {
    this.#timer = null;
    this.#armedMs = Number.POSITIVE_INFINITY;
    const nowMs = Math.floor(this.#now());
    // After a pause longer than a turn, one turn visits every slot there is.
    this.#firedMs = Math.max(this.#firedMs, nowMs - SLOTS);
    this.#firing = true;
    while (this.#firedMs < nowMs) {
      this.#firedMs += 1;
      this.#fireSlot(this.#firedMs % SLOTS);
    }
    this.#firing = false;
    const nextMs = this.#nextSlotMs();
    if (nextMs < this.#armedMs) this.#arm(nextMs);
  }

  /** What is added meanwhile goes to one of the other slots, so the list only shrinks here. */
  #fireSlot(slot: number): void {
    let entry = this.#slots[slot] ?? null;
    while (entry !== null) {
      this.remove(entry);
      if (Math.floor(entry.dueMs) > this.#firedMs) this.#link(entry);
      else entry.onDue();
      entry = this.#slots[slot] ?? null;
    }
  }

  #nextSlotMs(): number {
    if (this.#size === 0) return Number.POSITIVE_INFINITY;
    for (let slotMs = this.#firedMs + 1; slotMs < this.#firedMs + SLOTS; slotMs += 1) {
      if (this.#slots[slotMs % SLOTS] !== null) return slotMs;
    }
    return Number.POSITIVE_INFINITY;
  }
}
