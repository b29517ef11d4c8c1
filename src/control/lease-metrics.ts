import { Counter, Gauge, type Registry } from 'prom-client';
import type { LeaseCounts } from './leases.ts';

/** Registers what became of the reports of exchange processes, and of settling their budgets. */
export function registerGrantMetrics(
  registry: Registry,
  leases: { readonly counts: LeaseCounts; readonly leads: boolean },
): void {
  const { counts } = leases;
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
  const leads: Gauge = new Gauge({
    name: 'rialto_control_leads',
    help: 'Whether this control hands out leases: of several with one store one does.',
    registers: [],
    aggregator: 'max',
    collect: () => leads.set(leases.leads ? 1 : 0),
  });
  for (const metric of [reports, settlements, leads]) registry.registerMetric(metric);
}
