import { TOKEN_LIFE_MAX_MS } from '../beacons/beacon.ts';
import { EXPIRY_STEP_MS, type Lease, type LeaseReport } from '../ports/leases.ts';
import { type Amount, finiteOrNull } from './amount.ts';
import {
  type BudgetGrant,
  createGrant,
  FORGOTTEN_AFTER_MS,
  isAlive,
  observe,
  outstanding,
} from './budget-grant.ts';
import { type BudgetCap, BudgetLine, type BudgetMoment } from './budget-line.ts';
import { DAY_MS, utcDate, utcDayStart } from './utc-day.ts';

/** What the analytics store knows of one UTC day. */
export interface Settlement {
  /** The UTC day of the impressions' `at_ms`, `2026-11-20`; any but today is passed over. */
  readonly date: string;
  /** By the node whose tracker counted them: `node` of the beacon records. */
  readonly nodes: ReadonlyMap<string, NodeSettlement>;
}

export interface NodeSettlement {
  /**
   * Unix time in milliseconds. Every impression of the node whose `expires_ms` is at most this is in
   * the store, and no other can come any more. Best a multiple of `EXPIRY_STEP_MS`: what has expired
   * between the last multiple and this counts twice until the next.
   */
  readonly untilMs: number;
  /** The day's impressions, tests left out, with `expires_ms <= untilMs`. */
  readonly billed: ReadonlyMap<number, Readonly<Amount>>;
}

/** What there is to settle. */
export interface Unsettled {
  /**
   * Line items got a limit that they had not, and get nothing before the next `settle`, because
   * nobody knows what they have had today: best settled at once.
   */
  readonly hasNewLimits: boolean;
  /** Nodes with reservations that are not settled, and when the first and the last of them expire. */
  readonly nodes: readonly {
    readonly node: string;
    readonly fromMs: number;
    readonly untilMs: number;
  }[];
}

/** Who asks, and which of its leases is being made. */
export interface BudgetAsker {
  readonly process: string;
  readonly node: string;
  readonly nowMs: number;
  readonly seq: number;
  /** The most that the lease may say. */
  readonly entriesMax: number;
}

/** The daily limits of all line items, and what every process has of them. */
export class BudgetLedger {
  readonly #lines = new Map<number, BudgetLine>();
  /** By process: the line items of which something is to be said, or is not confirmed. */
  readonly #pending = new Map<string, Set<number>>();
  readonly #settledMs = new Map<string, number>();
  readonly #changed: (lineItemId: number, isUrgent: boolean) => void;
  #unknown = 0;

  /** @param changed is told whose row has to be saved; at once where something was committed. */
  constructor(changed: (lineItemId: number, isUrgent: boolean) => void) {
    this.#changed = changed;
  }

  line(lineItemId: number): BudgetLine | undefined {
    return this.#lines.get(lineItemId);
  }

  restoreLine(line: BudgetLine): void {
    this.#lines.set(line.lineItemId, line);
    for (const { process } of line.grants.values()) this.#pendingOf(process).add(line.lineItemId);
  }

  restoreSettled(node: string, settledMs: number): void {
    this.#settledMs.set(node, settledMs);
  }

  /** Up to when what expired at a node is settled; 0 while nothing is. */
  settledMs(node: string): number {
    return this.#settledMs.get(node) ?? 0;
  }

  setCaps(caps: ReadonlyMap<number, BudgetCap>, nowMs: number): void {
    const moment = this.#moment(nowMs);
    for (const line of this.#lines.values()) {
      if (line.cap !== null && !caps.has(line.lineItemId)) line.cap = null;
    }
    for (const [lineItemId, cap] of caps) {
      const line = this.#lines.get(lineItemId) ?? this.#createLine(lineItemId);
      const before = line.cap;
      line.cap = cap;
      const isSame = before?.impressions === cap.impressions && before.micros === cap.micros;
      if (!isSame) for (const grant of line.grants.values()) this.#decide(line, grant, moment);
    }
    this.#unknown = 0;
    for (const line of this.#lines.values()) {
      // Whether it had a limit all the time is not known of one that has none now.
      if (line.cap === null) line.isKnown = false;
      else if (!line.isKnown) this.#unknown += 1;
    }
  }

