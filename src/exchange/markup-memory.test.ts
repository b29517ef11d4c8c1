import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCall } from './fixtures.ts';
import { MarkupMemory } from './markup-memory.ts';

const TEN_MINUTES_MS = 600_000;

test('time is kept back only where a partner is asked that lately brought markup with its notice', () => {
  let nowMs = 0;
  const memory = new MarkupMemory(() => nowMs);
  const calls = [aCall({}, 1001), aCall({}, 1002)];
  assert.equal(memory.reserveMs(calls, 300), 0);
  memory.remember(1002);
  assert.equal(memory.reserveMs(calls, 300), 100);
  assert.equal(memory.reserveMs(calls, 150), 50);
  assert.equal(memory.reserveMs(calls, 2_000), 100);
  assert.equal(memory.reserveMs([aCall({}, 1001)], 300), 0);
  nowMs = TEN_MINUTES_MS;
  assert.equal(memory.reserveMs(calls, 300), 0);
});

test('a partner has a bounded number of calls under way, whatever others have', () => {
  const memory = new MarkupMemory(() => 0);
  for (let calls = 0; calls < 64; calls += 1) assert.ok(memory.begin(1001));
  assert.ok(!memory.begin(1001));
  assert.ok(memory.begin(1002));
  memory.end(1001);
  assert.ok(memory.begin(1001));
  assert.ok(!memory.begin(1001));
});
