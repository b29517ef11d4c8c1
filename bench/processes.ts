import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process that a bench works with; it says by one line of JSON that it is ready. */
export interface Helper {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ready: unknown;
  /** Sends one line of JSON and waits for the answer to it. */
  ask(question: unknown): Promise<unknown>;
}

export async function startHelper(name: string, args: readonly string[]): Promise<Helper> {
  const path = new URL(name, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout, pid } = child;
  if (stdin === null || stdout === null || pid === undefined)
    throw new Error(`${name} did not start`);
  const lines = createInterface({ input: stdout });
  const next = async (): Promise<unknown> => {
    const [line]: unknown[] = await once(lines, 'line');
    return JSON.parse(String(line));
  };
  const ready = await next();
  const ask = (question: unknown): Promise<unknown> => {
    stdin.write(`${JSON.stringify(question)}\n`);
    return next();
  };
  return { child, pid, ready, ask };
}

/** Starts one stub bidder for each price. */
export async function startStubBidders(
  prices: readonly number[],
): Promise<{ readonly helper: Helper; readonly ports: readonly number[] }> {
  const helper = await startHelper('stub-bidders.ts', prices.map(String));
  const { ready } = helper;
  if (typeof ready !== 'object' || ready === null || !('ports' in ready))
    throw new Error('no ports');
  if (!Array.isArray(ready.ports)) throw new Error('no ports');
  return { helper, ports: ready.ports.map(Number) };
}

/** Keeps processes, with all their threads, on one core. Linux only. */
export function pin(pids: readonly number[], core: number): void {
  for (const pid of pids) {
    const { status, stderr } = spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
    if (status !== 0) throw new Error(`taskset: ${String(stderr)}`);
  }
}

/** The only process of a role. */
export function onlyPid(pids: readonly number[]): number {
  const [pid] = pids;
  if (pid === undefined || pids.length > 1) throw new Error(`${pids.length} processes, not one`);
  return pid;
}
