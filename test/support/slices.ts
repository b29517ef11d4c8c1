import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Slices {
  /** The longest time for which the work held this thread, in milliseconds. */
  readonly longestMs: number;
  /** All slices together. */
  readonly totalMs: number;
  /** No other process was let run in between, so that the time is the work's own. */
  readonly isUndisturbed: boolean;
}

/** Runs work that pauses, and measures its slices. What the garbage collector stops is in them. */
export async function measureSlices(
  work: (pause: () => Promise<void>) => Promise<void>,
): Promise<Slices> {
  let longestMs = 0;
  let totalMs = 0;
  const switches = countSwitches();
  let startMs = performance.now();
  const end = (): void => {
    const tookMs = performance.now() - startMs;
    longestMs = Math.max(longestMs, tookMs);
    totalMs += tookMs;
  };
  await work(async () => {
    end();
    await nextTurn();
    startMs = performance.now();
  });
  end();
  return { longestMs, totalMs, isUndisturbed: countSwitches() === switches };
}

/** The longest slice of the middle one of the undisturbed runs; of the faster half if there are few. */
export function longestOf(runs: readonly Slices[]): number {
  const undisturbed = runs.filter((run) => run.isUndisturbed);
  const times = (all: readonly Slices[]): number[] =>
    all.map(({ longestMs }) => longestMs).sort((a, b) => a - b);
  const counted =
    undisturbed.length >= UNDISTURBED_MIN
      ? times(undisturbed)
      : times(runs).slice(0, Math.ceil(runs.length / 2));
  return counted[counted.length >> 1] ?? Number.NaN;
}

const UNDISTURBED_MIN = 3;

/** How often the system took the processor away from this process. */
function countSwitches(): number {
  return process.resourceUsage().involuntaryContextSwitches;
}