  /** Takes what a process says of its budgets, and decides what it should have. */
  hear(report: LeaseReport, { process, node, nowMs }: BudgetAsker): void {
    const moment = this.#moment(nowMs);
    for (const said of report.budgets) {
      const line = this.#lines.get(said.lineItemId);
      // Without a limit nothing is counted.
      if (line === undefined) continue;
      const grant = line.grants.get(process) ?? createGrant(process, node, nowMs);
      line.grants.set(process, grant);
      grant.goneUntilMs = null;
      const reservedBefore = grant.reserved.impressions;
      if (!observe(grant, said, nowMs)) continue;
      this.#changed(line.lineItemId, false);
      if (grant.seq <= report.seq) {
        line.confirm(grant);
        this.#pending.get(process)?.delete(line.lineItemId);
      }
      if (!grant.wanted && grant.reserved.impressions === reservedBefore) continue;
      this.#decide(line, grant, moment);
      if (!grant.wanted) continue;
      for (const lowered of line.reclaimFor(grant, moment)) this.#say(line, lowered);
    }
  }

  /** What the process's next lease says: what has changed, and what is not confirmed yet. */
  grant({ process, seq, entriesMax }: BudgetAsker): Lease['budgets'] {
    const budgets: Lease['budgets'] = [];
    for (const lineItemId of this.#pending.get(process) ?? []) {
      if (budgets.length === entriesMax) break;
      const grant = this.#lines.get(lineItemId)?.grants.get(process);
      // What was never granted has nothing to be said of.
      if (grant === undefined || grant.date === '') continue;
      if (grant.seq === Number.POSITIVE_INFINITY) grant.seq = seq;
      budgets.push({
        lineItemId,
        date: grant.date,
        impressions: finiteOrNull(grant.granted.impressions),
        micros: finiteOrNull(grant.granted.micros),
      });
    }
    return budgets;
  }

  /** The process has nothing of what was said to it. */
  repeatAll(process: string): void {
    for (const line of this.#lines.values()) {
      const grant = line.grants.get(process);
      if (grant !== undefined) this.#say(line, grant);
    }
  }

  /** The process has said all there is: what it had in advance is free. @pre `hear` took its report. */
  leave(report: LeaseReport, nowMs: number): void {
    for (const { lineItemId } of report.budgets) {
      const line = this.#lines.get(lineItemId);
      const grant = line?.grants.get(report.process);
      if (line === undefined || grant === undefined) continue;
      Object.assign(grant.granted, grant.reserved);
      line.confirm(grant);
      grant.hasLeft = true;
      this.#changed(lineItemId, true);
    }
    this.lose(report.process, nowMs);
  }

  /**
   * The process was heard of for the last time then, and goes by no lease any more. What it did not
   * report may have been reserved until its lease expired, so that it counts until that is settled.
   */
  lose(process: string, heardMs: number): void {
    const lastMs = heardMs + FORGOTTEN_AFTER_MS + TOKEN_LIFE_MAX_MS;
    const untilMs = Math.ceil(lastMs / EXPIRY_STEP_MS) * EXPIRY_STEP_MS;
    this.#pending.delete(process);
    for (const line of this.#lines.values()) {
      const grant = line.grants.get(process);
      if (grant === undefined || !isAlive(grant)) continue;
      grant.goneUntilMs = untilMs;
      this.#changed(line.lineItemId, true);
    }
  }

  /** The processes that have grants: all of them may be alive. */
  processes(): Map<string, string> {
    const nodes = new Map<string, string>();
    for (const { grants } of this.#lines.values()) {
      for (const grant of grants.values()) if (isAlive(grant)) nodes.set(grant.process, grant.node);
    }
    return nodes;
  }

