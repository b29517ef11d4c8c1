import { Counter, Gauge, type Registry } from 'prom-client';
import { processUsage } from '../base/process-usage.ts';

/**
 * Registers what every process tells of itself. prom-client's own set also samples the event loop a
 * hundred times a second and watches each garbage collection; these cost nothing until scraped.
 */
export function registerProcessMetrics(registry: Registry): void {
  const metrics = [
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'User and system CPU time spent by the process, in seconds.',
      registers: [],
      collect() {
        this.reset();
        this.inc(processUsage().cpuSeconds);
      },
    }),
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Resident memory of the process, in bytes.',
      registers: [],
      collect() {
        this.set(processUsage().residentBytes);
      },
    }),
    new Gauge({
      name: 'rialto_processes',
      help: '1 for each live process.',
      registers: [],
      collect() {
        this.set(1);
      },
    }),
  ];
  for (const metric of metrics) registry.registerMetric(metric);
}
