import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatorRegistry } from 'prom-client';
import { MetricsGatherer, restartsMetric } from './role-metrics.ts';

/** Answers as a process would; a silent one does not. */
function process(gatherer: MetricsGatherer, name: string, silent = false) {
  return {
    send: ({ id }: { id: number }) => {
      if (!silent) setImmediate(() => gatherer.answer(id, [{ name }]));
    },
  };
}

test('the metrics of all processes that answer are gathered', async () => {
  const gatherer = new MetricsGatherer();
  const gathered = await gatherer.gather([process(gatherer, 'a'), process(gatherer, 'b')]);
  assert.deepEqual(gathered, [[{ name: 'a' }], [{ name: 'b' }]]);
});

test('a process that does not answer is left out after half a second', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const gatherer = new MetricsGatherer();
  const gathering = gatherer.gather([process(gatherer, 'a'), process(gatherer, 'b', true)]);
  await new Promise(setImmediate);
  t.mock.timers.tick(500);
  assert.deepEqual(await gathering, [[{ name: 'a' }]]);
});

test('an answer that comes too late, or to no question, is dropped', async () => {
  const gatherer = new MetricsGatherer();
  gatherer.answer(7, []);
  assert.deepEqual(await gatherer.gather([]), []);
});

test('restarts are shown by role, also those of a role without a port', async () => {
  const counts = new Map([['exchange', 2] as const, ['courier', 1] as const]);
  const text = await AggregatorRegistry.aggregate([[restartsMetric(counts)]]).metrics();
  assert.ok(text.includes('rialto_process_restarts_total{role="exchange"} 2\n'), text);
  assert.ok(text.includes('rialto_process_restarts_total{role="courier"} 1\n'), text);
});
