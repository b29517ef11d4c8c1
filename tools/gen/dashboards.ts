import { metricSections, type MetricRow, type MetricSection } from './metrics.ts';
import { gaugeOf, quantileOf, rateOf } from './promql.ts';

/** One chart: lines by Grafana's legend format. */
interface Panel {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly lines: readonly { readonly expr: string; readonly legend: string }[];
}

const COLUMNS = 24;
const PANEL = { width: 8, height: 8 };
/** Grafana's variable for a window that fits the chart and the scrape interval. */
const WINDOW = '$__rate_interval';
const QUANTILES = [0.5, 0.95, 0.99];
/** Of the lines of a chart, which has a few at most. */
const REFERENCES = ['A', 'B', 'C'];

/** `ops/grafana/rialto.json`: what an operator looks at first. */
export function overviewDashboard(): string {
  const auctions = 'rialto_auctions_total';
  const panels: readonly Panel[] = [
    rates('Ad requests', auctions, ['outcome']),
    quantiles('Auctions', 'rialto_auction_duration_seconds'),
    rates('Bid requests', 'rialto_bid_requests_total', ['outcome']),
    rates('Bids', 'rialto_bids_total', ['reason']),
    rates('Beacons', 'rialto_beacons_total', ['kind', 'outcome']),
    quantiles('Beacons', 'rialto_beacon_seconds'),
    gauges('Reports are behind', 'rialto_node_backlog_seconds', ['node']),
    gauges('Oldest notice', 'rialto_node_notices_oldest_seconds', ['node']),
    gauges('Records in quarantine', 'rialto_quarantined_records', []),
    gauges('Breakers open', 'rialto_bidder_breaker_open', ['demand_partner']),
    rates('CPU', 'process_cpu_seconds_total', ['instance', 'role']),
    gauges('Memory', 'process_resident_memory_bytes', ['instance', 'role', 'process']),
  ];
  return dashboard('rialto', 'Rialto', panels);
}

/** `ops/grafana/rialto-….json`: a chart for each metric of a role. */
export function roleDashboard(role: 'exchange' | 'tracker' | 'control'): string {
  const { title, metrics }: MetricSection = metricSections()[role];
  const panels = metrics.map((metric) => panelOf(metric));
  return dashboard(`rialto-${role}`, `Rialto: ${title.toLowerCase()}`, panels);
}

function panelOf({ name, type, labels }: MetricRow): Panel {
  const title = name.replace(/^rialto_/, '').replace(/(_total|_seconds|_bytes)+$/, '');
  const words = title.replaceAll('_', ' ');
  if (type === 'histogram') return quantiles(words, name, labels);
  return type === 'counter' ? rates(words, name, labels) : gauges(words, name, labels);
}

function rates(title: string, name: string, by: readonly string[]): Panel {
  const expr = rateOf(name, { by, over: WINDOW });
  return { ...describe(title, name), lines: [{ expr, legend: legendOf(by) }] };
}

function gauges(title: string, name: string, by: readonly string[]): Panel {
  const expr = gaugeOf('max', name, { by });
  return { ...describe(title, name), lines: [{ expr, legend: legendOf(by) }] };
}

function quantiles(title: string, name: string, by: readonly string[] = []): Panel {
  const lines = QUANTILES.map((quantile) => ({
    expr: quantileOf(quantile, name, { by, over: WINDOW }),
    legend: [`p${quantile * 100}`, ...by.map((label) => `{{${label}}}`)].join(' '),
  }));
  return { ...describe(title, name), lines };
}

function describe(title: string, name: string): Omit<Panel, 'lines'> {
  const metrics: readonly MetricRow[] = Object.values(metricSections()).flatMap(
    (section: MetricSection) => section.metrics,
  );
  const metric = metrics.find((each) => each.name === name);
  return { title, description: metric?.help ?? '', unit: unitOf(name, metric?.type ?? '') };
}

/** Grafana's name for it. */
function unitOf(name: string, type: string): string {
  if (type === 'counter') {
    if (name.endsWith('_bytes_total')) return 'Bps';
    return name.endsWith('_seconds_total') ? 'short' : 'cps';
  }
  if (name.endsWith('_bytes')) return 'bytes';
  return name.endsWith('_seconds') ? 's' : 'short';
}

function legendOf(by: readonly string[]): string {
  return by.length === 0 ? 'all' : by.map((label) => `{{${label}}}`).join(' ');
}

function dashboard(uid: string, title: string, panels: readonly Panel[]): string {
  const datasource = { type: 'prometheus', uid: '${datasource}' };
  const across = COLUMNS / PANEL.width;
  const document = {
    uid,
    title,
    description: 'Written by "npm run gen" from tools/gen/dashboards.ts; change it there.',
    tags: ['rialto'],
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    schemaVersion: 39,
    time: { from: 'now-3h', to: 'now' },
    timezone: 'utc',
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panels.map(({ title: name, description, unit, lines }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: name,
      description,
      datasource,
      gridPos: {
        x: (index % across) * PANEL.width,
        y: Math.floor(index / across) * PANEL.height,
        w: PANEL.width,
        h: PANEL.height,
      },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
      targets: lines.map(({ expr, legend }, line) => ({
        refId: REFERENCES[line],
        datasource,
        expr,
        legendFormat: legend,
      })),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
