import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchManifest } from '../ports/batch.ts';
import { adoptConflict, isBehind } from './shipping-conflict.ts';
import type { ShippingState } from './shipping-state.ts';

function manifest(start: number): BatchManifest {
  const segments = [{ segment: 'a', start, end: start + 10 }];
  return { incarnation: '0123456789abcdef', schema: 1, segments };
}

const STATE: ShippingState = {
  acknowledged: new Map([
    ['a', { offset: 100, atMs: 1 }],
    ['c', { offset: 5, atMs: 1 }],
  ]),
  inFlight: manifest(100),
  lastLines: new Map([
    ['a', 7],
    ['b', 3],
    ['c', 1],
  ]),
  gone: new Set(['z']),
  trimmedMs: 3,
  reofferedAt: 0,
  again: new Map(),
};

test('control is behind when it has less of a segment than it had acknowledged', () => {
  const behind = (offsets: Record<string, number>, pending: BatchManifest | null = null): boolean =>
    isBehind({ kind: 'conflict', offsets, pending }, STATE.acknowledged);
  assert.equal(behind({ a: 99, b: 7 }), true);
  assert.equal(behind({ a: 100, b: 0 }), false);
  assert.equal(behind({ a: 150 }), false);
  assert.equal(behind({ a: 100 }, manifest(90)), true);
  assert.equal(behind({ a: 100 }, manifest(100)), false);
});

test('what control says of segments is taken over, and the batch that it waits for comes next', () => {
  const pending = manifest(150);
  const next = adoptConflict({ kind: 'conflict', offsets: { a: 150, b: 0 }, pending }, STATE, 9);
  assert.deepEqual(next, {
    acknowledged: new Map([
      ['a', { offset: 150, atMs: 9 }],
      ['c', { offset: 5, atMs: 1 }],
    ]),
    inFlight: pending,
    // Which record stands before the new place of a segment is not known.
    lastLines: new Map([
      ['b', 3],
      ['c', 1],
    ]),
    gone: new Set(['z']),
    trimmedMs: 3,
    reofferedAt: 0,
    again: new Map(),
  });
  const free = adoptConflict({ kind: 'conflict', offsets: { a: 150 }, pending: null }, STATE, 9);
  assert.equal(free.inFlight, null);
});
