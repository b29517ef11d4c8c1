import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskQueue } from './task-queue.ts';

test('work is done one after the other, what is urgent before what waits', async () => {
  const queue = new TaskQueue();
  const order: string[] = [];
  let running = 0;
  const work = (name: string) => async (): Promise<string> => {
    running += 1;
    assert.equal(running, 1, 'never two at a time');
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    running -= 1;
    order.push(name);
    return name;
  };
  const done = await Promise.all([
    queue.run(work('first'), false),
    queue.run(work('second'), false),
    queue.run(work('urgent'), true),
    queue.run(work('third'), false),
    queue.run(work('also urgent'), true),
  ]);
  assert.deepEqual(done, ['first', 'second', 'urgent', 'third', 'also urgent']);
  assert.deepEqual(order, ['first', 'urgent', 'also urgent', 'second', 'third']);
});

test('work that fails fails for who asked for it, and the next goes on', async () => {
  const queue = new TaskQueue();
  const failing = queue.run(() => Promise.reject(new Error('no')), true);
  const next = queue.run(() => Promise.resolve('yes'), true);
  await assert.rejects(failing, /no/);
  assert.equal(await next, 'yes');
  assert.equal(await queue.run(() => Promise.resolve('later'), false), 'later');
});

test('work that throws at once takes no turn from what comes after', async () => {
  const queue = new TaskQueue();
  const thrown = queue.run((): Promise<never> => {
    throw new Error('at once');
  }, true);
  await assert.rejects(thrown, /at once/);
  assert.equal(await queue.run(() => Promise.resolve('next'), false), 'next');
});
