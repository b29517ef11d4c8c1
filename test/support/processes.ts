import { execFileSync } from 'node:child_process';

/** One process of this machine. */
export interface RunningProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly command: string;
}

/** All processes that run; those that have ended and were not yet collected are none of them. */
export function runningProcesses(): readonly RunningProcess[] {
  const listing = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return listing.split('\n').flatMap((line) => {
    const [, pid, parentPid, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (command === undefined || state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parentPid: Number(parentPid), command }];
  });
}

/** Those of the given processes that still run. */
export function stillRunning(pids: Iterable<number>): readonly RunningProcess[] {
  const wanted = new Set(pids);
  return runningProcesses().filter(({ pid }) => wanted.has(pid));
}
