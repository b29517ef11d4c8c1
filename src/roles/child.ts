import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { CommandError } from '../base/errors.ts';
import { createLogger } from '../base/logger.ts';
import { processUsage } from '../base/process-usage.ts';
import { messageOf } from '../base/unknown-error.ts';
import type { RoleName, Settings } from '../settings/settings.ts';
import { snapshotPath } from '../courier/snapshot-file.ts';
import type { Lease, LeaseReport } from '../ports/leases.ts';
import type { NodeProcess } from '../ports/node-status.ts';
import type { SnapshotNews } from '../snapshot/delta.ts';
import { decodeToChild, DRAIN_LIMIT_MS, type FromChild, type ToChild } from './messages.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { createGrowthTeller } from './tell-growth.ts';

/** How long a process that got a signal of its own goes on serving while its replacement starts. */
const REPLACEMENT_WAIT_MS = 2_000;

/** How often a process tells what it uses: as often as the courier reports. */
const USAGE_MS = 2_000;

/** What a role's process works with: the supervisor's gifts, and the wires back to it. */
export interface RoleContext {
  readonly role: RoleName;
  /** Which of the role's processes this is, counted from 0. A replacement keeps the number. */
  readonly worker: number;
  /** Absolute path of the node's data directory. */
  readonly dataDirectory: string;
  readonly settings: Settings;
  /** The node is starting; false for a process that takes another's place. */
  readonly startsNode: boolean;
  readonly logger: Logger;
  /**
   * Descriptor of the role's bound socket, for `server.listen({ fd })`.
   * Throws when the role has none.
   */
  readonly listenFd: number;
  /** Descriptors of all the role's bound sockets by name: `exchange`, `control`, `internal`. */
  readonly listenFds: Readonly<Record<string, number>>;
  readonly registry: Registry;
  /**
   * Exchange only: calls the handler soon, with null, when the node has a snapshot on disk, and with
   * the news whenever the courier has put one there.
   */
  onSnapshot(handler: (news: SnapshotNews | null) => void): void;
  /** Control only: calls the handler when every role of the node serves. */
  onNodeReady(handler: () => void): void;
  /** Courier only: a snapshot is on disk. */
  announceSnapshot(news: SnapshotNews): void;
  /**
   * Exchange only: sends the report to control, by way of the node's courier. Resolves when it has
   * left this process.
   */
  reportLease(report: LeaseReport): Promise<void>;
  /**
   * Exchange only: calls the handler with every lease for this process. One that is inherited is
   * what is left of the last process's in this place, and answers no report.
   */
  onLease(handler: (lease: Lease, inherited: boolean) => void): void;
  /** Courier only: calls the handler every few seconds with all processes of the node. */
  onProcesses(handler: (processes: readonly NodeProcess[]) => void): void;
  /** Courier only: calls the handler with the reports of the node's exchange processes. */
  onLeaseReport(handler: (report: LeaseReport) => void): void;
  /** Tells the courier, soon, that this process has written to the node's journal. */
  readonly tellGrowth: () => void;
  /** Courier only: calls the handler when the journal of the node has grown. */
  onGrowth(handler: () => void): void;
  /** Courier only: gives leases to the processes that they are for. */
  deliverLeases(leases: readonly Lease[]): void;
  /** Handlers run one after the other, the last registered first; then the process ends with 0. */
  onDrain(handler: () => Promise<void>): void;
  /** Has the supervisor show the address at which the first operator is made. */
  offerFirstOperator(url: string): void;
  /** Tells the supervisor that this process serves. */
  ready(): void;
}

/**
 * Runs one role in this process, which the supervisor has started: waits for what it sends, calls
 * `start`, and ends when the supervisor says so, when it is gone, or at the first unforeseen error.
 *
 * @param start composes the role; it resolves once everything is wired. A `CommandError` thrown by
 *   it ends the whole start with its message, another error lets the supervisor try again.
 * @throws CommandError when this process was not started by a supervisor, or it is gone already.
 */
