import { setTimeout as sleep } from 'node:timers/promises';

/** What work cost this thread's event loop, in milliseconds of CPU: however busy the machine is. */
export interface LoopHold {
  /** The most that the thread did in one turn of its loop, in which nobody else was answered; or a bit more. */
  readonly longestMs: number;
  readonly totalMs: number;
}

/** Runs work and measures for how long it holds the event loop of this thread; other threads do not count. */
export async function loopHoldOf(work: () => Promise<unknown>): Promise<LoopHold> {
  let longestMs = 0;
  let totalMs = 0;
  const working = { isOver: false };
  let before = process.threadCpuUsage();
  const done = work().finally(() => (working.isOver = true));
  while (!working.isOver) {
    await sleep(LOOKS_EVERY_MS);
    const { user, system } = process.threadCpuUsage(before);
    const tookMs = (user + system) / 1_000;
    longestMs = Math.max(longestMs, tookMs);
    totalMs += tookMs;
    before = process.threadCpuUsage();
  }
  await done;
  return { longestMs, totalMs };
}

/** What several turns did between two looks is taken for one. */
const LOOKS_EVERY_MS = 2;
