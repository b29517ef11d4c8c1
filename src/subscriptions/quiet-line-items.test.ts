import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuietLineItems } from './quiet-line-items.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 20, 22);
const LINES = [501, 502].map((id) => ({ id, name: `line ${id}`, demandPartnerId: 1001 }));

test('a line item is quiet an hour after its last bid request, over midnight too', () => {
  const quiet = new QuietLineItems();
  const look = (nowMs: number, requests: Readonly<Record<number, number>>): number[] => {
    const date = new Date(nowMs).toISOString().slice(0, 10);
    const sums = new Map(Object.entries(requests).map(([id, sum]) => [Number(id), sum]));
    return quiet.look(LINES, { date, requests: sums, nowMs }).map(({ id }) => id);
  };
  assert.deepEqual(look(START_MS, { 501: 10 }), [], 'nobody knows what was before');
  assert.deepEqual(look(START_MS + HOUR_MS - 1, { 501: 11 }), []);
  assert.deepEqual(look(START_MS + HOUR_MS, { 501: 11 }), [502], 'one that never had any');
  // 501 had one at 23:00, and the sums of the next day begin at nothing.
  assert.deepEqual(look(START_MS + 2 * HOUR_MS - 2, {}), [502]);
  assert.deepEqual(look(START_MS + 2 * HOUR_MS - 1, {}), [501, 502]);
  assert.deepEqual(look(START_MS + 2 * HOUR_MS + 1, { 501: 1 }), [502], 'the first of the day');
});

test('a line item that was paused has an hour again', () => {
  const quiet = new QuietLineItems();
  const none = { date: '2026-11-20', requests: new Map<number, number>() };
  quiet.look(LINES, { ...none, nowMs: START_MS });
  quiet.look([], { ...none, nowMs: START_MS + 1 });
  const found = quiet.look(LINES, { ...none, nowMs: START_MS + HOUR_MS });
  assert.deepEqual(found, []);
});
