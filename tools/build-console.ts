/**
 * `npm run build`: builds the web console into `console/dist/`, which appears there whole or not at
 * all. With `--background`, as a node runs it: only if the sources have changed since, at the lowest
 * priority, and no longer than whoever holds the other end of its standard input.
 */
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from './console/build.ts';

if (import.meta.main) {
  const background = process.argv.includes('--background');
  const root = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
  const ended = new AbortController();
  if (background) {
    setPriority(constants.priority.PRIORITY_LOW);
    offerToTheMemoryKiller();
    process.stdin.once('close', () => ended.abort()).resume();
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort());
  // A node keeps its files to itself; what is built here is no secret.
  process.umask(0o022);
  const problem = await buildConsole({
    root: root ?? join(import.meta.dirname, '..'),
    ifStale: background,
    signal: ended.signal,
  });
  if (problem !== null) console.error(problem);
  process.exit(problem === null ? 0 : 1);
}

/** Where memory runs out a build is the process to lose: control is larger, and needed. */
function offerToTheMemoryKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has it.
  }
}