export function runRole(
  role: RoleName,
  start: (context: RoleContext) => Promise<void>,
): Promise<void> {
  if (process.send === undefined) {
    throw new CommandError(`The ${role} role is started by "rialto start", not by hand.`);
  }
  return new Promise((resolve, reject) => {
    const orphaned = (): void => reject(new CommandError('The supervisor is gone.'));
    if (!process.connected) orphaned();
    process.once('disconnect', orphaned);
    process.once('message', (raw: unknown) => {
      process.removeListener('disconnect', orphaned);
      const message = decodeToChild(raw);
      // The node was stopped before it was this role's turn to start.
      if (message.type === 'drain') process.exit(0);
      if (message.type === 'start') resolve(new RoleProcess(message).run(start));
      else reject(new Error(`expected the supervisor's start, got ${message.type}`));
    });
  });
}

/** This process's end of the channel. */
class RoleProcess implements RoleContext {
  readonly role: RoleName;
  readonly worker: number;
  readonly dataDirectory: string;
  readonly settings: Settings;
  readonly startsNode: boolean;
  readonly logger: Logger;
  readonly listenFds: Readonly<Record<string, number>>;
  readonly registry = new Registry();
  readonly #snapshotHandlers: ((news: SnapshotNews | null) => void)[] = [];
  readonly #nodeReadyHandlers: (() => void)[] = [];
  readonly #leaseHandlers: ((lease: Lease, inherited: boolean) => void)[] = [];
  readonly #processesHandlers: ((processes: readonly NodeProcess[]) => void)[] = [];
  readonly #leaseReportHandlers: ((report: LeaseReport) => void)[] = [];
  readonly #growthHandlers: (() => void)[] = [];
  readonly tellGrowth = createGrowthTeller(() => send({ type: 'journalGrew' }));
  readonly #drainHandlers: (() => Promise<void>)[] = [];
  #state: 'starting' | 'ready' | 'draining' = 'starting';

  constructor(message: Extract<ToChild, { type: 'start' }>) {
    this.role = message.role;
    this.worker = message.worker;
    this.settings = message.settings;
    this.startsNode = message.startsNode;
    this.dataDirectory = message.settings.dataDirectory;
    this.listenFds = message.listenFds;
    this.logger = createLogger({
      level: message.settings.logLevel,
      role: message.role,
      worker: message.worker,
    });
    registerProcessMetrics(this.registry);
  }

  async run(start: (context: RoleContext) => Promise<void>): Promise<void> {
    this.#listen();
    const tellUsage = (): void => send({ type: 'usage', usage: processUsage() });
    tellUsage();
    setInterval(tellUsage, USAGE_MS).unref();
    try {
      await start(this);
    } catch (error) {
      this.#fail(error);
    }
  }

  get listenFd(): number {
    const fd = this.listenFds[this.role];
    if (fd === undefined) throw new Error(`the ${this.role} role has no listening socket`);
    return fd;
  }

  onSnapshot(handler: (news: SnapshotNews | null) => void): void {
    this.#snapshotHandlers.push(handler);
    if (existsSync(snapshotPath(this.dataDirectory))) queueMicrotask(() => handler(null));
  }

  onNodeReady(handler: () => void): void {
    this.#nodeReadyHandlers.push(handler);
  }

  announceSnapshot(news: SnapshotNews): void {
    send({ type: 'snapshotWritten', news });
  }

  reportLease(report: LeaseReport): Promise<void> {
    return new Promise((resolve) => {
      send({ type: 'leaseReport', report }, resolve);
    });
  }

  onLease(handler: (lease: Lease, inherited: boolean) => void): void {
    this.#leaseHandlers.push(handler);
  }

  onProcesses(handler: (processes: readonly NodeProcess[]) => void): void {
    this.#processesHandlers.push(handler);
  }

  onLeaseReport(handler: (report: LeaseReport) => void): void {
    this.#leaseReportHandlers.push(handler);
  }