  /** @returns the nodes of which more is settled than before. */
  settle({ date, nodes }: Settlement, nowMs: number): readonly string[] {
    const moment = this.#moment(nowMs);
    const { dayStartMs } = moment;
    if (date !== moment.date) return [];
    const advanced: string[] = [];
    let isWhole = true;
    for (const [node, settlement] of nodes) {
      const { billed } = settlement;
      // What expires tomorrow may be billed tomorrow, which is not counted here.
      const untilMs = Math.min(settlement.untilMs, dayStartMs + DAY_MS);
      if (untilMs < this.settledMs(node)) {
        isWhole = false;
        continue;
      }
      if (untilMs > this.settledMs(node)) advanced.push(node);
      this.#settledMs.set(node, untilMs);
      for (const line of this.#lines.values()) {
        const isNews = line.settle(node, billed.get(line.lineItemId) ?? null, date);
        // One row without the other would count less than there is.
        if (isNews) this.#changed(line.lineItemId, true);
      }
    }
    if (isWhole) this.#unknown = 0;
    for (const line of this.#lines.values()) {
      if (isWhole && line.cap !== null && !line.isKnown) {
        line.isKnown = true;
        this.#changed(line.lineItemId, false);
        for (const grant of line.grants.values()) {
          if (grant.wanted) this.#decide(line, grant, moment);
        }
      }
      this.#forgetSettled(line, dayStartMs);
    }
    return advanced;
  }

  unsettled(): Unsettled {
    const nodes = new Map<string, { node: string; fromMs: number; untilMs: number }>();
    const note = (node: string, untilMs: number): void => {
      if (untilMs <= this.settledMs(node)) return;
      const known = nodes.get(node);
      if (known === undefined) nodes.set(node, { node, fromMs: untilMs, untilMs });
      else {
        known.fromMs = Math.min(known.fromMs, untilMs);
        known.untilMs = Math.max(known.untilMs, untilMs);
      }
    };
    for (const { grants } of this.#lines.values()) {
      for (const { node, open, goneUntilMs } of grants.values()) {
        for (const { untilMs } of open) note(node, untilMs);
        if (goneUntilMs !== null) note(node, goneUntilMs);
      }
    }
    return { hasNewLimits: this.#unknown > 0, nodes: [...nodes.values()] };
  }

  /** The line items whose limits of the day are used up. */
  usedUp(nowMs: number): readonly BudgetLine[] {
    const moment = this.#moment(nowMs);
    return [...this.#lines.values()].filter((line) => line.isUsedUp(moment));
  }

  #decide(line: BudgetLine, grant: BudgetGrant, moment: BudgetMoment): void {
    if (!isAlive(grant)) return;
    const { isSaid, isMore } = line.decide(grant, moment);
    if (isSaid) this.#say(line, grant);
    if (isMore) this.#changed(line.lineItemId, true);
  }

  /** The grant has changed, or the process does not know it. */
  #say(line: BudgetLine, grant: BudgetGrant): void {
    grant.seq = Number.POSITIVE_INFINITY;
    this.#pendingOf(grant.process).add(line.lineItemId);
  }

  /** Processes that are gone are remembered until nothing of theirs can be billed. */
  #forgetSettled(line: BudgetLine, dayStartMs: number): void {
    for (const grant of line.grants.values()) {
      if (isAlive(grant)) continue;
      const settledMs = Math.max(this.settledMs(grant.node), dayStartMs);
      const isOpen =
        outstanding(grant, 'impressions', settledMs) > 0 ||
        outstanding(grant, 'micros', settledMs) > 0;
      if (isOpen || (grant.goneUntilMs ?? 0) > settledMs) continue;
      line.grants.delete(grant.process);
      this.#changed(line.lineItemId, false);
    }
    if (line.cap === null && line.grants.size === 0) {
      this.#lines.delete(line.lineItemId);
      this.#changed(line.lineItemId, false);
    }
  }

  #createLine(lineItemId: number): BudgetLine {
    const line = new BudgetLine(lineItemId);
    this.#lines.set(lineItemId, line);
    return line;
  }

  #pendingOf(process: string): Set<number> {
    const known = this.#pending.get(process);
    if (known !== undefined) return known;
    const created = new Set<number>();
    this.#pending.set(process, created);
    return created;
  }

  #moment(nowMs: number): BudgetMoment {
    const dayStartMs = utcDayStart(nowMs);
    return {
      nowMs,
      dayStartMs,
      date: utcDate(dayStartMs),
      settledMs: (node) => this.settledMs(node),
    };
  }
}
