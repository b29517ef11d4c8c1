import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/wait.ts';
import { EVENT_LOOP, LoopWait } from './loop-wait.ts';

test('what is handled has waited since the loop last looked, or not at all when it slept', () => {
  const clock = { nowMs: 100, sleptMs: 100, turns: 1, ends: [] as (() => void)[] };
  const wait = new LoopWait({
    now: () => clock.nowMs,
    sleptMs: () => clock.sleptMs,
    turns: () => clock.turns,
    afterTurn: (callback) => void clock.ends.push(callback),
  });
  const work = (ms: number): number => wait.waitedMs((clock.nowMs += ms));
  const turn = (): void => {
    for (const end of clock.ends.splice(0)) end();
    clock.turns += 1;
  };
  const sleep = (ms: number): void => {
    clock.nowMs += ms;
    clock.sleptMs += ms;
  };
  sleep(5);
  // Woken up by what is handled first; the second has waited for it.
  assert.deepEqual([work(0), work(2)], [0, 2]);
  clock.nowMs += 3;
  turn();
  // The last turn took 5 ms, and this one has taken 1.
  assert.deepEqual([work(1), work(1)], [6, 7]);
  turn();
  sleep(5);
  assert.equal(work(0), 0);
  turn();
  // Four turns of others, 3 ms each.
  clock.turns += 3;
  clock.nowMs += 12;
  assert.equal(work(0), 3);
});

test('the clocks of the process are those of its loop', async () => {
  const before = [EVENT_LOOP.sleptMs(), EVENT_LOOP.turns()] as const;
  // Beside other tests it may take a while until the loop has nothing to do.
  await until('the loop has slept', 60_000, () => EVENT_LOOP.sleptMs() > before[0]);
  assert.ok(EVENT_LOOP.turns() > before[1]);
  await new Promise<void>((resolve) => {
    EVENT_LOOP.afterTurn(resolve);
  });
});
