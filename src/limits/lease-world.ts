import assert from 'node:assert/strict';
import { aLineItem } from '../auction/fixtures.ts';
import { EXPIRY_STEP_MS, type Lease, type LeaseReport } from '../ports/leases.ts';
import type { LineItem } from '../snapshot/entities.ts';
import { LeaseBook, type NodeSettlement } from './lease-book.ts';
import { LeaseHolder } from './lease-holder.ts';
import { utcDate, utcDayStart } from './utc-day.ts';

/** A whole exchange of leases for tests: nodes, processes, a control and everything between them. */

export interface LineItemCap {
  readonly impressions: number | null;
  readonly micros: number | null;
  readonly maxQps: number | null;
}

export interface WorldOptions {
  readonly seed: number;
  /** Workers of each node at the start. */
  readonly nodes: readonly number[];
  readonly caps: ReadonlyMap<number, LineItemCap>;
  readonly startMs: number;
}

/** What goes wrong, from 0 to 1 each. */
export interface Trouble {
  /** Messages that are lost, that come twice, and that come late. */
  lost: number;
  doubled: number;
  late: number;
}

/** How auctions go. */
export interface Demand {
  /** Of each process, for each line item. */
  winsPerSecond: number;
  asksPerSecond: number;
  /** Wins that are billed at once, later, or (the rest) never. */
  billedAtOnce: number;
  billedLater: number;
  /** Wins that are none after all. */
  released: number;
  priceMicrosMax: number;
  /** How often a second a process begins or ends to have demand for a line item. */
  turnsPerSecond: number;
}

interface Win {
  readonly node: string;
  readonly lineItemId: number;
  readonly micros: number;
  readonly expiresMs: number;
  billedMs: number | null;
}

interface Process {
  readonly id: string;
  readonly node: string;
  readonly worker: number;
  readonly holder: LeaseHolder;
  reportedMs: number;
  /** A replacement is there: it goes on until then. */
  drainsUntilMs: number | null;
  /** All that leases have said to it of rates, as its node's supervisor has seen it. */
  readonly estate: { untilMs: number; baseShare: number; shares: Map<string, number>; seq: number };
  readonly sentMs: Map<number, number>;
  /** The line items that it has demand for at present. */
  readonly busyWith: Set<number>;
}

interface Message {
  readonly dueMs: number;
  readonly deliver: () => void;
}

/** A token lives for an hour, mostly. */
const LIVES_MS = [3_600_000, 3_600_000, 3_600_000, 300_000, 1_800_000, 14_400_000];
const REPORT_MS = 1_000;
/** For how long before a day wins count that were reserved under a limit that is lowered since. */
const CAP_REMEMBERED_MS = 6 * 3_600_000;

export class LeaseWorld {
  nowMs: number;
  readonly trouble: Trouble = { lost: 0, doubled: 0, late: 0 };
  readonly demand: Demand = {
    winsPerSecond: 1,
    asksPerSecond: 5,
    billedAtOnce: 1,
    billedLater: 0,
    released: 0,
    priceMicrosMax: 5_000_000,
    turnsPerSecond: 0,
  };
  /** Control answers. */
  isUp = true;
  /** The analytics store answers, and has what happened until then. */
  settles = true;
  settledLagMs = 60_000;
  /** Control dies at its next answer: before rows are durable, or after, when no lease is out. */
  dies: 'before' | 'after' | null = null;
  readonly wins: Win[] = [];
  /** When something was taken from a rate. */
  readonly takenMs: number[] = [];
  readonly #store = new Map<string, string>();
  readonly #caps: Map<number, LineItemCap>;
  readonly #capHistory = new Map<number, { fromMs: number; cap: LineItemCap }[]>();
  readonly #nodes = new Map<string, number>();
  readonly #random: () => number;
  #processes: Process[] = [];
  #messages: Message[] = [];
  #book: LeaseBook;
  #settledMs = 0;
  #ids = 0;
  /** How often a process has come or gone. */
  #changes = 0;

  constructor({ seed, nodes, caps, startMs }: WorldOptions) {
    this.nowMs = startMs;
    this.#random = createRandom(seed);
    this.#caps = new Map(caps);
    for (const [id, cap] of caps) this.#capHistory.set(id, [{ fromMs: 0, cap }]);
    this.#book = this.#openBook();
    for (const workers of nodes) this.addNode(workers);
  }

  get processes(): readonly Process[] {
    return this.#processes;
  }

  rateKeys(): string[] {
    return [...this.#caps].flatMap(([id, { maxQps }]) =>
      maxQps === null ? [] : `line item ${id}`,
    );
  }

