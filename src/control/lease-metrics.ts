import { Counter, type Registry } from 'prom-client';
import type { LeaseCounts } from './leases.ts';

/** Registers what became of the reports of exchange processes, and of settling their budgets. */
export function registerGrantMetrics(
  registry: Registry,
  { counts }: { readonly counts: LeaseCounts },
): void {
  const reports: Counter<'result'> = new Counter({
    name: 'rialto_lease_reports_total',
    help: 'Reports of exchange processes, by what they were answered: a lease (granted), none because they leave or came too late (passed), or nothing, because what was granted could not be kept (failed).',
    labelNames: ['result'],
    registers: [],
    collect: () => {
      reports.reset();
      reports.inc({ result: 'granted' }, counts.granted);
      reports.inc({ result: 'passed' }, counts.passed);
      reports.inc({ result: 'failed' }, counts.failed);
    },
  });
  const settlements: Counter = new Counter({
    name: 'rialto_lease_settlements_total',
    help: 'How often what daily limits had reserved was replaced by what was billed.',
    registers: [],
    collect: () => {
      settlements.reset();
      settlements.inc(counts.settlements);
    },
  });
  for (const metric of [reports, settlements]) registry.registerMetric(metric);
}
