import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpuTicksOf } from '../test/support/processes.ts';

/**
 * CPU time that a process has used on all its threads, in nanoseconds, as the Linux scheduler
 * counts it. Threads that have ended are not in it; the measured processes keep theirs.
 */
export function cpuNanoseconds(pid: number): number {
  let total = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const [running] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ');
    total += Number(running);
  }
  return total;
}

/** The kernel counts in hundredths of a second (USER_HZ). */
const TICK_US = 10_000;

/** CPU microseconds that processes have used, with threads that have ended; in steps of ten milliseconds. */
export function usedUs(pids: readonly number[]): number {
  return cpuTicksOf(pids) * TICK_US;
}

/** The process and everything below it. */
export function processTree(pid: number): number[] {
  const tree = [pid];
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const path = `/proc/${pid}/task/${task}/children`;
    // The thread may have ended since.
    const children = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    for (const child of children.split(' '))
      if (child !== '') tree.push(...processTree(Number(child)));
  }
  return tree;
}
