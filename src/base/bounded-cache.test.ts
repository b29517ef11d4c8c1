import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BoundedCache } from './bounded-cache.ts';

test('what was set is found, null included', () => {
  const cache = new BoundedCache<number | null>(4);
  cache.set('a', 1);
  cache.set('b', null);
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, null, undefined]);
});

test('an entry in use outlives any number of others', () => {
  const cache = new BoundedCache<number>(4);
  cache.set('kept', 0);
  for (let other = 0; other < 100; other += 1) {
    cache.set(`other ${other}`, other);
    assert.equal(cache.get('kept'), 0);
  }
});

test('an entry that nobody asks for is forgotten', () => {
  const cache = new BoundedCache<number>(4);
  for (let other = 0; other < 5; other += 1) cache.set(`other ${other}`, other);
  assert.equal(cache.get('other 0'), undefined);
  assert.equal(cache.get('other 4'), 4);
});

test('a size that cannot be halved is refused', () => {
  for (const entriesMax of [0, 1, 3, -2, 2.5, Number.NaN]) {
    assert.throws(() => new BoundedCache(entriesMax), /even number/);
  }
});

test('for any sequence: the size is bounded, and what is found is what was last set', () => {
  const key = fc.integer({ min: 0, max: 12 }).map(String);
  const step = fc.tuple(key, fc.option(fc.nat(), { nil: undefined }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const cache = new BoundedCache<number>(6);
      const model = new Map<string, number>();
      for (const [name, value] of steps) {
        if (value === undefined) {
          const found = cache.get(name);
          if (found !== undefined) assert.equal(found, model.get(name));
        } else {
          cache.set(name, value);
          model.set(name, value);
          assert.equal(cache.get(name), value);
        }
        assert.ok(cache.size <= 6);
      }
    }),
  );
});
