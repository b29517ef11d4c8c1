import assert from 'node:assert/strict';

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createUserMetrics } from '../../src/edge/user-metrics.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { registerCertificateMetrics } from '../../src/control/certificate-metrics.ts';
import { registerGrantMetrics } from '../../src/control/lease-metrics.ts';
import { figuresOf } from '../../src/analytics/held.ts';
import { registerLoaderMetrics } from '../../src/control/loader-metrics.ts';
import { registerNodeMetrics } from '../../src/control/node-metrics.ts';
import { NodeRegister } from '../../src/control/node-register.ts';
import { SnapshotSource } from '../../src/control/snapshot-source.ts';
import { registerHealthMetrics } from '../../src/exchange/health-metrics.ts';
import { createExchangeMetrics } from '../../src/exchange/metrics.ts';
import { registerLeaseMetrics } from '../../src/limits/lease-metrics.ts';
import { createTokenMetrics } from '../../src/sign-in/tokens/metrics.ts';
import { createSignInMetrics } from '../../src/sign-in/sessions/metrics.ts';
import { registerProcessMetrics } from '../../src/roles/process-metrics.ts';
import { restartsMetric } from '../../src/roles/role-metrics.ts';
import { createTrackerMetrics } from '../../src/tracker/metrics.ts';
import { SeenBeacons } from '../../src/tracker/seen-beacons.ts';
import { table } from './table.ts';

/** `docs/reference/metrics.md`: a row for every metric, by the port that shows it. */
export function metricsReference(): string {
  const { metricsHost, metricsPort } = SETTINGS;
  const { exchange, tracker, control, everyProcess } = metricSections();
  return [
    '# Metrics',
    '',
    '<!-- Written by "npm run gen" from what each role registers; change it there. -->',
    '',
    `\`GET /metrics\` on port ${metricsPort.fallback} (\`${metricsHost.fallback}\` unless \`${metricsHost.flag}\` says something else) answers in Prometheus' text format, for`,
    "all processes of the node. Each row also has a `role` and a `process`, the number of the role's process, so that",
    '`sum without (process) (…)` is what the role does. Counters start at 0 with each process. A `demand_partner` is its',
    'id, a `node` the id of its data directory. [How to scrape it](../guides/operate.md#watch), with dashboards and alerts.',
    '',
    ...section(exchange),
    "Metrics count test requests too; reports do not. A bid's `reason` is its OpenRTB loss code (0 won);",
    'the reasons of bid requests are those of the auction record.',
    '',
    ...section(tracker),
    ...section(control),
    'What begins with `rialto_node_` is a row for each node whose courier reports to this control.',
    '',
    ...section(everyProcess),
    'The supervisor counts the restarts, so that they have no `process`.',
    '',
  ].join('\n');
}

/** Metrics that are shown together. */
export interface MetricSection {
  readonly title: string;
  readonly metrics: readonly MetricRow[];
}

/** One metric, as its process registers it. */
export interface MetricRow {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** Its own; each row also has a `role` and, but for what the supervisor counts, a `process`. */
  readonly labels: readonly string[];
}

/** Every metric of a node, by the process that has it. */
export function metricSections() {
  const seen = new SeenBeacons();
  return {
    exchange: { title: 'Exchange', metrics: metricsOf(registerExchangeMetrics) },
    tracker: {
      title: 'Tracker',
      metrics: metricsOf((registry) => createTrackerMetrics(registry, seen)),
    },
    control: { title: 'Control', metrics: metricsOf(registerControlMetrics) },
    everyProcess: {
      title: 'Every process',
      metrics: [...metricsOf(registerProcessMetrics), rowOf(restartsMetric(new Map()))],
    },
  } as const satisfies Readonly<Record<string, MetricSection>>;
}

function registerExchangeMetrics(registry: Registry): void {
  createExchangeMetrics(registry);
  createUserMetrics(registry);
  registerHealthMetrics(registry, () => []);
  registerLeaseMetrics(registry, () => NO_LEASE);
}

const NO_LEASE = {
  validForSeconds: 0,
  leasesTaken: 0,
  reportsMade: 0,
  budgetsHeld: 0,
  budgetsMissing: 0,
  winsRefused: 0,
};

function registerControlMetrics(registry: Registry): void {
  const reader = {
    version: () => Promise.reject(new Error('nothing is read')),
    compile: () => Promise.reject(new Error('nothing is read')),
  };
  // It registers its own as it is made.
  const source = new SnapshotSource({ reader, registry, logger: pino({ level: 'silent' }) });
  assert(source.current === undefined);
  registerLoaderMetrics(registry, {
    counters: () => null,
    isStoreKnown: () => true,
    isHeld: () => false,
    quarantined: () => Promise.resolve(figuresOf([])),
  });
  registerNodeMetrics(registry, new NodeRegister(Date.now));
  registerCertificateMetrics(registry, { certificates: [] });
  registerGrantMetrics(registry, {
    counts: { granted: 0, passed: 0, failed: 0, settlements: 0 },
    leads: true,
  });
  createTokenMetrics(registry);
  createSignInMetrics(registry);
}

function metricsOf(register: (registry: Registry) => unknown): readonly MetricRow[] {
  const registry = new Registry();
  register(registry);
  return registry.getMetricsAsArray().map(rowOf);
}

function rowOf(metric: {
  readonly name: string;
  readonly help: string;
  readonly type?: unknown;
}): MetricRow {
  const { name, help, type } = metric;
  return { name, help, type: String(type), labels: labelsOf(metric) };
}

/** A metric knows its labels, which the types of prom-client keep quiet about. */
function labelsOf(metric: object): string[] {
  const names = 'labelNames' in metric ? metric.labelNames : [];
  return Array.isArray(names) ? names.map(String) : [];
}

function section({ title, metrics }: MetricSection): string[] {
  const rows = metrics.map(({ name, help, type, labels }) => {
    return [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help];
  });
  return [`## ${title}`, '', ...table(['Metric', 'Type', 'Labels', 'Meaning'], rows), ''];
}
