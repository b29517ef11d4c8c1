import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RoleName } from '../../src/settings/settings.ts';
import { copyAnalytics } from './analytics-store.ts';
import { childrenOf, cpuTicksOf, stillRunning } from './processes.ts';
import { until } from './wait.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** A start has failed when no process of the node has done anything for so long, however long it takes. */
const IDLE_MS_MAX = 30_000;
const POLL_MS = 20;
/** Generous: the machine may be busy with other tests. */
const COMMAND_MS = 120_000;
const END_MS = 30_000;

/** What a node ends with: a test or, for nodes that tests share, their file. */
export interface Lifetime {
  readonly passed: boolean;
  after(hook: () => void | Promise<void>): void;
}

export interface NodeOptions {
  /** The test that the node belongs to: it is stopped with it, its output shown if the test fails. */
  readonly t?: Lifetime;
  /** A configuration file to start with. */
  readonly file?: string;
  /** More of the command line; by default ports are free ones, and one exchange process runs. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What runs the command: such as `nsenter`, for a node that sees other file systems. */
  readonly prefix?: readonly string[];
  /** By default a fresh one with an empty analytics store, removed when the node is stopped. */
  readonly dataDirectory?: string;
}

/** How a process ended: code or signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A running `rialto start`, as an operator sees it. */
export interface StartedNode {
  /** The supervisor's process id. */
  readonly pid: number;
  /** Base addresses, without a slash at the end; empty for a role that the node does not have. */
  readonly urls: {
    readonly exchange: string;
    readonly tracker: string;
    readonly control: string;
    /** Of all processes of the node, with its path. */
    readonly metrics: string;
  };
  readonly dataDirectory: string;
  readonly exited: Promise<Exit>;
  /** The processes of a role, as `ps` shows them. */
  pids(role: RoleName): readonly number[];
  /** All that the node has written so far, both streams. */
  output(): string;
  /** Sends a signal to all processes of a role, or to the supervisor, and gives their ids. */
  kill(whom: RoleName | 'supervisor', signal?: NodeJS.Signals): readonly number[];
  /**
   * Stops the node with SIGTERM unless it has ended already, and removes what it left.
   *
   * @throws Error when it does not end in time, or leaves a process behind, which is then killed.
   */
  stop(): Promise<Exit>;
}

/** Starts a node and waits until it says that it is ready. */
export async function startNode(options: NodeOptions = {}): Promise<StartedNode> {
  const { t, file, args = [], env = {}, prefix = [], dataDirectory } = options;
  const ownDirectory = dataDirectory ?? mkdtempSync(join(tmpdir(), 'rialto-node-'));
  if (dataDirectory === undefined) await copyAnalytics(join(ownDirectory, 'analytics'));
  const child = spawnRialto(
    [
      'start',
      `--data=${ownDirectory}`,
      '--host=127.0.0.1',
      '--workers=1',
      '--exchange-port=0',
      '--control-port=0',
      '--tracker-port=0',
      '--metrics-port=0',
      ...(file === undefined ? [] : [`--apply=${file}`]),
      ...args,
    ],
    env,
    prefix,
  );
  const node = new NodeProcess(child, ownDirectory, dataDirectory === undefined);
  t?.after(async () => {
    await node.stop();
    if (!t.passed) console.error(`The node wrote:\n${node.output()}`);
  });
  try {
    await node.ready();
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
}

/** What a command that ends by itself did. */
export interface CommandResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of `rialto` to its end. */
export async function runRialto(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  prefix: readonly string[] = [],
): Promise<CommandResult> {
  const child = spawnRialto(args, env, prefix);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS);
  const exit = await exitOf(child, 'close');
  clearTimeout(timer);
  return { ...exit, stdout, stderr };
}

/**
 * A process of the command, with none of the settings of whoever runs the tests. It builds no console:
 * each would for itself, beside the tests.
 */
function spawnRialto(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  prefix: readonly string[],
): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('RIALTO_'));
  const [command, ...before] = [...prefix, process.execPath];
  return spawn(command, [...before, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), RIALTO_CONSOLE: 'serve', ...env },
  });
}

