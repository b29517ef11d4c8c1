import {
  LEASE_ENTRIES_MAX,
  type Lease,
  type LeaseReport,
  type NodeLeaseReport,
} from '../ports/leases.ts';
import { FORGOTTEN_AFTER_MS, LEASE_LIFE_MS } from './budget-grant.ts';
import {
  type BudgetAsker,
  BudgetLedger,
  type Settlement,
  type Unsettled,
} from './budget-ledger.ts';
import type { BudgetCap } from './budget-line.ts';
import { RateShares, type Slot } from './rate-shares.ts';
import {
  readBook,
  readLine,
  readNode,
  readRate,
  type SavedLeases,
  writeLine,
} from './saved-leases.ts';

export type { NodeSettlement, Settlement, Unsettled } from './budget-ledger.ts';
export type { BudgetCap } from './budget-line.ts';
export type { SavedLeases } from './saved-leases.ts';

/** `seq` counts within one run of control; the run's number stands above it, so that none comes again. */
const SEQS_A_RUN = 2 ** 32;
/** How often those who were not heard of are looked for. */
const SWEPT_EVERY_MS = 1_000;
/** What is not urgent is saved with so many rows a time, this often. */
const LAZY_ROWS_MAX = 1_000;
const LAZY_EVERY_MS = 5_000;

/** The limits of the whole exchange. */
export interface LeaseCaps {
  /** Per second, by `partner ID` or `line item ID`. */
  readonly rates: ReadonlyMap<string, number>;
  /** By the line item's id; only those that have one of the two limits. */
  readonly budgets: ReadonlyMap<number, BudgetCap>;
}

interface KnownProcess {
  readonly node: string;
  heardMs: number;
  /** Its newest report. */
  report: number;
  confirmedSeq: number;
  hasLeft: boolean;
}

/**
 * Control's side of the leases: a state machine without clock and disk. In this order: `answer`,
 * `takeChanges`, make the rows durable in one transaction, hand out the leases. Where that fails the
 * leases must not be handed out, and the book is made anew from the store.
 */
