import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserQueues } from './user-queues.ts';

/** Work that goes on until it is told to end. */
function endless() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { running: 0 };
  const work = async (): Promise<void> => {
    state.running += 1;
    await promise;
  };
  return { work, state, end: resolve };
}

test('a user has eight requests answered at a time, and the 41st is refused', async () => {
  const queues = new UserQueues();
  const { work, state, end } = endless();
  const asked = Array.from({ length: 40 }, () => queues.run(1, work));
  await assert.rejects(queues.run(1, work), { code: 'overloaded' });
  assert.equal(state.running, 8);
  assert.equal(await queues.run(2, async () => 'at once'), 'at once', 'others do not wait');
  end();
  await Promise.all(asked);
  assert.equal(state.running, 40);
  assert.equal(await queues.run(1, async () => 'again'), 'again');
});

test('a request that fails leaves its place to the next', async () => {
  const queues = new UserQueues();
  const failing = Array.from({ length: 20 }, () =>
    queues.run(1, () => Promise.reject(new Error('no'))),
  );
  const outcomes = await Promise.allSettled(failing);
  assert.ok(outcomes.every(({ status }) => status === 'rejected'));
  assert.equal(await queues.run(1, async () => 'done'), 'done');
});
