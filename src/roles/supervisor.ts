import { once } from 'node:events';
import type { Server } from 'node:http';
import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { definedField } from '../base/fields.ts';
import { createLogger } from '../base/logger.ts';
import { processUsage } from '../base/process-usage.ts';
import type { RoleName, Settings } from '../settings/settings.ts';
import { snapshotPath } from '../courier/snapshot-file.ts';
import type { NodeProcess } from '../ports/node-status.ts';
import { announce, announceFirstOperator, type NodeStart } from './announce.ts';
import { lockDataDirectory } from './data-lock.ts';
import { LeaseSwitch } from './lease-switch.ts';
import type { FromChild } from './messages.ts';
import { createMetricsServer } from './metrics-server.ts';
import { completeSettings, settingsFor } from './node-settings.ts';
import { ChildRegister, endOrphans } from './orphans.ts';
import { RoleChild } from './role-child.ts';
import { MetricsGatherer } from './role-metrics.ts';
import { Slot } from './slot.ts';
import { BoundSockets, type SocketPlace } from './sockets.ts';
import { watchSignals } from './supervisor-signals.ts';
import { ROLES } from './table.ts';

/** What every role gets to drain, however long the others took. */
const STOP_LEAST_MS = 300;
/**
 * How long a node with a snapshot on its disk waits for control before it serves without. A file that
 * is to be applied first may be large; with one it waits this long, or until control fails.
 */
const CONTROL_WAIT_MS = 10_000;
const CONTROL_WAIT_APPLYING_MS = 60_000;
/** A node that is not ready after this long says what it waits for. */
const STILL_WAITING_MS = 5_000;

const METRICS_PLACE: SocketPlace = { host: 'metricsHost', port: 'metricsPort' };

export interface SupervisorOptions {
  /** Called once, when the node serves, with its own addresses filled in. */
  readonly onReady?: (settings: Settings, start: NodeStart) => void;
  /**
   * Where the log of the node goes, and all else that its processes write: a descriptor. By default the
   * standard output, where a person may have asked for something else than lines of JSON.
   */
  readonly logFd?: number | null;
  /** SIGHUP ends the node instead of restarting it; by default when a person's terminal runs it. */
  readonly hangUpStops?: boolean;
}

/**
 * Runs one node: takes its data directory, binds its sockets, starts its roles in order and keeps
 * them running until a signal stops it.
 *
 * @returns the exit code: 0 after an orderly stop.
 * @throws CommandError when the node cannot start; nothing of it is left running.
 */
export async function runSupervisor(
  settings: Settings,
  { onReady = announce, logFd = null, hangUpStops = process.stdout.isTTY }: SupervisorOptions = {},
): Promise<number> {
  // Everything that the node writes is its user's own, in every process.
  process.umask(0o077);
  // A reader of the output that goes away takes nothing with it; the logger has the same rule.
  process.stdout.on('error', () => {});
  const lock = lockDataDirectory(settings.dataDirectory);
  const sockets = new BoundSockets();
  try {
    const { dataDirectory, logLevel } = settings;
    const logger = createLogger({
      level: logLevel,
      role: 'supervisor',
      ...definedField('fd', logFd),
    });
    await endOrphans(dataDirectory, logger);
    await sockets.bind('metrics', METRICS_PLACE, settings, lock.predecessorCrashed);
    for (const role of settings.roles) {
      for (const [name, place] of Object.entries(ROLES[role].sockets)) {
        await sockets.bind(name, place, settings, lock.predecessorCrashed);
      }
    }
    const completed = completeSettings(settings, sockets);
    const children = new ChildRegister(dataDirectory, logger);
    return await new Supervisor({ settings: completed, sockets, children, logger, logFd }).run(
      (start) => onReady(completed, start),
      hangUpStops,
    );
  } finally {
    sockets.close();
    lock.release();
  }
}

type OnReady = (start: NodeStart) => void;

interface SupervisorParts {
  readonly settings: Settings;
  readonly sockets: BoundSockets;
  readonly children: ChildRegister;
  readonly logger: Logger;
  readonly logFd: number | null;
}

