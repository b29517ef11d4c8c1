import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import { DeadlineWheel, NO_SLOT, type DeadlineEntry } from './http-deadlines.ts';

function createEntry(onDue: () => void): DeadlineEntry {
  return { dueMs: 0, slot: NO_SLOT, previous: null, next: null, onDue };
}

describe('DeadlineWheel', () => {
  test('fires each entry once, and none early by more than a millisecond', async () => {
    const wheel = new DeadlineWheel(() => performance.now());
    const errorsMs = await Promise.all(
      [5, 5.5, 20, 20, 60].map((delayMs) => {
        const dueMs = performance.now() + delayMs;
        return new Promise<number>((resolve) => {
          wheel.add(
            createEntry(() => resolve(performance.now() - dueMs)),
            dueMs,
          );
        });
      }),
    );
    for (const errorMs of errorsMs) assert.ok(errorMs > -1.01, String(errorMs));
  });

  test('keeps no process alive, and fires nothing once it is closed', async (context) => {
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    let fired = 0;
    const open = (nowMs: () => number): DeadlineWheel => {
      const wheel = new DeadlineWheel(nowMs);
      wheel.add(
        createEntry(() => (fired += 1)),
        nowMs() + 5,
      );
      return wheel;
    };
    const wheel = open(() => performance.now());
    assert.equal(timers(), before);
    wheel.close();
    let nowMs = 0;
    context.mock.timers.enable({ apis: ['setTimeout'] });
    open(() => nowMs).close();
    nowMs = 1_000;
    context.mock.timers.tick(1_000);
    assert.equal(fired, 0);
  });

  test('agrees with a sorted list, whatever is added and removed when', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const step = fc.record({
      delayMs: fc.oneof(
        fc.double({ min: -5, max: 300, noNaN: true }),
        fc.double({ min: 900, max: 5000, noNaN: true }),
      ),
      waitMs: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2500 })),
      remove: fc.nat(),
      repeats: fc.integer({ min: 0, max: 2 }),
      againMs: fc.constantFrom(0, 100, 1022, 1023, 1024, 4000),
      busyMs: fc.integer({ min: 0, max: 3 }),
    });
    const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let nowMs = 1000.4;
      const wheel = new DeadlineWheel(() => nowMs);
      const open = new Map<DeadlineEntry, number>();
      const pass = (ms: number): void => {
        for (let passed = 0; passed < ms; passed += 1) {
          nowMs += 1;
          // What a callback takes of the clock passes for the timers as well.
          for (let timersMs = nowMs - 1; timersMs < nowMs;) {
            const behindMs = nowMs - timersMs;
            timersMs = nowMs;
            context.mock.timers.tick(behindMs);
          }
          for (const dueMs of open.values()) {
            assert.ok(Math.floor(dueMs) >= Math.floor(nowMs) - 1, `due ${dueMs}, now ${nowMs}`);
          }
        }
      };
      for (const { delayMs, waitMs, remove, repeats, againMs, busyMs } of steps) {
        let left = repeats;
        const entry = createEntry(() => {
          const dueMs = open.get(entry);
          assert.ok(dueMs !== undefined && Math.floor(dueMs) <= Math.floor(nowMs));
          open.delete(entry);
          nowMs += busyMs;
          if (left === 0) return;
          left -= 1;
          open.set(entry, Math.max(nowMs, dueMs + againMs));
          wheel.add(entry, dueMs + againMs);
        });
        // A deadline in the past is due with the next millisecond.
        open.set(entry, Math.max(nowMs + delayMs, nowMs));
        wheel.add(entry, nowMs + delayMs);
        if (remove % 3 === 0) {
          const victim = [...open.keys()][remove % open.size];
          if (victim !== undefined) {
            wheel.remove(victim);
            wheel.remove(victim);
            open.delete(victim);
          }
        }
        assert.equal(wheel.size, open.size);
        pass(waitMs);
      }
      pass(14_000);
      assert.equal(open.size, 0);
      assert.equal(wheel.size, 0);
      wheel.close();
    });
    fc.assert(property, { numRuns: 30 });
  });

  test('visits every slot once after a pause of the process', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let nowMs = 0;
    const wheel = new DeadlineWheel(() => nowMs);
    const fired: number[] = [];
    for (const dueMs of [10, 500, 1000, 3000, 9000]) {
      wheel.add(
        createEntry(() => fired.push(dueMs)),
        dueMs,
      );
    }
    nowMs = 5000;
    context.mock.timers.tick(10);
    assert.deepEqual(
      fired.sort((a, b) => a - b),
      [10, 500, 1000, 3000],
    );
    nowMs = 9000;
    context.mock.timers.tick(5000);
    assert.deepEqual(fired.length, 5);
    wheel.close();
  });
});
