import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricsReference } from './metrics.ts';

const ROWS = metricsReference()
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('every metric is named by the conventions of Prometheus: base units, counters end in total', () => {
  assert.ok(ROWS.length >= 8);
  for (const [, name = '', type, , meaning = ''] of ROWS) {
    assert.match(name, /^`(rialto|process)_[a-z][a-z_]*`$/);
    assert.equal(name.endsWith('_total`'), type === 'counter', name);
    if (type === 'histogram') assert.match(name, /_seconds`$/);
    assert.ok(meaning.endsWith('.'), name);
  }
});

test('a counter by outcome is listed with its label', () => {
  const row = ROWS.find(([, name]) => name === '`rialto_auctions_total`');
  assert.deepEqual(row?.slice(2, 4), ['counter', '`outcome`']);
});

test('every role with a port has its metrics, the courier those that control shows', () => {
  const text = metricsReference();
  for (const name of [
    'rialto_auction_duration_seconds',
    'rialto_beacons_total',
    'rialto_quarantined_records',
    'rialto_snapshot_bytes',
    'rialto_process_restarts_total',
  ]) {
    assert.ok(text.includes(`\`${name}\``), name);
  }
  const row = ROWS.find(([, name]) => name === '`rialto_node_notices_waiting`');
  assert.deepEqual(row?.slice(2, 4), ['gauge', '`node`, `demand_partner`']);
});
