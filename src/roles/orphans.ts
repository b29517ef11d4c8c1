import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { startOf } from '../base/process-start.ts';
import { DRAIN_LIMIT_MS } from './messages.ts';

/** What processes get to end by themselves after their supervisor: their time to drain, and to exit. */
const DRAIN_WAIT_MS = DRAIN_LIMIT_MS + 500;
const LOOK_MS = 20;
/** One that does not even end when it is killed waits for its disk: said this often. */
const STILL_WAITING_MS = 5_000;

const checkProcesses = Compile(
  Type.Array(Type.Object({ pid: Type.Integer({ minimum: 1 }), start: Type.String() })),
);

/** A process that is told from later ones with the same id by when it started. */
interface KnownProcess {
  readonly pid: number;
  readonly start: string;
}

/**
 * The processes of a supervisor in a file of its data directory, so that the next supervisor knows
 * those that outlive it. It is written at once when a process starts or ends.
 */
export class ChildRegister {
  readonly #path: string;
  readonly #logger: Logger;
  readonly #processes = new Map<number, KnownProcess>();

  constructor(dataDirectory: string, logger: Logger) {
    this.#path = pathIn(dataDirectory);
    this.#logger = logger;
  }

  add(pid: number): void {
    const start = startOf(pid);
    if (start === null) return;
    this.#processes.set(pid, { pid, start });
    this.#write();
  }

  remove(pid: number): void {
    if (this.#processes.delete(pid)) this.#write();
  }

  /** Where it cannot be written, for a full disk say, the node runs all the same. */
  #write(): void {
    try {
      if (this.#processes.size === 0) {
        rmSync(this.#path, { force: true });
        return;
      }
      const written = `${this.#path}.new`;
      writeFileSync(written, `${JSON.stringify([...this.#processes.values()])}\n`, { mode: 0o600 });
      renameSync(written, this.#path);
    } catch (error) {
      this.#logger.warn({ err: error }, 'the list of processes cannot be written');
    }
  }
}

/**
 * Ends what a supervisor that was killed has left running: its processes drain by themselves, and
 * one that does not is killed. Returns when none is left, however long that takes: they hold the
 * ports, and the locks of tracker and analytics store.
 */
export async function endOrphans(
  dataDirectory: string,
  logger: Logger,
  drainWaitMs = DRAIN_WAIT_MS,
): Promise<void> {
  const orphans = readRegister(dataDirectory);
  const left = (): readonly number[] =>
    orphans.filter(({ pid, start }) => startOf(pid) === start).map(({ pid }) => pid);
  if (left().length === 0) return;
  logger.warn({ pids: left() }, 'waiting for the processes of a supervisor that was killed');
  // One that is stopped hears of nothing until it is continued.
  for (const pid of left()) signal(pid, 'SIGCONT');
  if (await goneWithin(drainWaitMs, left)) return;
  do {
    logger.warn({ pids: left() }, 'killing the processes of a supervisor that was killed');
    for (const pid of left()) signal(pid, 'SIGKILL');
  } while (!(await goneWithin(STILL_WAITING_MS, left)));
}

async function goneWithin(waitMs: number, left: () => readonly number[]): Promise<boolean> {
  const deadlineMs = performance.now() + waitMs;
  while (left().length > 0) {
    if (performance.now() > deadlineMs) return false;
    await delay(LOOK_MS);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

function readRegister(dataDirectory: string): readonly KnownProcess[] {
  try {
    const processes: unknown = JSON.parse(readFileSync(pathIn(dataDirectory), 'utf8'));
    return checkProcesses.Check(processes) ? processes : [];
  } catch {
    return [];
  }
}

function pathIn(dataDirectory: string): string {
  return join(dataDirectory, 'processes.json');
}
