import type { TimeSlices } from '../base/slices.ts';
import { TOKEN_LIFE_MS } from '../beacons/beacon.ts';
import { LEASE_ENTRIES_MAX, type Lease, type LeaseReport } from '../ports/leases.ts';
import type { LineItem } from '../snapshot/entities.ts';
import { nullAsInfinity } from './amount.ts';
import type { AuctionLimits, BudgetRefusal } from './auction-limits.ts';
import { HeldBudget } from './held-budget.ts';
import { RateDemand } from './rate-demand.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { createUtcCalendar } from './utc-day.ts';

/** Reports whose sending is remembered: an answer to an older one is passed over. */
const REPORTS_AWAITED_MAX = 100;

export interface LeaseHolderOptions {
  /** 16 hexadecimal digits, drawn at every start. */
  readonly process: string;
  readonly worker: number;
  /** Monotonic, in milliseconds: the clock of `takeQps`. */
  readonly now: () => number;
  /** Unix time in milliseconds. */
  readonly unixTime: () => number;
}

/** Figures for metrics. */
export interface LeaseFigures {
  /** How long the lease is still valid; 0 when it has expired. */
  readonly validForSeconds: number;
  readonly leasesTaken: number;
  readonly reportsMade: number;
  /** Line items with a grant for today. */
  readonly budgetsHeld: number;
  /** Line items with a daily limit and no grant for today. */
  readonly budgetsMissing: number;
  /** Wins that a budget did not cover. */
  readonly winsRefused: number;
}

/** A time on both clocks of a process. */
interface Moment {
  readonly monotonicMs: number;
  readonly unixMs: number;
}

interface SentReport extends Moment {
  readonly seq: number;
}

/**
 * The leases of one exchange process, as its auctions see them. Nothing is used beyond them, and
 * nothing at all once they have expired: then the next lease starts from nothing.
 */
export class LeaseHolder implements AuctionLimits {
  readonly #options: LeaseHolderOptions;
  readonly #today: () => string;
  readonly #limiter: RateLimiter;
  readonly #demand: RateDemand;
  readonly #budgets = new Map<number, HeldBudget>();
  /** Those of which control has to hear. */
  readonly #news = new Set<HeldBudget>();
  /** Line items with a daily limit in the snapshot. */
  #limited: ReadonlySet<number> = new Set();
  readonly #sent = new Map<number, SentReport>();
  readonly #shares = new Map<string, number>();
  #baseShare = 0;
  #seq = 0;
  #settledMs = 0;
  #reports = 0;
  #acknowledged = 0;
  #validUntil: Moment = { monotonicMs: 0, unixMs: 0 };
  /** It goes by what the last process in its place has left. */
  #isInherited = false;
  #hasLeft = false;
  #isWanting = true;
  #onWanting: () => void = () => {};
  /** The day whose budgets were asked for. */
  #askedDate = '';
  #leasesTaken = 0;
  #winsRefused = 0;

