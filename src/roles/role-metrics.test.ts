import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoleName } from '../settings/settings.ts';
import { MetricsGatherer } from './role-metrics.ts';

/** Answers as a process would, with a counter of its own; a silent one does not. */
function aProcess(gatherer: MetricsGatherer, role: RoleName, worker: number, value: number | null) {
  const child = {
    role,
    worker,
    send: ({ id }: { id: number }) => {
      if (value === null) return;
      const labels = { outcome: 'filled' };
      const auctions = { name: 'auctions', help: 'x', type: 'counter', aggregator: 'sum' };
      setImmediate(() => {
        gatherer.answer(id, child, [{ ...auctions, values: [{ value, labels }] }]);
      });
    },
  };
  return child;
}

function linesOf(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(name));
}

test('each process tells its own figures, and one that takes the place of another adds to it', async () => {
  const gatherer = new MetricsGatherer();
  const children = [
    aProcess(gatherer, 'exchange', 0, 2),
    aProcess(gatherer, 'exchange', 1, 3),
    aProcess(gatherer, 'exchange', 1, 5),
  ];
  const text = await gatherer.collect(children, new Map());
  assert.deepEqual(linesOf(text, 'auctions'), [
    'auctions{role="exchange",process="0",outcome="filled"} 2',
    'auctions{role="exchange",process="1",outcome="filled"} 8',
  ]);
  assert.deepEqual(linesOf(text, 'rialto_processes'), [
    'rialto_processes{role="supervisor",process="0"} 1',
  ]);
});

test('a process that does not answer is left out after three seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const gatherer = new MetricsGatherer();
  const answering = aProcess(gatherer, 'tracker', 0, 1);
  const text = gatherer.collect([answering, aProcess(gatherer, 'exchange', 0, null)], new Map());
  await new Promise(setImmediate);
  t.mock.timers.tick(3_000);
  assert.deepEqual(linesOf(await text, 'auctions'), [
    'auctions{role="tracker",process="0",outcome="filled"} 1',
  ]);
});

test('an answer that comes too late, or to no question, is dropped', async () => {
  const gatherer = new MetricsGatherer();
  gatherer.answer(7, aProcess(gatherer, 'tracker', 0, 1), []);
  assert.deepEqual(linesOf(await gatherer.collect([], new Map()), 'auctions'), []);
});

test('restarts are shown by role', async () => {
  const counts = new Map([['exchange', 2] as const, ['courier', 1] as const]);
  const text = await new MetricsGatherer().collect([], counts);
  assert.ok(text.includes('rialto_process_restarts_total{role="exchange"} 2\n'), text);
  assert.ok(text.includes('rialto_process_restarts_total{role="courier"} 1\n'), text);
});
