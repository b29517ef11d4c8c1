import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RoleName, Settings } from '../settings/settings.ts';
import type { ProcessUsage } from '../base/process-usage.ts';
import { decodeFromChild, type FromChild, type ToChild } from './messages.ts';
import type { Ending, SlotProcess } from './slot-process.ts';
import { environmentOf, ROLES } from './table.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** The first descriptor of a child after its three streams and the channel to the supervisor. */
const FIRST_FD = 4;
/** What a process gets beyond its time to drain, before it is killed. */
const KILL_GRACE_MS = 200;

export interface RoleChildOptions {
  readonly role: RoleName;
  readonly worker: number;
  /** What it is told, asked when it begins. */
  readonly settings: () => Settings;
  /** Whether the node is starting, asked when it begins. */
  readonly startsNode: () => boolean;
  /** The supervisor's descriptors of the role's sockets, by name. */
  readonly descriptors: Readonly<Record<string, number>>;
  /** Where what it writes goes, a descriptor; null for where the supervisor's own does. */
  readonly outputFd: number | null;
  readonly onMessage: (child: RoleChild, message: FromChild) => void;
}

/** One process of a role, as the supervisor sees it: it loads its code and waits for `begin`. */
export class RoleChild implements SlotProcess {
  readonly role: RoleName;
  readonly worker: number;
  /** True when the process says that it serves, false when it ended before. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<Ending>;
  readonly #startedMs = performance.now();
  readonly #process: ChildProcess;
  readonly #options: RoleChildOptions;
  /** What it has told of itself last. */
  #usage: ProcessUsage | null = null;
  #begun = false;
  #failure: Ending['failure'] = null;

  constructor(options: RoleChildOptions) {
    const { role, worker, descriptors, outputFd, onMessage } = options;
    const output = outputFd ?? 'inherit';
    this.#options = options;
    this.role = role;
    this.worker = worker;
    this.#process = spawn(
      process.execPath,
      [...ROLES[role].nodeFlags, MAIN, 'role', role, String(worker)],
      {
        stdio: ['ignore', output, output, 'ipc', ...Object.values(descriptors)],
        env: environmentOf(role, process.env),
      },
    );
    const ready = Promise.withResolvers<boolean>();
    this.ready = ready.promise;
    this.ended = this.#watch(ready.resolve, (message) => onMessage(this, message));
  }

  /** Tells the process what it is. */
  begin(): void {
    const { role, worker, settings, startsNode, descriptors } = this.#options;
    this.#begun = true;
    const listenFds = Object.fromEntries(
      Object.keys(descriptors).map((name, index) => [name, FIRST_FD + index]),
    );
    this.send({
      type: 'start',
      role,
      worker,
      settings: settings(),
      startsNode: startsNode(),
      listenFds,
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Null until it has told of itself. */
  get usage(): ProcessUsage | null {
    return this.#usage;
  }

  get lifeMs(): number {
    return performance.now() - this.#startedMs;
  }

  /**
   * A message to a process that has just ended is lost, as it should be; so is one to a process
   * that has not begun, except that it is to end.
   */
  send(message: ToChild): void {
    if (!this.#begun && message.type !== 'drain') return;
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  /** Lets the process finish what is under way, and kills it when it does not in time. */
  async drain(withinMs: number): Promise<Ending> {
    this.send({ type: 'drain', withinMs });
    const timer = setTimeout(() => this.kill(), withinMs + KILL_GRACE_MS);
    const ending = await this.ended;
    clearTimeout(timer);
    return ending;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  #watch(
    settleReady: (ready: boolean) => void,
    forward: (message: FromChild) => void,
  ): Promise<Ending> {
    const { promise, resolve } = Promise.withResolvers<Ending>();
    const end = (code: number | null, signal: string | null): void => {
      settleReady(false);
      resolve({ code, signal, failure: this.#failure });
    };
    this.#process.on('message', (raw) => {
      const message = decodeFromChild(raw);
      if (message.type === 'ready') settleReady(true);
      if (message.type === 'usage') this.#usage = message.usage;
      if (message.type === 'failed') {
        this.#failure = { reason: message.reason, final: message.final };
      }
      forward(message);
    });
    this.#process.on('exit', end);
    this.#process.on('error', (error) => {
      if (this.#process.pid !== undefined) return;
      this.#failure = { reason: error.message, final: false };
      end(null, null);
    });
    return promise;
  }
}
