import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';
import { Compile } from 'typebox/compile';

import {
  LEASE_ENTRIES_MAX,
  NodeLeasesSchema,
  type Lease,
  type LeaseReport,
  type NodeLeaseReport,
} from '../ports/leases.ts';
import type { ControlClient } from './control-client.ts';

/** Reports that come within this time go out together: processes report once a second, at once. */
const COLLECT_MS = 30;
/** One absolute limit for control's answer; a lease counts from its report and would be no use. */
const WITHIN_MS = 2_000;
const RETRY_MS = 1_000;
/** How long an ending courier waits for what is under way, and then for its last message. */
const STOP_MS = 500;
/** Processes whose reports wait, those that are gone included; as many as one message may hold. */
const PROCESSES_MAX = 1_024;
/** Rates and budgets in one message, unless a single report has more: about 4 MB. */
const ENTRIES_MAX = 2 * LEASE_ENTRIES_MAX;

const leasesValidator = Compile(NodeLeasesSchema);

export interface LeaseRelayOptions {
  /** Of the node's data directory. */
  readonly incarnation: string;
  /** How many exchange processes the node has. */
  readonly workers: number;
  readonly control: Pick<ControlClient, 'post'>;
  /** Takes what control has answered. */
  readonly deliver: (leases: readonly Lease[]) => void;
  readonly logger: Logger;
}

/**
 * Carries the reports of the node's exchange processes to control, one message at a time, and the
 * leases back. Of each process the last report is kept until control has answered it: what one has
 * used that is gone meanwhile is known from nobody else.
 */
export class LeaseRelay {
  readonly #options: LeaseRelayOptions;
  readonly #stopping = new AbortController();
  /** By process, the one that has waited longest first. */
  readonly #waiting = new Map<string, LeaseReport>();
  #running: Promise<void> | undefined;
  #failing = false;

  constructor(options: LeaseRelayOptions) {
    this.#options = options;
  }

  take(report: LeaseReport): void {
    this.#waiting.set(report.process, report);
    if (this.#waiting.size > PROCESSES_MAX) this.#forgetOldest();
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /**
   * Sends what waits, once: the exchange processes of a node that is stopped have just said what is
   * left of their budgets.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const waited = new AbortController();
    const tooLate = delay(STOP_MS, undefined, { signal: waited.signal }).catch(() => {});
    await Promise.race([this.#running, tooLate]);
    waited.abort();
    if (this.#waiting.size === 0 || this.#failing) return;
    await this.#send(this.#gather(), STOP_MS).catch(() => {});
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    await this.#pause(COLLECT_MS);
    while (this.#waiting.size > 0 && !signal.aborted) {
      const reports = this.#gather();
      try {
        this.#options.deliver(await this.#send(reports));
        this.#tell(true);
        await this.#pause(COLLECT_MS);
      } catch (error) {
        if (signal.aborted) return;
        this.#putBack(reports);
        this.#tell(false, error);
        await this.#pause(RETRY_MS);
      }
    }
  }

  /** As many of the reports as fit into one message, and at least one. */
  #gather(): readonly LeaseReport[] {
    const reports: LeaseReport[] = [];
    let entries = 0;
    for (const [process, report] of this.#waiting) {
      entries += report.rates.length + report.budgets.length;
      if (reports.length > 0 && entries > ENTRIES_MAX) break;
      reports.push(report);
      this.#waiting.delete(process);
    }
    return reports;
  }

  async #send(
    reports: readonly LeaseReport[],
    withinMs: number = WITHIN_MS,
  ): Promise<readonly Lease[]> {
    const { incarnation, workers, control } = this.#options;
    const body: NodeLeaseReport = { incarnation, workers, reports: [...reports] };
    const { status, text } = await control.post({
      path: '/internal/leases',
      type: 'application/json',
      body: JSON.stringify(body),
      withinMs,
      // One of them leads, and grants what is in the store that they share.
      ofAny: true,
    });
    if (status !== 200) throw new Error(`control answered with status ${status}`);
    const answer: unknown = JSON.parse(text);
    if (!leasesValidator.Check(answer)) throw new Error('control answered with something else');
    return answer.leases;
  }

  /** What has come of the same process meanwhile is newer, and says as much. */
  #putBack(reports: readonly LeaseReport[]): void {
    const newer = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const report of [...reports, ...newer]) this.#waiting.set(report.process, report);
    while (this.#waiting.size > PROCESSES_MAX) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined) this.#waiting.delete(oldest);
  }

  /** Says once that control does not answer, and once that it does again. */
  #tell(works: boolean, error?: unknown): void {
    const { logger } = this.#options;
    if (works && this.#failing) logger.info('control answers with leases again');
    if (!works && !this.#failing) {
      logger.warn(
        { err: error },
        'control gives no leases; those that processes have stay valid for a while',
      );
    }
    this.#failing = !works;
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}
