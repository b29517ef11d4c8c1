import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeat } from './repeat.ts';

test('what fails is done again, its first failure in a row is told, and aborting ends it', async () => {
  const stopping = new AbortController();
  const fails = [true, true, false, true, false];
  const told: number[] = [];
  let times = 0;
  await repeat(
    async () => {
      times += 1;
      if (times === fails.length) stopping.abort();
      if (fails[times - 1] === true) throw new Error('no');
    },
    { everyMs: 0, signal: stopping.signal, onFailure: () => told.push(times) },
  );
  assert.deepEqual([times, told], [5, [1, 4]]);
});
