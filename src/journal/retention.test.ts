import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import {
  MONEY_RETENTION_MS,
  segmentsToRemove,
  SHIPPED_TRACE_RETENTION_MS,
  TRACE_RETENTION_MS,
  type KeptSegment,
  type Surroundings,
} from './retention.ts';
import type { JournalLimits } from './room.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 60 * 60 * 1000;
const LIMITS: JournalLimits = {
  bytesMax: 8000,
  traceBytesMax: 800,
  reserveBytes: 100,
  reserveShare: 0.5,
};
const CALM: Surroundings = { nowMs: NOW_MS, limits: LIMITS, disk: null, keepsMoney: false };

/** A closed segment of money, written an hour ago and acknowledged at once. */
function segment(name: string, differs: Partial<KeptSegment> = {}): KeptSegment {
  const hourAgoMs = NOW_MS - HOUR_MS;
  return {
    name,
    stream: 'money',
    bytes: 100,
    modifiedMs: hourAgoMs,
    closed: true,
    acknowledgedMs: hourAgoMs,
    heldUntilMs: 0,
    ...differs,
  };
}

/** A closed segment of trace, written an hour ago and not acknowledged. */
function trace(name: string, differs: Partial<KeptSegment> = {}): KeptSegment {
  return segment(name, { stream: 'trace', acknowledgedMs: null, ...differs });
}