  get lineItems(): LineItem[] {
    return [...this.#caps].map(([id, { impressions, micros, maxQps }]) =>
      aLineItem({
        id,
        capping: { maxQps, maxDailyImpressions: impressions, maxDailySpendMicros: micros },
      }),
    );
  }

  addNode(workers: number): void {
    this.#ids += 1;
    const node = `node${String(this.#ids).padStart(12, '0')}`;
    this.#nodes.set(node, workers);
    for (let worker = 0; worker < workers; worker += 1) this.#start(node, worker);
  }

  /** The machine is gone, and what its journal had not shipped comes never. */
  loseNode(index: number): void {
    const node = [...this.#nodes.keys()][index % Math.max(1, this.#nodes.size)];
    if (node === undefined) return;
    this.#nodes.delete(node);
    this.#processes = this.#processes.filter((process) => process.node !== node);
  }

  /** A process is killed; the next one in its place inherits its rates where it still has none. */
  kill(index: number): void {
    const process = this.#processes[index % Math.max(1, this.#processes.length)];
    if (process === undefined) return;
    this.#remove(process);
    if (process.drainsUntilMs === null) this.#start(process.node, process.worker);
    this.#bequeath(process);
  }

  /** A process is replaced: the next one starts, then it drains and leaves. */
  replace(index: number): void {
    const process = this.#processes[index % Math.max(1, this.#processes.length)];
    if (process === undefined || process.drainsUntilMs !== null) return;
    process.drainsUntilMs = this.nowMs + Math.floor(this.#random() * 10_000);
    this.#start(process.node, process.worker);
  }

  restartControl(): void {
    this.#book = this.#openBook();
  }

  setCap(lineItemId: number, cap: LineItemCap): void {
    this.#caps.set(lineItemId, cap);
    this.#capHistory.get(lineItemId)?.push({ fromMs: this.nowMs, cap });
    if (this.isUp) this.#useCaps();
    for (const { holder } of this.#processes) void holder.useCaps(this.lineItems);
  }

  /** Lets time pass in steps, with everything that happens meanwhile. */
  run(durationMs: number, stepMs: number): void {
    const endMs = this.nowMs + durationMs;
    while (this.nowMs < endMs) {
      this.nowMs += stepMs;
      this.#deliverDue();
      for (const process of this.#processes) this.#live(process, stepMs);
      this.#deliverDue();
      this.#settle();
      this.checkBudgets();
      this.checkRates();
    }
  }

  /** What was billed on the present day, and what can still be. */
  exposure(lineItemId: number): { impressions: number; micros: number; billed: number } {
    const dayStartMs = utcDayStart(this.nowMs);
    const sum = { impressions: 0, micros: 0, billed: 0 };
    for (const win of this.wins) {
      if (win.lineItemId !== lineItemId) continue;
      const isBilled = win.billedMs !== null && win.billedMs >= dayStartMs;
      const isOpen = win.billedMs === null && win.expiresMs > this.nowMs;
      if (!isBilled && !isOpen) continue;
      sum.impressions += 1;
      sum.micros += win.micros;
      if (isBilled) sum.billed += 1;
    }
    return sum;
  }

  checkBudgets(): void {
    for (const id of this.#caps.keys()) {
      const { impressions, micros } = this.exposure(id);
      assert.ok(
        impressions <= this.#highest(id, 'impressions'),
        `${impressions} impressions of ${id}`,
      );
      assert.ok(micros <= this.#highest(id, 'micros'), `${micros} micros of ${id}`);
    }
  }

  /** While a place has two processes both have its share: what counts is the larger one of them. */
  checkRates(): void {
    for (const key of this.rateKeys()) {
      const places = new Map<string, number>();
      for (const { holder, node, worker } of this.#processes) {
        const place = `${node} ${worker}`;
        places.set(place, Math.max(places.get(place) ?? 0, holder.shareOf(key)));
      }
      const sum = [...places.values()].reduce((all, share) => all + share, 0);
      assert.ok(sum <= 1 + 1e-6, `shares of ${key} add up to ${sum}`);
    }
  }

  /** The highest limit that was in force on this day and in the hours before it. */
  #highest(id: number, dimension: 'impressions' | 'micros'): number {
    let highest = 0;
    const history = this.#capHistory.get(id) ?? [];
    for (const [index, { cap }] of history.entries()) {
      const untilMs = history[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
      if (untilMs < utcDayStart(this.nowMs) - CAP_REMEMBERED_MS) continue;
      highest = Math.max(highest, cap[dimension] ?? Number.POSITIVE_INFINITY);
    }
    return highest;
  }

  #live(process: Process, stepMs: number): void {
    const { holder } = process;
    this.#auction(process, stepMs);
    if (process.drainsUntilMs !== null && this.nowMs >= process.drainsUntilMs) {
      this.#remove(process);
      this.#send(process, holder.report(true));
      this.#bequeath(process);
      return;
    }
    if (!holder.isWanting && this.nowMs - process.reportedMs < REPORT_MS) return;
    process.reportedMs = this.nowMs;
    const report = holder.report();
    this.#note(process, report);
    this.#send(process, report);
  }

  #auction({ holder, node, busyWith }: Process, stepMs: number): void {
    const { winsPerSecond, asksPerSecond, priceMicrosMax, released, turnsPerSecond } = this.demand;
    for (const lineItem of this.lineItems) {
      if (this.#random() < (turnsPerSecond * stepMs) / 1000) {
        if (!busyWith.delete(lineItem.id)) busyWith.add(lineItem.id);
      }
      if (!busyWith.has(lineItem.id)) continue;
      if (lineItem.capping.maxQps !== null) {
        const asks = Math.min(20, this.#count((asksPerSecond * stepMs) / 1000));
        for (let ask = 0; ask < asks; ask += 1) {
          const key = `line item ${lineItem.id}`;
          if (holder.takeQps(key, lineItem.capping.maxQps, this.nowMs))
            this.takenMs.push(this.nowMs);
        }
      }
      const wins = Math.min(50, this.#count((winsPerSecond * stepMs) / 1000));
      for (let win = 0; win < wins; win += 1) {
        if (holder.budget(lineItem) !== null) continue;
        const micros = Math.ceil(this.#random() * priceMicrosMax);
        const lifeMs = LIVES_MS[Math.floor(this.#random() * LIVES_MS.length)] ?? 0;
        const expiresMs = this.nowMs + lifeMs;
        if (holder.reserve(lineItem, micros, expiresMs) !== null) continue;
        if (this.#random() < released) holder.release(lineItem, micros, expiresMs);
        else this.#win({ node, lineItemId: lineItem.id, micros, expiresMs, billedMs: null });
      }
    }
  }

  #win(win: Win): void {
    this.wins.push(win);
    const { billedAtOnce, billedLater } = this.demand;
    const draw = this.#random();
    if (draw < billedAtOnce) win.billedMs = this.nowMs;
    else if (draw < billedAtOnce + billedLater) {
      const dueMs = this.nowMs + Math.floor(this.#random() * (win.expiresMs - this.nowMs - 1));
      const bill = (): void => {
        win.billedMs = dueMs;
      };
      this.#messages.push({ dueMs, deliver: bill });
    }
  }

  #count(mean: number): number {
    const whole = Math.floor(mean);
    return whole + (this.#random() < mean - whole ? 1 : 0);
  }

  #send(process: Process, report: LeaseReport): void {
    const workers = this.#nodes.get(process.node) ?? 0;
    const place = { changed: this.#changes, processes: this.#mates(process).map(({ id }) => id) };
    this.#carry(() => this.#answer(process.node, workers, { ...report, place }));
  }

  /** Who is in the place of a process, as far as it has reported, in the order of their starts. */
  #mates({ node, worker }: Process): Process[] {
    return this.#processes.filter(
      (other) => other.node === node && other.worker === worker && other.sentMs.size > 0,
    );
  }

  #answer(incarnation: string, workers: number, report: LeaseReport): void {
    if (!this.isUp) return;
    const leases = this.#book.answer({ incarnation, workers, reports: [report] });
    if (!this.#keep()) return;
    for (const lease of leases) this.#carry(() => this.#deliver(lease));
  }

  #deliver(lease: Lease): void {
    const process = this.#processes.find(({ id }) => id === lease.process);
    if (process === undefined) return;
    const { estate, sentMs } = process;
    const sent = sentMs.get(lease.report);
    if (sent !== undefined && lease.seq > estate.seq) {
      estate.untilMs = sent + lease.validForMs;
      estate.seq = lease.seq;
      estate.baseShare = lease.baseShare;
      for (const { key, share } of lease.rates) estate.shares.set(key, share);
    }
    process.holder.take(lease);
  }

  /** Makes rows durable; false when control died. */
  #keep(): boolean {
    const { dies } = this;
    this.dies = null;
    if (dies !== 'before') {
      for (const { key, state } of this.#book.takeChanges()) {
        if (state === null) this.#store.delete(key);
        else this.#store.set(key, state);
      }
    }
    if (dies === null) return true;
    this.restartControl();
    return false;
  }

  #openBook(): LeaseBook {
    const saved = [...this.#store].map(([key, state]) => ({ key, state }));
    this.#book = new LeaseBook({ now: () => this.nowMs, saved });
    this.#useCaps();
    this.#settledMs = 0;
    return this.#book;
  }

  #useCaps(): void {
    const rates = new Map<string, number>();
    const budgets = new Map<number, { impressions: number | null; micros: number | null }>();
    for (const [id, { impressions, micros, maxQps }] of this.#caps) {
      if (maxQps !== null) rates.set(`line item ${id}`, maxQps);
      if (impressions !== null || micros !== null) budgets.set(id, { impressions, micros });
    }
    this.#book.setCaps({ rates, budgets });
  }

  #settle(): void {
    if (!this.isUp || !this.settles) return;
    const lastMs = this.nowMs - this.settledLagMs;
    const untilMs = Math.floor(lastMs / EXPIRY_STEP_MS) * EXPIRY_STEP_MS;
    const { hasNewLimits } = this.#book.unsettled();
    if (!hasNewLimits && untilMs === this.#settledMs) return;
    this.#settledMs = untilMs;
    const date = utcDate(this.nowMs);
    const nodes = new Map<string, NodeSettlement>();
    for (const node of this.#nodes.keys()) nodes.set(node, this.#settleNode(node, date, untilMs));
    this.#book.settle({ date, nodes });
    this.#keep();
  }

  #settleNode(node: string, date: string, untilMs: number): NodeSettlement {
    const billed = new Map<number, { impressions: number; micros: number }>();
    for (const win of this.wins) {
      if (win.node !== node || win.billedMs === null || win.expiresMs > untilMs) continue;
      if (utcDate(win.billedMs) !== date) continue;
      const before = billed.get(win.lineItemId) ?? { impressions: 0, micros: 0 };
      const impressions = before.impressions + 1;
      billed.set(win.lineItemId, { impressions, micros: before.micros + win.micros });
    }
    return { untilMs, billed };
  }

  #start(node: string, worker: number): Process {
    this.#ids += 1;
    const id = this.#ids.toString(16).padStart(16, '0');
    const now = (): number => this.nowMs;
    const holder = new LeaseHolder({ process: id, worker, now, unixTime: now });
    void holder.useCaps(this.lineItems);
    const estate = { untilMs: 0, baseShare: 0, shares: new Map<string, number>(), seq: 0 };
    const sentMs = new Map<number, number>();
    const process: Process = {
      busyWith: new Set(this.#caps.keys()),
      id,
      node,
      worker,
      holder,
      reportedMs: 0,
      drainsUntilMs: null,
      estate,
      sentMs,
    };
    this.#processes.push(process);
    return process;
  }

  /**
   * As the supervisor does it: when nobody in the place has a lease any more, or has had one, somebody
   * gets what is left of the predecessor's.
   */
  #bequeath({ node, worker, estate }: Process): void {
    const mates = this.#processes.filter((other) => other.node === node && other.worker === worker);
    const [heir] = mates;
    if (heir === undefined || mates.some((mate) => mate.estate.untilMs > 0)) return;
    if (estate.untilMs <= this.nowMs) return;
    const report = heir.holder.report();
    this.#note(heir, report);
    this.#send(heir, report);
    heir.estate.untilMs = estate.untilMs;
    heir.estate.baseShare = estate.baseShare;
    for (const [key, share] of estate.shares) heir.estate.shares.set(key, share);
    heir.holder.inherit({
      process: heir.id,
      seq: 1,
      report: report.report,
      validForMs: estate.untilMs - this.nowMs,
      settledMs: 0,
      baseShare: estate.baseShare,
      rates: [...estate.shares].map(([key, share]) => ({ key, share })),
      budgets: [],
    });
  }

  /** The supervisor sees a report come by: from the first on it counts the process as there. */
  #note({ sentMs }: Process, { report }: LeaseReport): void {
    if (sentMs.size === 0) this.#changes += 1;
    sentMs.set(report, this.nowMs);
  }

  #remove(process: Process): void {
    this.#changes += 1;
    this.#processes = this.#processes.filter((other) => other !== process);
  }

  #carry(deliver: () => void): void {
    const { lost, doubled, late } = this.trouble;
    if (this.#random() < lost) return;
    const copies = this.#random() < doubled ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const isLate = this.#random() < late;
      const delayMs = this.#random() * (isLate ? 30 * 60_000 : 50);
      this.#messages.push({ dueMs: this.nowMs + delayMs, deliver });
    }
  }

  #deliverDue(): void {
    const due = this.#messages.filter(({ dueMs }) => dueMs <= this.nowMs);
    if (due.length === 0) return;
    this.#messages = this.#messages.filter(({ dueMs }) => dueMs > this.nowMs);
    for (const { deliver } of due.sort((one, other) => one.dueMs - other.dueMs)) deliver();
  }
}

/** Mulberry32: small, and good enough to make trouble with. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