export class LeaseBook {
  readonly #now: () => number;
  readonly #shares = new RateShares((kind, name) => this.#urgent.add(`${kind} ${name}`));
  readonly #budgets = new BudgetLedger((lineItemId, isUrgent) => {
    (isUrgent ? this.#urgent : this.#lazy).add(`budget ${lineItemId}`);
  });
  readonly #processes = new Map<string, KnownProcess>();
  /** How many exchange processes a node has, by incarnation. */
  readonly #workers = new Map<string, number>();
  /** Keys of rows to be saved before anything is handed out, and of others that have changed. */
  readonly #urgent = new Set<string>(['book']);
  readonly #lazy = new Set<string>();
  #lazyMs: number;
  #sweptMs: number;
  #epoch = 1;
  #saves = 0;
  #seqs = 0;

  /**
   * @param options.now Unix time in milliseconds.
   * @param options.saved all rows of the store.
   * @throws Error when a row cannot be read.
   */
  constructor(options: { readonly now: () => number; readonly saved: readonly SavedLeases[] }) {
    this.#now = options.now;
    const nowMs = this.#now();
    this.#lazyMs = nowMs;
    this.#sweptMs = nowMs;
    const rates: { readonly key: string; readonly state: string }[] = [];
    for (const { key, state } of options.saved) {
      if (state === null) continue;
      const [kind, name] = split(key);
      if (kind === 'book') this.#epoch = readBook(state).epoch + 1;
      else if (kind === 'node') this.#restoreNode(name, state, nowMs);
      else if (kind === 'rate') rates.push({ key: name, state });
      else if (kind === 'budget') this.#budgets.restoreLine(readLine(Number(name), state, nowMs));
      else throw new Error(`row ${key} of the leases is of no known kind`);
    }
    // Slots come with their nodes.
    for (const { key, state } of rates) {
      for (const { node, worker, share } of readRate(state)) {
        this.#shares.restore(this.#shares.slot(node, worker, nowMs), key, share);
      }
    }
    for (const [process, node] of this.#budgets.processes()) this.#process(process, node);
  }

  /** Takes the limits of the configuration. Until it was called nothing is granted. */
  setCaps({ rates, budgets }: LeaseCaps): void {
    this.#shares.setLimits(rates);
    this.#budgets.setCaps(budgets, this.#now());
  }

  /**
   * One lease for each report; none for a process that leaves, nor for a report that came late. A node
   * of which another process inherits rates keeps them when one leaves; only one that has no workers
   * any more has them taken at once.
   */
  answer({ incarnation, workers, reports }: NodeLeaseReport): Lease[] {
    const nowMs = this.#now();
    this.#sweep(nowMs);
    this.#hearNode(incarnation, workers, nowMs);
    const leases: Lease[] = [];
    for (const report of reports) {
      const lease = this.#answerOne(incarnation, report, nowMs);
      if (lease !== null) leases.push(lease);
    }
    if (workers === 0) this.#shares.forgetNode(incarnation);
    return leases;
  }

  /**
   * Takes what the analytics store knows: what has expired unbilled can be granted again, once the
   * rows are durable.
   */
  settle(settlement: Settlement): void {
    for (const node of this.#budgets.settle(settlement, this.#now())) {
      this.#urgent.add(`node ${node}`);
    }
  }

  /** The line items whose limits of the day leave nothing to buy, and those limits. */
  usedUp(): readonly { readonly lineItemId: number; readonly cap: BudgetCap }[] {
    return this.#budgets
      .usedUp(this.#now())
      .flatMap(({ lineItemId, cap }) => (cap === null ? [] : [{ lineItemId, cap }]));
  }

  unsettled(): Unsettled {
    return this.#budgets.unsettled();
  }

  /** Rows that changed since the last call, to be made durable before leases are handed out. */
  takeChanges(): readonly SavedLeases[] {
    const nowMs = this.#now();
    const keys = new Set(this.#urgent);
    this.#urgent.clear();
    for (const key of keys) this.#lazy.delete(key);
    if (Math.abs(nowMs - this.#lazyMs) >= LAZY_EVERY_MS) {
      this.#lazyMs = nowMs;
      let rowsLeft = LAZY_ROWS_MAX;
      for (const key of this.#lazy) {
        if (rowsLeft === 0) break;
        rowsLeft -= 1;
        this.#lazy.delete(key);
        keys.add(key);
      }
    }
    if (keys.size === 0) return [];
    // With its row every save changes what another control may have read before.
    this.#saves += 1;
    keys.add('book');
    return [...keys].map((key) => ({ key, state: this.#stateOf(key) }));
  }

  #answerOne(node: string, report: LeaseReport, nowMs: number): Lease | null {
    const process = this.#process(report.process, node);
    if (process.hasLeft || report.report < process.report) return null;
    process.heardMs = nowMs;
    process.report = report.report;
    this.#seqs += 1;
    const seq = this.#epoch * SEQS_A_RUN + this.#seqs;
    const asker = { process: report.process, node, nowMs, seq, entriesMax: LEASE_ENTRIES_MAX };
    // It has nothing any more of what it once had.
    if (report.seq < process.confirmedSeq) this.#budgets.repeatAll(report.process);
    process.confirmedSeq = report.seq;
    this.#budgets.hear(report, asker);
    const slot = this.#shares.slot(node, report.worker, nowMs);
    this.#shares.occupy(slot, report.process, report.place);
    for (const member of slot.members.keys()) this.#process(member, node);
    if (report.leaving === 1) {
      process.hasLeft = true;
      this.#shares.vacate(slot, report.process);
      this.#budgets.leave(report, nowMs);
      return null;
    }
    return {
      process: report.process,
      seq,
      report: report.report,
      validForMs: LEASE_LIFE_MS,
      settledMs: this.#budgets.settledMs(node),
      ...this.#grantRates(slot, report, asker),
      budgets: this.#budgets.grant(asker),
    };
  }

  /** Rates are the slot's: a process that is being replaced has them too, until it ends. */
  #grantRates(
    slot: Slot,
    report: LeaseReport,
    asker: BudgetAsker,
  ): Pick<Lease, 'baseShare' | 'rates'> {
    const { process } = asker;
    // It was among those of the slot when it reported, and has ended since.
    if (!slot.members.has(process)) return { baseShare: 0, rates: [] };
    slot.heardMs = asker.nowMs;
    this.#shares.confirm(slot, process, report.seq);
    const baseShare = this.#shares.grantBase(slot, asker.seq);
    // Of two the last one is here to stay, and the demand is going to be its own.
    if ([...slot.members.keys()].at(-1) === process) {
      for (const { key, wantedPerSecond } of report.rates) {
        this.#shares.want(slot, key, wantedPerSecond);
      }
    }
    return { baseShare, rates: this.#shares.grantShares(slot, asker) };
  }

  #process(process: string, node: string): KnownProcess {
    const known = this.#processes.get(process);
    if (known !== undefined) return known;
    const heardMs = this.#now();
    const created = { node, heardMs, report: 0, confirmedSeq: 0, hasLeft: false };
    this.#processes.set(process, created);
    return created;
  }

  /** Every place for a process takes part, even before there is one in it. */
  #hearNode(node: string, workers: number, nowMs: number): void {
    for (let worker = 0; worker < workers; worker += 1) {
      this.#shares.slot(node, worker, nowMs).heardMs = nowMs;
    }
    if (this.#workers.get(node) === workers) return;
    this.#workers.set(node, workers);
    this.#urgent.add(`node ${node}`);
  }

  /** Forgets those whose leases have all expired. */
  #sweep(nowMs: number): void {
    if (Math.abs(nowMs - this.#sweptMs) < SWEPT_EVERY_MS) return;
    this.#sweptMs = nowMs;
    for (const [process, { heardMs, hasLeft }] of this.#processes) {
      if (nowMs - heardMs < FORGOTTEN_AFTER_MS) continue;
      if (!hasLeft) this.#budgets.lose(process, heardMs);
      this.#processes.delete(process);
      this.#shares.forgetProcess(process);
    }
    for (const slot of this.#shares.slots) {
      if (nowMs - slot.heardMs < FORGOTTEN_AFTER_MS) continue;
      this.#workers.delete(slot.node);
      this.#shares.forget(slot);
    }
  }

  #restoreNode(node: string, state: string, nowMs: number): void {
    const { workers, settledMs, base, places } = readNode(state);
    if (workers > 0) this.#workers.set(node, workers);
    this.#budgets.restoreSettled(node, settledMs);
    for (let worker = 0; worker < workers; worker += 1) this.#shares.slot(node, worker, nowMs);
    for (const [worker, share] of base) {
      const slot = this.#shares.slot(node, worker, nowMs);
      slot.base.granted = share;
      slot.base.committed = share;
    }
    for (const [worker, changed, processes] of places ?? []) {
      const slot = this.#shares.slot(node, worker, nowMs);
      slot.membersChanged = changed;
      for (const process of processes) {
        slot.members.set(process, 0);
        this.#process(process, node);
      }
    }
  }

  #stateOf(key: string): string | null {
    const [kind, name] = split(key);
    if (kind === 'book') return JSON.stringify({ epoch: this.#epoch, saves: this.#saves });
    if (kind === 'rate') {
      const shares = this.#shares.sharesOf(name);
      return shares.length === 0 ? null : JSON.stringify(shares);
    }
    if (kind === 'budget') {
      const line = this.#budgets.line(Number(name));
      return line === undefined ? null : writeLine(line);
    }
    const base: [number, number][] = [];
    const places: [number, number, string[]][] = [];
    for (const slot of this.#shares.slots) {
      if (slot.node !== name) continue;
      const { committed } = slot.base;
      if (committed > 0) base.push([slot.worker, committed]);
      places.push([slot.worker, slot.membersChanged, [...slot.members.keys()]]);
    }
    const workers = this.#workers.get(name) ?? 0;
    const settledMs = this.#budgets.settledMs(name);
    return JSON.stringify({ workers, settledMs, base, places });
  }
}

/** The kind of a row, and what it is of. */
function split(key: string): [kind: string, name: string] {
  const space = key.indexOf(' ');
  return space === -1 ? [key, ''] : [key.slice(0, space), key.slice(space + 1)];
}
