import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import type { LoadCounters } from '../analytics/load.ts';
import type { BatchStream } from '../ports/batch.ts';
import { registerLoaderMetrics } from './loader-metrics.ts';

test('what was loaded is shown once the store is open, and what is held before as well', async () => {
  const registry = new Registry();
  let counters: Record<BatchStream, LoadCounters> | null = null;
  registerLoaderMetrics(registry, {
    counters: () => counters,
    isStoreKnown: () => counters === null,
    isHeld: () => counters === null,
    quarantined: () =>
      Promise.resolve({ entries: 1, refused: 2, damaged: 3, missing: 4, damagedSegments: [] }),
  });
  const before = await registry.metrics();
  assert.match(before, /^rialto_analytics_open 0$/m);
  assert.match(before, /^rialto_quarantined_records 2$/m);
  const batches = { loaded: 3, already: 1, quarantined: 2, conflict: 0, failed: 4 };
  const money = { batches, records: 70, bytes: 7000, retries: 5 };
  counters = { money, trace: { ...money, records: 7 } };
  const after = await registry.metrics();
  assert.match(before, /^rialto_analytics_known 1$/m);
  assert.match(after, /^rialto_analytics_known 0$/m);
  assert.match(after, /^rialto_analytics_open 1$/m);
  assert.match(before, /^rialto_rollups_held 1$/m);
  assert.match(after, /^rialto_rollups_held 0$/m);
  assert.match(after, /^rialto_load_records_total\{stream="money"\} 70$/m);
  assert.match(after, /^rialto_load_bytes_total\{stream="money"\} 7000$/m);
  assert.match(after, /^rialto_load_retries_total\{stream="money"\} 5$/m);
  assert.match(after, /^rialto_load_records_total\{stream="trace"\} 7$/m);
  assert.match(after, /^rialto_load_batches_total\{result="failed",stream="money"\} 4$/m);
});
