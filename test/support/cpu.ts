/** What this process did for something in milliseconds of CPU, on all of its threads: however busy the machine is. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Begins to measure what this thread does from now on, in milliseconds of CPU, for what has to cost no more
 * than its size: however busy the machine is.
 */
export function cpuTimer(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
}
