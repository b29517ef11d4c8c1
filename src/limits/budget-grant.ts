import { CLOCK_SKEW_MAX_MS } from '../beacons/beacon.ts';
import { type Amount, DIMENSIONS, type Dimension, noAmount } from './amount.ts';

/**
 * How long a lease is valid. Control may be away for a quarter of an hour, and nothing changes.
 */
export const LEASE_LIFE_MS = 20 * 60 * 1000;

/**
 * A process that has not been heard of for so long goes by no lease any more, even if the clock was
 * corrected in the meantime.
 */
export const FORGOTTEN_AFTER_MS = LEASE_LIFE_MS + CLOCK_SKEW_MAX_MS;

/**
 * When less than this part of what a process has in advance is left, it is filled up: so three quarters
 * of a lease's life are covered at any moment, a quarter of an hour.
 */
export const ADVANCE_KEPT = 0.75;

/** What a win is taken to cost before there was one, in micro-dollars CPM. */
const WIN_MICROS_GUESSED = 10_000_000;
/** A process that has won nothing yet is granted as many wins. */
const FIRST_WINS = 10;
/** The use of a budget is averaged over this time. */
const AVERAGED_MS = 60_000;
/** A process that has reserved nothing for so long does not need what it has. */
const IDLE_AFTER_MS = 10_000;

/** Reserved, and when the last of its tokens expires. */
export interface OpenReservation extends Amount {
  readonly untilMs: number;
}

/** What one process has of one line item's budget. Amounts count from the process's start. */
export interface BudgetGrant {
  readonly process: string;
  readonly node: string;
  /** The UTC day of the newest grant; empty before the first. */
  date: string;
  /** What the newest lease says. */
  readonly granted: Amount;
  /** The most that the process may go by, as far as it has confirmed leases. */
  readonly committed: Amount;
  /** The lease that said `granted` first; infinite until one has. */
  seq: number;
  readonly reserved: Amount;
  dearestMicros: number;
  open: readonly OpenReservation[];
  /** Set when the process has not been heard of: what it did not report expires then at the latest. */
  goneUntilMs: number | null;
  /** The process has said all there is. */
  hasLeft: boolean;
  wanted: boolean;
  /** Reserved per millisecond. */
  readonly use: Amount;
  reportedMs: number;
  usedMs: number;
}

export function createGrant(process: string, node: string, nowMs: number): BudgetGrant {
  return {
    process,
    node,
    date: '',
    granted: noAmount(),
    committed: noAmount(),
    seq: Number.POSITIVE_INFINITY,
    reserved: noAmount(),
    dearestMicros: 0,
    open: [],
    goneUntilMs: null,
    hasLeft: false,
    wanted: false,
    use: noAmount(),
    reportedMs: nowMs,
    usedMs: nowMs,
  };
}

/** What a process said of a line item. */
export interface BudgetReport extends Amount {
  readonly wanted: 0 | 1;
  readonly dearestMicros: number;
  readonly open: readonly OpenReservation[];
}

/** Takes what the process said; false when it has said something newer before. */
export function observe(grant: BudgetGrant, said: BudgetReport, nowMs: number): boolean {
  const { reserved, use } = grant;
  if (DIMENSIONS.some((dimension) => said[dimension] < reserved[dimension])) return false;
  const elapsedMs = Math.max(1, nowMs - grant.reportedMs);
  const weight = 1 - Math.exp(-elapsedMs / AVERAGED_MS);
  for (const dimension of DIMENSIONS) {
    const more = said[dimension] - reserved[dimension];
    if (more > 0) grant.usedMs = nowMs;
    use[dimension] += (more / elapsedMs - use[dimension]) * weight;
    reserved[dimension] = said[dimension];
    // A process may have more than is known of it here when the store was lost.
    grant.committed[dimension] = Math.max(grant.committed[dimension], said[dimension]);
    grant.granted[dimension] = Math.max(grant.granted[dimension], said[dimension]);
  }
  grant.reportedMs = nowMs;
  grant.dearestMicros = Math.max(grant.dearestMicros, said.dearestMicros);
  grant.open = said.open;
  grant.wanted = said.wanted === 1;
  return true;
}

/**
 * The most of it that can still be billed, as far as that is not among the impressions billed of
 * tokens that expired up to `settledMs`.
 */
export function outstanding(grant: BudgetGrant, dimension: Dimension, settledMs: number): number {
  let sum = 0;
  for (const reservation of grant.open) {
    if (reservation.untilMs > settledMs) sum += reservation[dimension];
  }
  const unreported = grant.committed[dimension] - grant.reserved[dimension];
  if (grant.goneUntilMs === null) return sum + unreported;
  // Of a process that is gone, and had no such limit, nobody knows how much it was.
  if (unreported === Number.POSITIVE_INFINITY) return sum;
  return grant.goneUntilMs > settledMs ? sum + unreported : sum;
}

export function isAlive(grant: BudgetGrant): boolean {
  return grant.goneUntilMs === null && !grant.hasLeft;
}

/** Whether what it has could be another's. */
export function isIdle(grant: BudgetGrant, nowMs: number): boolean {
  return nowMs - grant.usedMs > IDLE_AFTER_MS;
}

/** What one win costs at least: less is of no use. */
export function unitOf({ dearestMicros }: BudgetGrant, dimension: Dimension): number {
  if (dimension === 'impressions') return 1;
  return dearestMicros > 0 ? dearestMicros : WIN_MICROS_GUESSED;
}

/**
 * How much a process should have in advance: its use during a lease's life, so that it goes on when
 * control is away. But no more than it has used since it started, because what a killed process had in
 * advance is of no use to anybody for hours; and no more than half of its part of what is left, so that
 * all who win can go on to the end, down to single wins.
 *
 * @param left what is left of the limit, with what the process has in advance now.
 * @param sharers how many processes want some of it.
 */
export function advanceFor(
  grant: BudgetGrant,
  dimension: Dimension,
  { left, sharers }: { readonly left: number; readonly sharers: number },
): number {
  const unit = unitOf(grant, dimension);
  const few = FIRST_WINS * unit;
  const needed = grant.use[dimension] * LEASE_LIFE_MS;
  const trusted = Math.max(few, grant.reserved[dimension]);
  const advance = Math.min(Math.max(few, needed), trusted, left / (2 * sharers));
  return Math.floor(Math.max(0, Math.min(Math.max(advance, unit), left)));
}
