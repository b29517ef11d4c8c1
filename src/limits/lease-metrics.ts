import { Gauge, type Registry } from 'prom-client';
import type { LeaseFigures } from './lease-holder.ts';

/** Registers how the exchange processes of a node stand with their leases; figures add up. */
export function registerLeaseMetrics(registry: Registry, figures: () => LeaseFigures): void {
  const expired: Gauge = new Gauge({
    name: 'rialto_leases_expired',
    help: '1 while the process has no valid lease: for more than some seconds it is an alarm, because nothing that is limited is let through there.',
    registers: [],
    collect: () => expired.set(figures().validForSeconds > 0 ? 0 : 1),
  });
  const budgets: Gauge<'state'> = new Gauge({
    name: 'rialto_lease_budgets',
    help: 'Line items with a daily limit: those with a budget for today (held), and those that have none yet (missing).',
    labelNames: ['state'],
    registers: [],
    collect: () => {
      const { budgetsHeld, budgetsMissing } = figures();
      budgets.set({ state: 'held' }, budgetsHeld);
      budgets.set({ state: 'missing' }, budgetsMissing);
    },
  });
  for (const metric of [expired, budgets]) registry.registerMetric(metric);
}
