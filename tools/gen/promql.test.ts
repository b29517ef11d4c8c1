import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { prometheusAlerts } from './alerts.ts';
import { overviewDashboard, roleDashboard } from './dashboards.ts';
import { metricSections } from './metrics.ts';
import { gaugeOf, grows, quantileOf, rateOf, series } from './promql.ts';

const KNOWN = new Set(
  Object.values(metricSections()).flatMap(({ metrics }) => metrics.map(({ name }) => name)),
);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

function rules(): readonly Rule[] {
  const file: { readonly groups: readonly { readonly rules: readonly Rule[] }[] } =
    parse(prometheusAlerts());
  return file.groups.flatMap((group) => group.rules);
}

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly {
    readonly id: number;
    readonly gridPos: { readonly x: number; readonly y: number };
    readonly targets: readonly { readonly expr: string; readonly refId: string }[];
  }[];
}

function dashboards(): readonly Dashboard[] {
  const texts = [
    overviewDashboard(),
    ...(['exchange', 'tracker', 'control'] as const).map((role) => roleDashboard(role)),
  ];
  return texts.map((text): Dashboard => JSON.parse(text));
}

/** The metrics that an expression names. */
function namesIn(expr: string): string[] {
  return [...expr.matchAll(/\b(?:rialto|process)_[a-z_]+(?=[[{) ]|$)/g)].map(([name]) =>
    name.replace(/_bucket$/, ''),
  );
}

test('a metric, a label or a type that no process has is refused, not looked at in vain', () => {
  assert.throws(() => series('rialto_auctions'), /No process has a metric rialto_auctions\./);
  assert.throws(
    () => series('rialto_auctions_total', { result: 'filled' }),
    /rialto_auctions_total has no label result\./,
  );
  assert.throws(() => rateOf('rialto_bids_total', { by: ['publisher'] }), /no label publisher/);
  assert.throws(() => gaugeOf('max', 'rialto_bids_total'), /is a counter, not a gauge/);
  assert.throws(() => quantileOf(0.5, 'rialto_control_leads'), /is a gauge, not a histogram/);
});

test('a counter whose first value is the rise has grown too', () => {
  assert.equal(
    grows('rialto_auctions_total', { matchers: { outcome: 'unrecorded' }, over: '5m' }),
    'increase(rialto_auctions_total{outcome="unrecorded"}[5m]) > 0 or (rialto_auctions_total{outcome="unrecorded"} > 0 unless rialto_auctions_total{outcome="unrecorded"} offset 5m)',
  );
});

test('every alert names metrics that there are, once, and says what to do', () => {
  const all = rules();
  assert.ok(all.length >= 20);
  assert.equal(new Set(all.map(({ alert }) => alert)).size, all.length);
  for (const { alert, expr, annotations } of all) {
    if (alert !== 'RialtoDown') assert.notEqual(namesIn(expr).length, 0, alert);
    for (const name of namesIn(expr)) assert.ok(KNOWN.has(name), `${alert}: ${name}`);
    assert.match(annotations['summary'] ?? '', /\.$/, alert);
    assert.match(annotations['action'] ?? '', /\.$/, alert);
  }
});

test('the dashboards of the roles show every metric of theirs, and no other', () => {
  const shown = dashboards().flatMap(({ panels }) =>
    panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr))),
  );
  for (const name of shown) assert.ok(KNOWN.has(name), name);
  const { exchange, tracker, control } = metricSections();
  for (const { metrics } of [exchange, tracker, control]) {
    for (const { name } of metrics) assert.ok(shown.includes(name), name);
  }
});

test('no two charts of a dashboard lie on each other', () => {
  for (const { uid, panels } of dashboards()) {
    const places = panels.map(({ gridPos }) => `${gridPos.x},${gridPos.y}`);
    assert.equal(new Set(places).size, panels.length, uid);
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length, uid);
  }
});
