import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import type { LoadCounters } from '../analytics/load.ts';
import { registerLoaderMetrics } from './loader-metrics.ts';

test('what was loaded is shown once the store is open, and what is held before as well', async () => {
  const registry = new Registry();
  let counters: LoadCounters | null = null;
  registerLoaderMetrics(registry, {
    counters: () => counters,
    quarantined: () => Promise.resolve(2),
  });
  const before = await registry.metrics();
  assert.match(before, /^rialto_analytics_open 0$/m);
  assert.match(before, /^rialto_load_records_total 0$/m);
  assert.match(before, /^rialto_load_quarantined_batches 2$/m);
  const batches = { loaded: 3, already: 1, quarantined: 2, conflict: 0, failed: 4 };
  counters = { batches, records: 70, bytes: 7000, retries: 5 };
  const after = await registry.metrics();
  assert.match(after, /^rialto_analytics_open 1$/m);
  assert.match(after, /^rialto_load_records_total 70$/m);
  assert.match(after, /^rialto_load_bytes_total 7000$/m);
  assert.match(after, /^rialto_load_retries_total 5$/m);
  assert.match(after, /^rialto_load_batches_total\{result="failed"\} 4$/m);
});