class Supervisor {
  readonly #settings: Settings;
  readonly #sockets: BoundSockets;
  readonly #children: ChildRegister;
  readonly #logFd: number | null;
  readonly #logger: Logger;
  readonly #slots: ReadonlyMap<RoleName, readonly Slot<RoleChild>[]>;
  readonly #metrics = new MetricsGatherer();
  readonly #leases = new LeaseSwitch({
    couriers: () => (this.#slots.get('courier') ?? []).flatMap((slot) => slot.children),
    now: () => performance.now(),
    unixTime: () => Date.now(),
  });
  readonly #stopped = Promise.withResolvers<number>();
  #controlStarted = false;
  #nodeReady = false;
  #firstOperatorUrl: string | null = null;
  #restarts: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  constructor({ settings, sockets, children, logger, logFd }: SupervisorParts) {
    this.#settings = settings;
    this.#sockets = sockets;
    this.#children = children;
    this.#logger = logger;
    this.#logFd = logFd;
    this.#slots = new Map(settings.roles.map((role) => [role, this.#makeSlots(role)]));
  }

  async run(onReady: OnReady, hangUpStops: boolean): Promise<number> {
    const actions = {
      stop: () => void this.#stop().then(() => this.#stopped.resolve(0)),
      stopNow: (signal: NodeJS.Signals) => this.#stopNow(signal),
      restart: (roles: readonly RoleName[] | 'all') => this.#restart(roles),
    };
    const unwatch = watchSignals(actions, hangUpStops);
    process.once('uncaughtException', (error) => {
      // The children see the channel close and drain by themselves.
      this.#logger.fatal({ err: error }, 'the supervisor ends');
      process.exit(1);
    });
    let metrics: Server | null = null;
    try {
      metrics = await this.#serveMetrics();
      await this.#start(onReady);
      return await this.#stopped.promise;
    } catch (error) {
      await this.#stop();
      throw error;
    } finally {
      metrics?.close();
      metrics?.closeAllConnections();
      unwatch();
    }
  }

  /**
   * One role after the other: a courier finds control there, an exchange finds a snapshot. Where it
   * finds one without control, control may come later.
   */
  async #start(onReady: OnReady): Promise<void> {
    for (const slot of [...this.#slots.values()].flat()) slot.prepare();
    for (const [role, slots] of this.#slots) {
      const stillWaiting = setTimeout(() => {
        this.#logger.warn({ waitingFor: role }, 'the node is not ready yet');
      }, STILL_WAITING_MS);
      try {
        if (role === 'control' && this.#servesWithoutControl()) {
          await Promise.all(slots.map((slot) => this.#startControl(slot)));
        } else {
          await Promise.all(slots.map((slot) => slot.start()));
        }
      } finally {
        clearTimeout(stillWaiting);
      }
      if (this.#stopping !== undefined) return;
    }
    onReady({ firstOperatorUrl: this.#firstOperatorUrl, controlServes: this.#controlStarted });
    this.#nodeReady = true;
    for (const { children } of this.#slots.get('control') ?? []) {
      for (const control of children) control.send({ type: 'nodeReady' });
    }
  }

  #servesWithoutControl(): boolean {
    const { roles, dataDirectory } = this.#settings;
    return roles.includes('exchange') && existsSync(snapshotPath(dataDirectory));
  }

  async #startControl(slot: Slot<RoleChild>): Promise<void> {
    const applies = this.#settings.applyFile !== null;
    const ready = await slot.startOptional(applies ? CONTROL_WAIT_APPLYING_MS : CONTROL_WAIT_MS);
    if (ready || this.#stopping !== undefined) return;
    this.#logger.error(
      'control does not serve yet: the node starts with the configuration on its disk, and control is tried again',
    );
  }

  #makeSlots(role: RoleName): readonly Slot<RoleChild>[] {
    const count = ROLES[role].processes(this.#settings);
    return Array.from({ length: count }, (_, worker) => {
      const slot: Slot<RoleChild> = new Slot({
        spawn: () => {
          const child = new RoleChild({
            role,
            worker,
            settings: () => settingsFor(role, this.#settings, !this.#controlStarted),
            startsNode: () => !this.#controlStarted,
            descriptors: this.#descriptors(role),
            outputFd: this.#logFd,
            onMessage: (from, message) => this.#receive(slot, from, message),
          });
          this.#registerChild(child);
          return child;
        },
        overlaps: ROLES[role].overlaps,
        logger: this.#logger,
      });
      return slot;
    });
  }

  #registerChild({ pid, ended }: RoleChild): void {
    if (pid === undefined) return;
    this.#children.add(pid);
    void ended.then(() => this.#children.remove(pid));
    // It may have written and not told any more.
    void ended.then(() => this.#tellGrowth());
  }

  #tellGrowth(): void {
    for (const { children } of this.#slots.get('courier') ?? []) {
      for (const courier of children) courier.send({ type: 'journalGrew' });
    }
  }

  #descriptors(role: RoleName): Record<string, number> {
    const names = Object.keys(ROLES[role].sockets);
    return Object.fromEntries(names.map((name) => [name, this.#sockets.descriptor(name)]));
  }

  #receive(slot: Slot<RoleChild>, child: RoleChild, message: FromChild): void {
    switch (message.type) {
      case 'ready':
        this.#logger.debug({ role: child.role, worker: child.worker, pid: child.pid }, 'ready');
        if (child.role !== 'control') break;
        // A control that is started again later must not undo what was changed since.
        this.#controlStarted = true;
        if (this.#nodeReady) child.send({ type: 'nodeReady' });
        break;
      case 'failed':
        break;
      case 'usage':
        // A courier's own message is when it is given those of all.
        if (child.role === 'courier') {
          child.send({ type: 'processes', processes: this.#processes() });
        }
        break;
      case 'retiring':
        if (slot.isCurrent(child)) void slot.replace();
        break;
      case 'firstOperatorLink':
        this.#firstOperatorUrl = message.url;
        if (this.#nodeReady) announceFirstOperator(message.url);
        break;
      case 'snapshotWritten':
        this.#logger.debug({ version: message.news.version }, 'new snapshot');
        for (const { children } of this.#slots.get('exchange') ?? []) {
          for (const exchange of children) exchange.send({ type: 'snapshot', news: message.news });
        }
        break;
      case 'metrics':
        this.#metrics.answer(message.id, child, message.metrics);
        break;
      case 'leaseReport':
        this.#leases.report(child, message.report);
        break;
      case 'leases':
        this.#leases.deliver(message.leases);
        break;
      case 'journalGrew':
        this.#tellGrowth();
        break;
    }
  }

  /** Listens as long as there is something to tell. */
  async #serveMetrics(): Promise<Server> {
    const server = createMetricsServer({
      collect: () => {
        const children = [...this.#slots.values()].flat().flatMap((slot) => slot.children);
        return this.#metrics.collect(children, this.#restartCounts());
      },
      logger: this.#logger,
    });
    server.listen(this.#sockets.adopt('metrics'));
    await once(server, 'listening');
    return server;
  }

  #processes(): readonly NodeProcess[] {
    const children = [...this.#slots.values()].flat().flatMap((slot) => slot.children);
    return [
      { role: 'supervisor', worker: 0, pid: process.pid, ...processUsage() },
      ...children.flatMap(({ role, worker, pid, usage }) =>
        pid === undefined || usage === null ? [] : [{ role, worker, pid, ...usage }],
      ),
    ];
  }

  #restartCounts(): ReadonlyMap<RoleName, number> {
    return new Map(
      [...this.#slots].map(([role, slots]) => [
        role,
        slots.reduce((sum, slot) => sum + slot.restarts, 0),
      ]),
    );
  }

  /** Restarts are done one after the other, also those asked for while one is under way. */
  #restart(roles: readonly RoleName[] | 'all'): void {
    const named = this.#settings.roles.filter((role) => roles === 'all' || roles.includes(role));
    this.#restarts = this.#restartAfter(this.#restarts, named);
  }

  async #restartAfter(earlier: Promise<void>, roles: readonly RoleName[]): Promise<void> {
    await earlier;
    for (const role of roles) {
      this.#logger.info({ restarting: role }, 'replacing the processes of a role');
      for (const slot of this.#slots.get(role) ?? []) await slot.replace();
    }
  }

  #stop(): Promise<void> {
    this.#stopping ??= this.#stopInOrder();
    return this.#stopping;
  }

  /** The other way round than they were started: nothing loses what it works with. */
  async #stopInOrder(): Promise<void> {
    const startMs = performance.now();
    for (const [role, slots] of [...this.#slots].toReversed()) {
      const leftMs = ROLES[role].stopByMs - (performance.now() - startMs);
      await Promise.all(slots.map((slot) => slot.stop(Math.max(STOP_LEAST_MS, leftMs))));
    }
  }

  #stopNow(signal: NodeJS.Signals): void {
    for (const slot of [...this.#slots.values()].flat()) slot.kill();
    this.#logger.warn({ signal }, 'a second signal: ended at once');
    this.#stopped.resolve(1);
  }
}
