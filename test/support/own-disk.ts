import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { atEnd } from './at-end.ts';

/** A disk in memory that only those see who are run on it. It is gone when the test ends. */
export interface OwnDisk {
  /** Where it is for whoever is run with the prefix. */
  readonly path: string;
  /** Where this process finds the same files. */
  readonly files: string;
  /** What has to stand before a command. */
  readonly prefix: readonly string[];
  /** Nothing may be open for writing. */
  remount(how: 'ro' | 'rw'): void;
}

/** Says that it is there, and holds the mount until its input ends. */
const KEEPER = 'mount -t tmpfs -o size="$2" none "$1" && echo mounted && exec cat >&2';

/** Whether this user may mount disks: root, on Linux. */
export function mayMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @param size as `mount` takes it, such as 40m. */
export async function mountOwnDisk(t: TestContext, size: string): Promise<OwnDisk> {
  const path = mkdtempSync(join(tmpdir(), 'rialto-disk-'));
  const keeper = spawn('unshare', ['-m', 'sh', '-c', KEEPER, 'sh', path, size], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atEnd(t, async () => {
    const ended = once(keeper, 'exit');
    keeper.stdin.end();
    await ended;
    rmSync(path, { recursive: true });
  });
  await once(keeper.stdout, 'data');
  const prefix = ['nsenter', `--target=${keeper.pid}`, '--mount', '--'];
  const [command = '', ...before] = prefix;
  return {
    path,
    files: `/proc/${keeper.pid}/root${path}`,
    prefix,
    remount: (how) =>
      void execFileSync(command, [...before, 'mount', '-o', `remount,${how}`, path]),
  };
}
