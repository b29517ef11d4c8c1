import {
  LEASE_ENTRIES_MAX,
  PLACE_PROCESSES_MAX,
  type Lease,
  type LeaseReport,
} from '../ports/leases.ts';
import type { ToChild } from './messages.ts';

/** Taken off what a replacement gets: a report comes by here some time after it was sent. */
const INHERITANCE_MARGIN_MS = 250;
/** Reports of a process whose time is remembered; control answers one a second or none at all. */
const REPORTS_MAX = 16;

/** An exchange process as the switch needs to know it; `RoleChild` is one. */
export interface LeasedChild {
  /** A replacement has the number of the process that it replaces. */
  readonly worker: number;
  readonly ended: Promise<unknown>;
  send(message: ToChild): void;
}

export interface LeaseSwitchOptions {
  /** The node's couriers: none while it is replaced. */
  readonly couriers: () => readonly Pick<LeasedChild, 'send'>[];
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** Unix time in milliseconds. */
  readonly unixTime: () => number;
}

/** The rates that a process has from its leases, and until when. */
interface Held {
  readonly untilMs: number;
  readonly seq: number;
  readonly baseShare: number;
  readonly shares: ReadonlyMap<string, number>;
}

interface Holder {
  readonly child: LeasedChild;
  /** When reports came by, by their number. */
  readonly reportedMs: Map<number, number>;
  held: Held | null;
  /** It has had a lease of its own: it inherits nothing. */
  leased: boolean;
}

/**
 * Brings the reports of the node's exchange processes to its courier, and the leases back to the
 * process that each is for. What a process had whose life is over goes to the next one in its place,
 * for as long as it is valid: while control is away a node that restarts goes on with its rates. Not
 * with budgets, of which only the process itself knew how much was left.
 */
export class LeaseSwitch {
  readonly #options: LeaseSwitchOptions;
  /** By the id that the process has given itself. */
  readonly #holders = new Map<string, Holder>();
  /** By worker: what nobody has inherited yet. */
  readonly #estates = new Map<number, Held>();
  /** By worker: when a process came or went last. */
  readonly #changed = new Map<number, number>();
  #lastChange = 0;

  constructor(options: LeaseSwitchOptions) {
    this.#options = options;
  }

  report(child: LeasedChild, report: LeaseReport): void {
    const holder = this.#holders.get(report.process) ?? this.#add(child, report.process);
    const { reportedMs } = holder;
    reportedMs.set(report.report, this.#options.now());
    const [oldest] = reportedMs.keys();
    if (reportedMs.size > REPORTS_MAX && oldest !== undefined) reportedMs.delete(oldest);
    // Who leaves uses nothing any more.
    if (report.leaving === 1) this.#bequeath(report.process);
    else this.#endow(report.process, holder);
    const said = { ...report, place: this.#placeOf(child.worker) };
    for (const courier of this.#options.couriers()) {
      courier.send({ type: 'leaseReport', report: said });
    }
  }

  /** Leases for processes that are gone are dropped. */
  deliver(leases: readonly Lease[]): void {
    for (const lease of leases) {
      const holder = this.#holders.get(lease.process);
      if (holder === undefined) continue;
      holder.child.send({ type: 'lease', lease });
      const reportedMs = holder.reportedMs.get(lease.report);
      if (reportedMs === undefined) continue;
      const before = holder.leased ? holder.held : null;
      if (before !== null && before.seq >= lease.seq) continue;
      holder.leased = true;
      // What another has left of the place is in here.
      this.#estates.delete(holder.child.worker);
      holder.held = heldFrom(lease, before, reportedMs + lease.validForMs);
    }
  }

  #add(child: LeasedChild, process: string): Holder {
    const holder: Holder = { child, reportedMs: new Map(), held: null, leased: false };
    this.#holders.set(process, holder);
    this.#change(child.worker);
    void child.ended.then(() => this.#bequeath(process));
    return holder;
  }

  /** The process uses its lease no more: who waits in its place gets it, or who will. */
  #bequeath(process: string): void {
    const holder = this.#holders.get(process);
    if (holder === undefined) return;
    this.#holders.delete(process);
    const { child, held } = holder;
    this.#change(child.worker);
    if (held === null || this.#isTaken(child.worker)) return;
    this.#estates.set(child.worker, held);
    for (const [other, heir] of this.#holders) this.#endow(other, heir);
  }

  /** Later than all before it, those of the last supervisor too unless the clock was set back since. */
  #change(worker: number): void {
    this.#lastChange = Math.max(this.#lastChange + 1, this.#options.unixTime());
    this.#changed.set(worker, this.#lastChange);
  }

  /** Who may use what the place has: control counts with all of them, and with nobody else. */
  #placeOf(worker: number): { changed: number; processes: string[] } {
    const there = [...this.#holders].filter(([, { child }]) => child.worker === worker);
    const processes = there.map(([process]) => process).slice(-PLACE_PROCESSES_MAX);
    return { changed: this.#changed.get(worker) ?? 0, processes };
  }

  /** Rates are of the place: a process that has them now has all. */
  #isTaken(worker: number): boolean {
    return [...this.#holders.values()].some(
      ({ child, held }) => child.worker === worker && held !== null,
    );
  }

  /** Gives a process that has had no lease what is left of its predecessor's. */
  #endow(process: string, heir: Holder): void {
    const { child, reportedMs } = heir;
    if (this.#isTaken(child.worker)) return;
    const estate = this.#estates.get(child.worker);
    const [report, fromMs] = [...reportedMs].at(-1) ?? [];
    if (estate === undefined || report === undefined || fromMs === undefined) return;
    this.#estates.delete(child.worker);
    const untilMs = estate.untilMs - INHERITANCE_MARGIN_MS;
    if (untilMs <= this.#options.now()) return;
    heir.held = { ...estate, untilMs };
    const { seq, baseShare, shares } = estate;
    const rates = [...shares].slice(0, LEASE_ENTRIES_MAX).map(([key, share]) => ({ key, share }));
    const validForMs = Math.floor(untilMs - fromMs);
    const times = { report, validForMs, settledMs: 0 };
    const lease = { process, seq, ...times, baseShare, rates, budgets: [] };
    child.send({ type: 'inheritedLease', lease });
  }
}

/** A lease says only what is new of the rates. */
function heldFrom({ seq, baseShare, rates }: Lease, before: Held | null, untilMs: number): Held {
  const shares = new Map(before?.shares);
  for (const { key, share } of rates) {
    if (share > 0) shares.set(key, share);
    else shares.delete(key);
  }
  return { untilMs, seq, baseShare, shares };
}
