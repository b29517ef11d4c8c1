/** What a process has used of its machine. */
export interface ProcessUsage {
  /** Time on the processor since it began, in user code and in the kernel. */
  readonly cpuSeconds: number;
  /** Memory. */
  readonly residentBytes: number;
}

/** What this process has used. */
export function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() };
}
