import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceBuffer } from './trace-buffer.ts';

test('traces are handed on together, after a moment, in their order', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: string[] = [];
  const buffer = new TraceBuffer({ append: (line) => lines.push(line) });
  buffer.append('1');
  buffer.append('2');
  t.mock.timers.tick(99);
  assert.deepEqual(lines, []);
  t.mock.timers.tick(1);
  assert.deepEqual(lines, ['1', '2']);
  buffer.append('3');
  t.mock.timers.tick(100);
  assert.deepEqual(lines, ['1', '2', '3']);
});

test('many traces do not wait, and none waits longer than its process lives', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: string[] = [];
  const buffer = new TraceBuffer({ append: (line) => lines.push(line) });
  for (let each = 0; each < 250; each += 1) buffer.append(String(each));
  assert.equal(lines.length, 200);
  buffer.flush();
  assert.equal(lines.length, 250);
  t.mock.timers.tick(1_000);
  assert.equal(lines.length, 250);
});
