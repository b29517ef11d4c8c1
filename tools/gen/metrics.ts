import { Registry } from 'prom-client';
import { createExchangeMetrics } from '../../src/exchange/metrics.ts';
import { registerProcessMetrics } from '../../src/roles/process-metrics.ts';
import { table } from './table.ts';

/** `docs/reference/metrics.md`: a row for every metric of the exchange role. */
export function metricsReference(): string {
  return [
    '# Metrics of the exchange',
    '',
    '<!-- Written by "npm run gen" from src/exchange/metrics.ts; change it there. -->',
    '',
    "`GET /metrics` on the exchange's port answers in Prometheus' text format, for all processes of the",
    'role together. Counters start at 0 with each process. Metrics count test requests too; reports do',
    "not. A `demand_partner` is its id, a bid's `reason` its OpenRTB loss code (0 won); the reasons of",
    'bid requests are those of the auction record.',
    '',
    ...table(['Metric', 'Type', 'Labels', 'Meaning'], metricRows()),
    '',
  ].join('\n');
}

/** Name, type, labels and meaning of each metric. */
function metricRows(): string[][] {
  const registry = new Registry();
  createExchangeMetrics(registry);
  registerProcessMetrics(registry);
  return registry.getMetricsAsArray().map((metric) => {
    const labels = labelsOf(metric).map((label) => `\`${label}\``);
    return [`\`${metric.name}\``, String(metric.type), labels.join(', '), metric.help];
  });
}

/** A metric knows its labels, which the types of prom-client keep quiet about. */
function labelsOf(metric: object): string[] {
  const names = 'labelNames' in metric ? metric.labelNames : [];
  return Array.isArray(names) ? names.map(String) : [];
}