  constructor(options: LeaseHolderOptions) {
    this.#options = options;
    this.#today = createUtcCalendar(options.unixTime);
    this.#demand = new RateDemand(options.now());
    this.#limiter = createRateLimiter((key, ratePerSecond, nowMs) =>
      this.#isValid(nowMs) ? ratePerSecond * this.#shareOf(key) : 0,
    );
  }

  /** Something is missing that control may give: report at once, not at the next tick. */
  get isWanting(): boolean {
    return this.#isWanting;
  }

  /** Calls the handler whenever `isWanting` becomes true. */
  whenWanting(handler: () => void): void {
    this.#onWanting = handler;
  }

  /** No lease, or it ran out: nothing that is limited is let through. */
  get expired(): boolean {
    return !this.#isValid(this.#options.now());
  }

  /** Goes through all budgets: for metrics, not for auctions. */
  get figures(): LeaseFigures {
    const nowMs = this.#options.now();
    const today = this.#today();
    const isValid = this.#isValid(nowMs);
    const isHeld = (id: number): boolean => isValid && this.#budgets.get(id)?.date === today;
    const budgetsHeld = [...this.#limited].filter(isHeld).length;
    return {
      validForSeconds: isValid ? (this.#validUntil.monotonicMs - nowMs) / 1000 : 0,
      leasesTaken: this.#leasesTaken,
      reportsMade: this.#reports,
      budgetsHeld,
      budgetsMissing: this.#limited.size - budgetsHeld,
      winsRefused: this.#winsRefused,
    };
  }

  /**
   * Takes the line items of a snapshot: those with a daily limit are asked for before they bid.
   *
   * @param slices cuts the work, which is done at once without it.
   */
  async useCaps(lineItems: Iterable<LineItem>, slices?: TimeSlices): Promise<void> {
    const limited = new Set<number>();
    for (const lineItem of lineItems) {
      if (hasDailyLimit(lineItem)) {
        limited.add(lineItem.id);
        this.#askFor(lineItem.id, this.#today());
      }
      if (slices?.isOver === true) await slices.next();
    }
    this.#limited = limited;
  }

  /**
   * What to tell control now. To be sent at once: the lease's life is counted from this call.
   *
   * @param leaving the process ends, and lets nothing limited through from now on.
   */
  report(leaving = false): LeaseReport {
    const { process, worker, now, unixTime } = this.#options;
    if (leaving) this.#leave();
    else if (this.#askedDate !== this.#today()) this.#askMissing();
    this.#reports += 1;
    this.#isWanting = false;
    const nowMs = now();
    const report = this.#reports;
    const seq = this.#isValid(nowMs) ? this.#seq : 0;
    this.#sent.set(report, { monotonicMs: nowMs, unixMs: unixTime(), seq });
    this.#sent.delete(report - REPORTS_AWAITED_MAX);
    // A process alone has all of every rate, and nothing to share.
    const isAlone = this.#baseShare === 1 && !this.expired;
    const rates = isAlone ? [] : this.#demand.tell(report, this.#acknowledged, nowMs);
    return {
      process,
      worker,
      report,
      seq,
      leaving: leaving ? 1 : 0,
      rates: rates
        .sort((one, other) => other.wantedPerSecond - one.wantedPerSecond)
        .slice(0, LEASE_ENTRIES_MAX),
      budgets: this.#tellBudgets(report),
    };
  }

  /**
   * Takes what is left of the lease of the process before in the same place, which is gone: its rates,
   * until there is an own lease. Budgets cannot be inherited, for nobody knows what was used of them.
   */
  inherit({ process, report, validForMs, baseShare, rates }: Lease): void {
    const sent = this.#sent.get(report);
    if (process !== this.#options.process || sent === undefined || this.#seq > 0) return;
    this.#isInherited = true;
    this.#validUntil = {
      monotonicMs: sent.monotonicMs + validForMs,
      unixMs: sent.unixMs + validForMs,
    };
    this.#useShares(baseShare, rates);
  }

  /** Takes what control answered; a lease that is not newer than the last is passed over. */
  take(lease: Lease): void {
    const { process, now, unixTime } = this.#options;
    const sent = this.#sent.get(lease.report);
    if (lease.process !== process || sent === undefined || lease.seq <= this.#seq) return;
    const validUntil = {
      monotonicMs: sent.monotonicMs + lease.validForMs,
      unixMs: sent.unixMs + lease.validForMs,
    };
    // On its way for as long as it was to live: what is in it may be another's by now.
    if (now() >= validUntil.monotonicMs || unixTime() >= validUntil.unixMs) return;
    if (this.expired) {
      // It adds to a lease that has expired since; the answer to the next report holds everything.
      if (sent.seq !== 0) return;
      this.#revokeAll();
    } else if (this.#isInherited) this.#revokeAll();
    this.#isInherited = false;
    this.#validUntil = validUntil;
    this.#seq = lease.seq;
    this.#leasesTaken += 1;
    this.#acknowledged = Math.max(this.#acknowledged, lease.report);
    for (const report of this.#sent.keys()) if (report < lease.report) this.#sent.delete(report);
    this.#settledMs = Math.max(this.#settledMs, lease.settledMs);
    this.#useShares(lease.baseShare, lease.rates);
    for (const held of this.#news) {
      if (held.changedIn <= lease.report && held.wantedIn <= lease.report) this.#news.delete(held);
    }
    for (const { lineItemId, date, impressions, micros } of lease.budgets) {
      const held = this.#held(lineItemId);
      const isOfUse = held.grant(date, nullAsInfinity(impressions), nullAsInfinity(micros));
      if (isOfUse) held.wantedIn = 0;
      // Control counts with the old grant until it hears that the new one is in force.
      this.#tell(held);
    }
  }

  /** The part of a limit per second that may be used now: from 0 to 1. */
  shareOf(key: string): number {
    return this.expired ? 0 : this.#shareOf(key);
  }

  takeQps(key: string, ratePerSecond: number, nowMs: number): boolean {
    this.#demand.count(key);
    return this.#limiter.take(key, ratePerSecond, nowMs);
  }

  giveBackQps(key: string): void {
    this.#limiter.giveBack(key);
  }

  budget(lineItem: LineItem): BudgetRefusal | null {
    if (!hasDailyLimit(lineItem)) return null;
    const held = this.#held(lineItem.id);
    const refusal = this.#refusalOf(held, lineItem, this.#options.unixTime() + TOKEN_LIFE_MS);
    if (refusal !== null) this.#want(held);
    return refusal;
  }

  /**
   * Strict: what the lease does not cover is refused, so that impressions and spend that can be billed
   * never exceed what was granted.
   */
  reserve(lineItem: LineItem, clearingMicros: number, expiresMs: number): BudgetRefusal | null {
    if (!hasDailyLimit(lineItem)) return null;
    const held = this.#held(lineItem.id);
    let refusal = this.#refusalOf(held, lineItem, expiresMs);
    if (lineItem.capping.maxDailySpendMicros !== null) {
      const isCovered = held.covers(clearingMicros, expiresMs);
      if (!isCovered) refusal ??= 'daily_spend';
    }
    if (refusal === null) {
      held.reserve(clearingMicros, expiresMs);
      this.#tell(held);
    } else this.#winsRefused += 1;
    if (refusal !== null || held.isLow) this.#want(held);
    return refusal;
  }

  release(lineItem: LineItem, clearingMicros: number, expiresMs: number): void {
    this.#budgets.get(lineItem.id)?.release(clearingMicros, expiresMs);
  }

  #refusalOf(held: HeldBudget, { capping }: LineItem, expiresMs: number): BudgetRefusal | null {
    if (held.date !== this.#today() || !this.#isValid(this.#options.now())) return 'no_lease';
    const { granted } = held;
    if (capping.maxDailyImpressions !== null) {
      // The grant is older than the limit: control has not taken this limit into account.
      if (granted.impressions === Number.POSITIVE_INFINITY) return 'no_lease';
      if (!held.hasImpression(expiresMs)) return 'daily_impressions';
    }
    if (capping.maxDailySpendMicros !== null) {
      if (granted.micros === Number.POSITIVE_INFINITY) return 'no_lease';
      if (!held.hasMoney(expiresMs)) return 'daily_spend';
    }
    return null;
  }

  #isValid(nowMs: number): boolean {
    // A machine that was suspended has a monotonic clock that stood, and a Unix time that did not.
    return (
      !this.#hasLeft &&
      nowMs < this.#validUntil.monotonicMs &&
      this.#options.unixTime() < this.#validUntil.unixMs
    );
  }

  #useShares(baseShare: number, rates: Lease['rates']): void {
    this.#baseShare = baseShare;
    for (const { key, share } of rates) {
      if (share > 0) this.#shares.set(key, share);
      else this.#shares.delete(key);
    }
  }

  #shareOf(key: string): number {
    return Math.min(1, this.#baseShare + (this.#shares.get(key) ?? 0));
  }

  #held(lineItemId: number): HeldBudget {
    const known = this.#budgets.get(lineItemId);
    if (known !== undefined) return known;
    const created = new HeldBudget(lineItemId);
    this.#budgets.set(lineItemId, created);
    return created;
  }

  #askMissing(): void {
    this.#askedDate = this.#today();
    for (const id of this.#limited) this.#askFor(id, this.#askedDate);
  }

  #askFor(lineItemId: number, today: string): void {
    const held = this.#held(lineItemId);
    if (held.date === today) return;
    held.revoke();
    this.#want(held);
  }

  #want(held: HeldBudget): void {
    if (!held.mayAsk(this.#options.now())) return;
    held.wantedIn = this.#reports + 1;
    this.#news.add(held);
    if (this.#isWanting) return;
    this.#isWanting = true;
    this.#onWanting();
  }

  #tell(held: HeldBudget): void {
    held.changedIn = this.#reports + 1;
    this.#news.add(held);
  }

  #tellBudgets(report: number): LeaseReport['budgets'] {
    const isWanted = (held: HeldBudget): boolean => held.wantedIn > this.#acknowledged;
    let news = [...this.#news];
    if (news.length > LEASE_ENTRIES_MAX) {
      news.sort((one, other) => Number(isWanted(other)) - Number(isWanted(one)));
      for (const held of news.slice(LEASE_ENTRIES_MAX)) held.changedIn = report + 1;
      news = news.slice(0, LEASE_ENTRIES_MAX);
    }
    return news.map((held) => {
      const { impressions, micros } = held.reserved;
      return {
        lineItemId: held.lineItemId,
        wanted: isWanted(held) ? 1 : 0,
        impressions,
        micros,
        dearestMicros: held.dearestMicros,
        open: held.openSince(this.#settledMs),
      };
    });
  }

  /** The last report says all there is: what was granted and not reserved is free at once. */
  #leave(): void {
    this.#hasLeft = true;
    for (const held of this.#budgets.values()) this.#tell(held);
  }

  #revokeAll(): void {
    for (const held of this.#budgets.values()) held.revoke();
    this.#shares.clear();
    this.#baseShare = 0;
    this.#isInherited = false;
    this.#askMissing();
  }
}

function hasDailyLimit({ capping }: LineItem): boolean {
  return capping.maxDailyImpressions !== null || capping.maxDailySpendMicros !== null;
}
