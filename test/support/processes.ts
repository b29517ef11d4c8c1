import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One process of this machine. */
export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** The processes that another one has started; those that have ended and wait to be collected do not count. */
export function childrenOf(parentPid: number): readonly RunningProcess[] {
  if (process.platform === 'linux') {
    // Tests look many times a second, and a `ps` costs as much as many of these.
    const children = readOrEmpty(`/proc/${parentPid}/task/${parentPid}/children`);
    return stillRunning(children.split(' ').filter(Boolean).map(Number));
  }
  return listed(['-A']).filter((each) => each.parentPid === parentPid);
}

/** Those of the given processes that still run. */
export function stillRunning(pids: Iterable<number>): readonly RunningProcess[] {
  if (process.platform === 'linux') return [...pids].flatMap(readProcess);
  const wanted = [...pids];
  return wanted.length === 0 ? [] : listed(['-p', wanted.join(',')]);
}

/** The processor time that these processes have used, in ticks of the kernel; 0 where it is not told. */
export function cpuTicksOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readOrEmpty(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    return sum + Number(fields[USER_TICKS] ?? 0) + Number(fields[SYSTEM_TICKS] ?? 0);
  }, 0);
}

/** Places in /proc/PID/stat, counted from the state (proc(5)). */
const [USER_TICKS, SYSTEM_TICKS] = [11, 12];

function readProcess(pid: number): RunningProcess[] {
  // After the name in parentheses, which may hold anything.
  const state = readOrEmpty(`/proc/${pid}/stat`).split(') ').at(-1)?.[0];
  if (state === undefined || 'ZX'.includes(state)) return [];
  const command = readOrEmpty(`/proc/${pid}/cmdline`).split('\0').join(' ').trimEnd();
  return [{ pid, command }];
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

function listed(selection: readonly string[]): (RunningProcess & { parentPid: number })[] {
  const listing = execFileSync('ps', [...selection, '-o', 'pid=,ppid=,stat=,args='], {
    encoding: 'utf8',
  });
  return listing.split('\n').flatMap((line) => {
    const [, pid, parentPid, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (command === undefined || state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parentPid: Number(parentPid), command }];
  });
}
