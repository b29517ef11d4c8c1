import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Billed, BilledQuestion } from '../analytics/billed.ts';
import { dateOf } from '../analytics/dates.ts';
import { CLOCK_SKEW_MAX_MS } from '../beacons/beacon.ts';
import type { NodeSettlement, Unsettled } from '../limits/lease-book.ts';
import { EXPIRY_STEP_MS } from '../ports/leases.ts';
import type { Leases } from './leases.ts';
import type { NodeRegister } from './node-register.ts';

const LOOK_MS = 1_000;
/** From when a beacon comes until it stands in the journal, at the longest. */
const WRITTEN_WITHIN_MS = 10_000;
/** How long after its start control waits for nodes to say how far they have come. */
const NODES_HEARD_WITHIN_MS = 15_000;

export interface LeaseSettlementOptions {
  readonly leases: Pick<Leases, 'leads' | 'askers' | 'unsettled' | 'settle' | 'budgeted'>;
  readonly nodes: Pick<NodeRegister, 'nodes'>;
  /** Whether nodes may report to another control than this one. */
  readonly hasOthers: boolean;
  /** What line items were billed; rejects while the analytics store is not open. */
  readonly readBilled: (
    question: BilledQuestion,
  ) => Promise<ReadonlyMap<string, ReadonlyMap<number, Billed>>>;
  /** The nodes that counted impressions on a day; rejects likewise. */
  readonly readBillingNodes: (date: string) => Promise<readonly string[]>;
  /** When all journals were last asked for again: what a node said before counts no more. */
  readonly reofferedAt: () => Promise<number>;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/**
 * Gives back what wins reserved that were never billed. A win is over when its token has expired and
 * all that its node's tracker wrote until then is in the analytics store; then what was billed of it
 * takes the place of what it reserved. A node that is silent, or whose journal waits, holds its own
 * reservations and no others.
 *
 * The control that grants settles, by the records that were loaded here; of several controls it is the
 * one that the nodes report to, see `docs/decisions/0017-postgresql.md`.
 */
export class LeaseSettlement {
  readonly #options: LeaseSettlementOptions;
  readonly #startedMs: number;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  /** What was settled last, as one word. */
  #settled = '';
  #failing = false;

  constructor(options: LeaseSettlementOptions) {
    this.#options = options;
    this.#startedMs = options.now();
  }

  /** Settles until `stop`. */
  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /**
   * Settles what can be settled and is not.
   *
   * @returns whether there was anything.
   * @throws when a store does not answer
   */
  async settle(): Promise<boolean> {
    const { leases, readBilled, now } = this.#options;
    if (!leases.leads || !this.#knowsAskers()) return false;
    const unsettled = await leases.unsettled();
    const date = dateOf(now());
    const expiredByMs = this.#settledUntil(await this.#options.reofferedAt());
    const word = JSON.stringify([date, ...expiredByMs]);
    if (!(await this.#isDue(unsettled, { date, expiredByMs, word }))) return false;
    const lineItemIds = leases.budgeted;
    const billed = await readBilled({ date, expiredByMs, lineItemIds });
    const nodes = new Map<string, NodeSettlement>();
    for (const [node, untilMs] of expiredByMs) {
      nodes.set(node, { untilMs, billed: billed.get(node) ?? new Map<number, Billed>() });
    }
    await leases.settle({ date, nodes });
    this.#settled = word;
    return true;
  }

  /** Whether all that ask for leases report here: what others were billed is in another store. */
  #knowsAskers(): boolean {
    const { leases, nodes, hasOthers } = this.#options;
    if (!hasOthers) return true;
    const known = new Set(nodes.nodes.map(({ status }) => status.incarnation));
    return known.size > 0 && leases.askers.every((node) => known.has(node));
  }

  /**
   * By node: until when tokens have expired of which nothing is to come any more. The clock of a
   * tracker may be set back, so that a token lives on for a while.
   */
  #settledUntil(reofferedAt: number): Map<string, number> {
    const until = new Map<string, number>();
    for (const { status } of this.#options.nodes.nodes) {
      const { wholeUntilMs, reofferedAt: from = 0 } = status.shipping;
      if (wholeUntilMs === undefined || from < reofferedAt) continue;
      const endMs = Math.max(0, wholeUntilMs - CLOCK_SKEW_MAX_MS - WRITTEN_WITHIN_MS);
      until.set(status.incarnation, Math.floor(endMs / EXPIRY_STEP_MS) * EXPIRY_STEP_MS);
    }
    return until;
  }

  async #isDue(
    { hasNewLimits, nodes }: Unsettled,
    {
      date,
      expiredByMs,
      word,
    }: {
      readonly date: string;
      readonly expiredByMs: ReadonlyMap<string, number>;
      readonly word: string;
    },
  ): Promise<boolean> {
    const { now, readBillingNodes } = this.#options;
    if (!hasNewLimits) {
      if (word === this.#settled) return false;
      return nodes.some(({ node, fromMs }) => (expiredByMs.get(node) ?? 0) >= fromMs);
    }
    // Nodes are silent until control has been up for some seconds: what they had billed counts, too.
    if (now() - this.#startedMs >= NODES_HEARD_WITHIN_MS) return true;
    const billing = await readBillingNodes(date);
    return billing.every((node) => expiredByMs.has(node));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.settle();
        this.#tell(true);
      } catch (error) {
        this.#tell(false, error);
      }
      await delay(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Says once that it cannot, and once that it can again; at the start the store opens late. */
  #tell(works: boolean, error?: unknown): void {
    const { logger, now } = this.#options;
    const details = { err: error };
    if (works && this.#failing) logger.info('daily limits are settled again');
    if (!works && !this.#failing) {
      if (now() - this.#startedMs < NODES_HEARD_WITHIN_MS) {
        logger.debug(details, 'daily limits cannot be settled yet');
        return;
      }
      logger.warn(details, 'daily limits cannot be settled: what is not billed stays reserved');
    }
    this.#failing = !works;
  }
}
