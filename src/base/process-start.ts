import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process started, in a form that no other process with the same id has; null when it does not
 * run. On Linux in ticks since the boot, which no step of the clock changes.
 */
export function startOf(pid: number): string | null {
  if (process.platform !== 'linux') return startByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in parentheses that may hold anything; the third is the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    // A zombie holds nothing any more; who is to collect it may never do so.
    if (state === undefined || 'ZX'.includes(state)) return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`;
  } catch {
    return null;
  }
}

function startByPs(pid: number): string | null {
  try {
    const said = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return said.trim() || null;
  } catch {
    return null;
  }
}
