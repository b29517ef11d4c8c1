import { Gauge, type Registry } from 'prom-client';
import type { AdmissionFigures } from './admission.ts';

/** Shows how much a process has to do, and what it takes an auction to cost. */
export function registerAdmissionMetrics(registry: Registry, read: () => AdmissionFigures): void {
  const underWay = new Gauge({
    name: 'rialto_auctions_under_way',
    help: 'Auctions that the process holds right now.',
    registers: [],
    collect() {
      this.set(read().auctionsUnderWay);
    },
  });
  const cost = new Gauge({
    name: 'rialto_auction_cost_seconds',
    help: "What an auction takes of the process's time, as measured while it has something to do, in seconds: so many times as it fits into a second, so many auctions are admitted.",
    registers: [],
    collect() {
      this.set(read().costMs / 1_000);
    },
  });
  for (const metric of [underWay, cost]) registry.registerMetric(metric);
}