describe('segmentsToRemove', () => {
  test('keeps money for hours after it was acknowledged, however old it is', () => {
    const old = NOW_MS - 30 * MONEY_RETENTION_MS;
    const segments = [
      segment('due', { modifiedMs: old, acknowledgedMs: NOW_MS - MONEY_RETENTION_MS }),
      segment('acknowledged late', { modifiedMs: old, acknowledgedMs: NOW_MS - HOUR_MS }),
      segment('young'),
    ];
    assert.deepEqual(segmentsToRemove(segments, CALM), ['due']);
  });

  test('never removes what is written to, nor money that is not acknowledged', () => {
    const old = { modifiedMs: 0, acknowledgedMs: 0 };
    const segments = [
      segment('open', { ...old, closed: false }),
      segment('open trace', { ...old, closed: false, stream: 'trace' }),
      segment('waiting', { ...old, acknowledgedMs: null, bytes: 100_000 }),
    ];
    const disk = { freeBytes: 0, reserveBytes: 100 };
    assert.deepEqual(segmentsToRemove(segments, { ...CALM, disk }), []);
  });

  test('keeps trace for a day, and what is shipped for an hour', () => {
    const ago = (ageMs: number): number => NOW_MS - ageMs;
    const young = { modifiedMs: ago(TRACE_RETENTION_MS - 1) };
    const segments = [
      trace('due', { modifiedMs: ago(TRACE_RETENTION_MS) }),
      trace('young', young),
      trace('shipped', { ...young, acknowledgedMs: ago(SHIPPED_TRACE_RETENTION_MS) }),
      trace('just shipped', { ...young, acknowledgedMs: ago(SHIPPED_TRACE_RETENTION_MS - 1) }),
    ];
    assert.deepEqual(segmentsToRemove(segments, CALM), ['due', 'shipped']);
  });

  test('removes the oldest trace before any money, and then the oldest money that is acknowledged', () => {
    const segments = [
      segment('money 1', { bytes: 4000, modifiedMs: NOW_MS - 3000 }),
      segment('money 2', { bytes: 3000, modifiedMs: NOW_MS - 2000 }),
      segment('waiting', { bytes: 300, modifiedMs: 0, acknowledgedMs: null }),
      trace('trace 2', { bytes: 100, modifiedMs: NOW_MS - 1000 }),
      trace('trace 1', { bytes: 100, modifiedMs: NOW_MS - 1500 }),
      trace('shipped', { bytes: 400, modifiedMs: NOW_MS - 500, acknowledgedMs: NOW_MS - 400 }),
    ];
    // 7,900 bytes, of which 7,000 may stay.
    const removed = ['shipped', 'trace 1', 'trace 2', 'money 1'];
    assert.deepEqual(segmentsToRemove(segments, CALM), removed);
  });

  test('keeps the trace within a limit of its own', () => {
    const segments = [1, 2, 3, 4].map((age) =>
      trace(`trace ${age}`, { bytes: 300, modifiedMs: NOW_MS - age * 1000 }),
    );
    // 1,200 bytes, of which 700 may stay.
    assert.deepEqual(segmentsToRemove(segments, CALM), ['trace 4', 'trace 3']);
  });

  test('makes room on a disk that others have filled', () => {
    const segments = [
      trace('trace'),
      segment('money 2', { modifiedMs: NOW_MS - 1000 }),
      segment('money 1', { modifiedMs: NOW_MS - 2000 }),
    ];
    const full = (freeBytes: number): Surroundings => ({
      ...CALM,
      disk: { freeBytes, reserveBytes: 100 },
    });
    assert.deepEqual(segmentsToRemove(segments, full(300)), []);
    assert.deepEqual(segmentsToRemove(segments, full(299)), ['trace']);
    assert.deepEqual(segmentsToRemove(segments, full(150)), ['trace', 'money 1']);
  });

  test('removes no money while control may ask for it again', () => {
    const segments = [
      segment('money', { modifiedMs: 0, acknowledgedMs: 0, bytes: 100_000 }),
      trace('trace'),
    ];
    assert.deepEqual(segmentsToRemove(segments, { ...CALM, keepsMoney: true }), ['trace']);
  });

  test('removes nothing that a tracker still needs, however short of room it is', () => {
    const needed = segment('beacons', { heldUntilMs: NOW_MS + 1, bytes: 100_000 });
    const free = segment('auctions', { bytes: 100 });
    assert.deepEqual(segmentsToRemove([needed, free], CALM), ['auctions']);
    const later = { ...CALM, nowMs: NOW_MS + 1 };
    assert.deepEqual(segmentsToRemove([needed], later), ['beacons']);
  });

  test('whatever lies there, only what may go goes, and as little as the limits ask for', () => {
    const kept = fc.record({
      name: fc.uuid(),
      stream: fc.constantFrom('money' as const, 'trace' as const),
      bytes: fc.integer({ min: 0, max: 3000 }),
      modifiedMs: fc.integer({ min: NOW_MS - 40 * HOUR_MS, max: NOW_MS }),
      closed: fc.boolean(),
      acknowledgedMs: fc.option(fc.integer({ min: NOW_MS - 40 * HOUR_MS, max: NOW_MS })),
      heldUntilMs: fc.constantFrom(0, NOW_MS - 1, NOW_MS + 1),
    });
    const free = fc.option(fc.integer({ min: 0, max: 1000 }));
    const property = fc.property(fc.array(kept), free, (segments, freeBytes) => {
      const disk = freeBytes === null ? null : { freeBytes, reserveBytes: 100 };
      const removed = new Set(segmentsToRemove(segments, { ...CALM, disk }));
      for (const each of segments.filter(({ name }) => removed.has(name))) {
        assert.ok(each.closed && each.heldUntilMs <= NOW_MS);
        assert.ok(each.stream === 'trace' || each.acknowledgedMs !== null);
      }
      const left = segments.filter(({ name }) => !removed.has(name));
      const bytes = left.reduce((sum, each) => sum + each.bytes, 0);
      const mayGo = left.some(
        (each) =>
          each.closed &&
          each.heldUntilMs <= NOW_MS &&
          (each.stream === 'trace' || each.acknowledgedMs !== null),
      );
      if (mayGo && left.every((each) => each.bytes > 0)) assert.ok(bytes <= LIMITS.bytesMax);
    });
    fc.assert(property);
  });
});
