import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

test('work is done one after the other, what is urgent before what waits', async () => {
  const turns = new Turns();
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
    turns.take(work('first'), false),
    turns.take(work('second'), false),
    turns.take(work('urgent'), true),
    turns.take(work('third'), false),
    turns.take(work('also urgent'), true),
  ]);
  assert.deepEqual(done, ['first', 'second', 'urgent', 'third', 'also urgent']);
  assert.deepEqual(order, ['first', 'urgent', 'also urgent', 'second', 'third']);
});

test('work that fails fails for who asked for it, and the next goes on', async () => {
  const turns = new Turns();
  const failing = turns.take(() => Promise.reject(new Error('no')), true);
  const next = turns.take(() => Promise.resolve('yes'), true);
  await assert.rejects(failing, /no/);
  assert.equal(await next, 'yes');
  assert.equal(await turns.take(() => Promise.resolve('later'), false), 'later');
});

test('work that throws at once takes no turn from what comes after', async () => {
  const turns = new Turns();
  const thrown = turns.take((): Promise<never> => {
    throw new Error('at once');
  }, true);
  await assert.rejects(thrown, /at once/);
  assert.equal(await turns.take(() => Promise.resolve('next'), false), 'next');
});
