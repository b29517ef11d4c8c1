import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { TOKEN_LIFE_MAX_MS } from './beacon.ts';
import {
  KEY_KEPT_MS,
  KEY_LEAD_MS,
  KEY_SEALS_MS,
  keyRingAt,
  rotateKeys,
  type BeaconKey,
  type DrawKey,
} from './key-ring.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 20);

function counting(): DrawKey {
  let id = 0;
  return () => ({ id: (id += 1), secret: Buffer.alloc(32, id) });
}

test('the first key seals at once', () => {
  const keys = rotateKeys([], START_MS, counting());
  assert.equal(keyRingAt(keys, START_MS).current.id, 1);
});

test('a successor is there an hour before it seals, and nothing changes in between', () => {
  const draw = counting();
  const first = rotateKeys([], START_MS, draw);
  const beforeMs = START_MS + KEY_SEALS_MS - KEY_LEAD_MS;
  assert.equal(rotateKeys(first, beforeMs - 1, draw), first);
  const both = rotateKeys(first, beforeMs, draw);
  assert.deepEqual(
    both.map(({ id, sealsFromMs }) => [id, sealsFromMs - START_MS]),
    [
      [1, 0],
      [2, KEY_SEALS_MS],
    ],
  );
  assert.equal(rotateKeys(both, beforeMs + 1, draw), both);
  assert.equal(keyRingAt(both, START_MS + KEY_SEALS_MS - 1).current.id, 1);
  assert.equal(keyRingAt(both, START_MS + KEY_SEALS_MS).current.id, 2);
  assert.equal(keyRingAt(both, START_MS + KEY_SEALS_MS).byId.size, 2);
});

test('an id that is in use is drawn again', () => {
  const ids = [1, 1, 1, 2];
  const draw: DrawKey = () => ({ id: ids.shift() ?? 0, secret: Buffer.alloc(32) });
  const keys = rotateKeys([], START_MS, draw);
  assert.deepEqual(
    rotateKeys(keys, START_MS + KEY_SEALS_MS, draw).map(({ id }) => id),
    [1, 2],
  );
});

test('with a clock behind all keys the oldest seals', () => {
  const key = (id: number, sealsFromMs: number): BeaconKey => ({
    id,
    sealsFromMs,
    secret: Buffer.alloc(32),
  });
  assert.equal(keyRingAt([key(1, 500), key(2, 400), key(3, 600)], 100).current.id, 2);
});

test('a key opens late clicks for some days after it has sealed, and then goes', () => {
  const draw = counting();
  let keys = rotateKeys([], START_MS, draw);
  const sealedUntilMs = START_MS + KEY_SEALS_MS;
  for (let nowMs = START_MS; nowMs <= sealedUntilMs + KEY_KEPT_MS; nowMs += HOUR_MS) {
    keys = rotateKeys(keys, nowMs, draw);
    assert.ok(keys.some(({ id }) => id === 1));
  }
  keys = rotateKeys(keys, sealedUntilMs + KEY_KEPT_MS + 1, draw);
  assert.ok(keys.every(({ id }) => id !== 1));
});

test('whenever rotation runs, a token can be opened for all of its life by everybody who read the keys within an hour', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 40 * HOUR_MS }), { minLength: 1, maxLength: 40 }),
      (pauses) => {
        const draw = counting();
        let nowMs = START_MS;
        let keys = rotateKeys([], nowMs, draw);
        for (const pauseMs of pauses) {
          const sealedBy = keyRingAt(keys, nowMs).current.id;
          const sealedMs = nowMs;
          const known = new Set(keys.map(({ id }) => id));
          nowMs += pauseMs;
          keys = rotateKeys(keys, nowMs, draw);
          const ring = keyRingAt(keys, nowMs);
          if (nowMs < sealedMs + TOKEN_LIFE_MAX_MS) assert.ok(ring.byId.has(sealedBy));
          if (pauseMs < KEY_LEAD_MS) assert.ok(known.has(ring.current.id));
          assert.ok(keys.length <= 10, `${keys.length} keys`);
        }
      },
    ),
  );
});
