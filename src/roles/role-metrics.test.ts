import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsGatherer } from './role-metrics.ts';

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

test('a process that does not answer is left out after half a second', async () => {
  const gatherer = new MetricsGatherer();
  const startMs = performance.now();
  const gathered = await gatherer.gather([process(gatherer, 'a'), process(gatherer, 'b', true)]);
  assert.deepEqual(gathered, [[{ name: 'a' }]]);
  assert.ok(performance.now() - startMs < 1_000);
});

test('an answer that comes too late, or to no question, is dropped', async () => {
  const gatherer = new MetricsGatherer();
  gatherer.answer(7, []);
  assert.deepEqual(await gatherer.gather([]), []);
});