function exitOf(child: ChildProcess, event: 'exit' | 'close'): Promise<Exit> {
  return new Promise((resolve) => {
    child.once(event, (code: number | null, signal: string | null) => resolve({ code, signal }));
  });
}

class NodeProcess implements StartedNode {
  readonly pid: number;
  readonly dataDirectory: string;
  readonly exited: Promise<Exit>;
  urls = { exchange: '', tracker: '', control: '', metrics: '' };
  readonly #child: ChildProcess;
  readonly #removesDirectory: boolean;
  /** Every process of this node that was ever seen. */
  readonly #seen = new Set<number>();
  #output = '';
  #exit: Exit | undefined;
  #stopping: Promise<Exit> | undefined;

  constructor(child: ChildProcess, dataDirectory: string, removesDirectory: boolean) {
    if (child.pid === undefined) throw new Error('rialto could not be started');
    this.pid = child.pid;
    this.dataDirectory = dataDirectory;
    this.#child = child;
    this.#removesDirectory = removesDirectory;
    this.exited = this.#watchExit();
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    }
  }

  async ready(): Promise<void> {
    let [doneBefore, movedMs] = [-1, performance.now()];
    while (!/^ {2}data {2}/m.test(this.#output)) {
      if (this.#exit !== undefined) {
        const { code, signal } = this.#exit;
        throw new Error(
          `rialto ended with ${code ?? signal} before it was ready:\n${this.#output}`,
        );
      }
      const done =
        this.#output.length + cpuTicksOf([this.pid, ...this.#look().map(({ pid }) => pid)]);
      if (done !== doneBefore) [doneBefore, movedMs] = [done, performance.now()];
      if (performance.now() > movedMs + IDLE_MS_MAX) {
        throw new Error(`the node has done nothing for ${IDLE_MS_MAX} ms:\n${this.#output}`);
      }
      await delay(POLL_MS);
    }
    this.urls = {
      exchange: this.#announced('exchange'),
      tracker: this.#announced('tracker'),
      control: this.#announced('control'),
      metrics: /^ {2}metrics +(\S+)/m.exec(this.#output)?.[1] ?? '',
    };
    this.#look();
  }

  pids(role: RoleName): readonly number[] {
    return this.#look()
      .filter(({ command }) => command.includes(` role ${role} `))
      .map(({ pid }) => pid);
  }

  output(): string {
    return this.#output;
  }

  kill(whom: RoleName | 'supervisor', signal: NodeJS.Signals = 'SIGKILL'): readonly number[] {
    this.#look();
    const pids = whom === 'supervisor' ? [this.pid] : this.pids(whom);
    for (const pid of pids) process.kill(pid, signal);
    return pids;
  }

  stop(): Promise<Exit> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<Exit> {
    this.#look();
    if (this.#exit === undefined) this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_MS);
    const exit = await this.exited;
    clearTimeout(timer);
    try {
      await until('no process of the node is left', END_MS, () => {
        return stillRunning(this.#seen).length === 0;
      });
    } catch (error) {
      const left = stillRunning(this.#seen);
      for (const { pid } of left) process.kill(pid, 'SIGKILL');
      throw new Error(`left running: ${left.map(({ command }) => command).join('; ')}`, {
        cause: error,
      });
    } finally {
      if (this.#removesDirectory) rmSync(this.dataDirectory, { recursive: true, force: true });
    }
    return exit;
  }

  async #watchExit(): Promise<Exit> {
    this.#exit = await exitOf(this.#child, 'exit');
    return this.#exit;
  }

  #look() {
    const children = childrenOf(this.pid);
    for (const { pid } of children) this.#seen.add(pid);
    return children;
  }

  /** The address of a role as the node prints it, by number because every name service differs. */
  #announced(role: 'exchange' | 'tracker' | 'control'): string {
    const [, port] =
      new RegExp(`^ {2}${role} +http://localhost:(\\d+)`, 'm').exec(this.#output) ?? [];
    return port === undefined ? '' : `http://127.0.0.1:${port}`;
  }
}