  onGrowth(handler: () => void): void {
    this.#growthHandlers.push(handler);
  }

  deliverLeases(leases: readonly Lease[]): void {
    send({ type: 'leases', leases });
  }

  onDrain(handler: () => Promise<void>): void {
    this.#drainHandlers.push(handler);
  }

  offerFirstOperator(url: string): void {
    send({ type: 'firstOperatorLink', url });
  }

  ready(): void {
    if (this.#state !== 'starting') return;
    this.#state = 'ready';
    send({ type: 'ready' });
  }

  #listen(): void {
    process.on('message', (raw: unknown) => this.#receive(decodeToChild(raw)));
    process.on('disconnect', () => void this.#drain('the supervisor is gone', DRAIN_LIMIT_MS));
    process.on('SIGTERM', () => this.#retire());
    // A terminal sends these to the whole process group; the supervisor alone decides what follows.
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
    process.on('uncaughtException', (error) => this.#fail(error));
    process.on('unhandledRejection', (reason) => this.#fail(reason));
  }

  #receive(message: ToChild): void {
    switch (message.type) {
      case 'start':
        break;
      case 'nodeReady':
        for (const handler of this.#nodeReadyHandlers) handler();
        break;
      case 'snapshot':
        for (const handler of this.#snapshotHandlers) handler(message.news);
        break;
      case 'drain':
        void this.#drain('the supervisor asked', message.withinMs);
        break;
      case 'metricsWanted':
        void this.registry
          .getMetricsAsJSON()
          .then((metrics) => send({ type: 'metrics', id: message.id, metrics }));
        break;
      case 'processes':
        for (const handler of this.#processesHandlers) handler(message.processes);
        break;
      case 'leaseReport':
        for (const handler of this.#leaseReportHandlers) handler(message.report);
        break;
      case 'journalGrew':
        for (const handler of this.#growthHandlers) handler();
        break;
      case 'lease':
        for (const handler of this.#leaseHandlers) handler(message.lease, false);
        break;
      case 'inheritedLease':
        for (const handler of this.#leaseHandlers) handler(message.lease, true);
        break;
    }
  }

  /**
   * A signal sent to this process alone, by an operator or a service manager: it goes on serving
   * until the supervisor, which starts the replacement first, tells it to drain.
   */
  #retire(): void {
    if (this.#state !== 'ready') {
      void this.#drain('signal', DRAIN_LIMIT_MS);
      return;
    }
    send({ type: 'retiring' });
    const withinMs = DRAIN_LIMIT_MS - REPLACEMENT_WAIT_MS;
    setTimeout(() => void this.#drain('signal', withinMs), REPLACEMENT_WAIT_MS);
  }

  async #drain(reason: string, withinMs: number): Promise<void> {
    if (this.#state === 'draining') return;
    this.#state = 'draining';
    this.logger.debug({ reason }, 'draining');
    setTimeout(() => {
      this.logger.error({ withinMs }, 'did not drain in time');
      process.exit(1);
    }, withinMs);
    try {
      for (const handler of this.#drainHandlers.toReversed()) await handler();
    } catch (error) {
      this.#fail(error);
      return;
    }
    process.exit(0);
  }

  /** Logs what was not foreseen and ends: a process in an unknown state is replaced, not repaired. */
  #fail(error: unknown): void {
    const starting = this.#state === 'starting';
    const final = error instanceof CommandError;
    if (!(starting && final)) this.logger.fatal({ err: error }, `${this.role} ends`);
    if (!starting) process.exit(1);
    const reason = messageOf(error);
    setTimeout(() => process.exit(1), 1_000);
    send({ type: 'failed', reason, final }, () => process.exit(1));
  }
}

/** A closed channel is not an error here: `disconnect` has already told that the supervisor is gone. */
function send(message: FromChild, sent: () => void = () => {}): void {
  if (process.connected) process.send?.(message, () => sent());
  else sent();
}
