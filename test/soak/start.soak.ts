import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startNode } from '../support/node.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/exchange.yaml');

test('a node on an empty data directory is ready within three seconds', async (t) => {
  const startMs = performance.now();
  await startNode({ t, file: EXAMPLE });
  const tookMs = Math.round(performance.now() - startMs);
  t.diagnostic(`ready after ${tookMs} ms`);
  assert.ok(tookMs <= 3_000, `ready after ${tookMs} ms`);
});
