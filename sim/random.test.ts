import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from './random.ts';

const draws = (seed: string | number, count: number): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => random.next());
};

test('the same seed gives the same stream, another seed another one', () => {
  assert.deepEqual(draws(7, 100), draws(7, 100));
  assert.notDeepEqual(draws(7, 100), draws(8, 100));
});

test('draws are spread evenly over [0, 1)', () => {
  const buckets = Array.from({ length: 10 }, () => 0);
  for (const draw of draws('even', 100_000)) {
    assert.ok(draw >= 0 && draw < 1);
    const bucket = Math.floor(draw * 10);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  // Ten thousand expected in each; 500 is more than five deviations of a fair draw.
  for (const count of buckets) assert.ok(Math.abs(count - 10_000) < 500, String(buckets));
});

test('the first draws of consecutive seeds are unrelated', () => {
  const firsts = Array.from({ length: 10_000 }, (_, seed) => createRandom(seed).next());
  const mean = firsts.reduce((sum, draw) => sum + draw, 0) / firsts.length;
  assert.ok(Math.abs(mean - 0.5) < 0.02, `mean ${mean}`);
  assert.equal(new Set(firsts).size, firsts.length);
});

test('a fork depends on its label and not on what its parent has drawn', () => {
  const fresh = createRandom(1);
  const used = createRandom(1);
  for (let index = 0; index < 50; index += 1) used.next();
  assert.equal(fresh.fork('a').next(), used.fork('a').next());
  assert.notEqual(fresh.fork('a').next(), fresh.fork('b').next());
  assert.notEqual(fresh.fork('a').fork('b').next(), fresh.fork('b').fork('a').next());
});

test('integers reach both ends and nothing beyond', () => {
  const random = createRandom('dice');
  const seen = new Set(Array.from({ length: 1000 }, () => random.integer(1, 6)));
  assert.deepEqual(seen, new Set([1, 2, 3, 4, 5, 6]));
});

test('weighted draws follow the weights and never choose a weight of 0', () => {
  const random = createRandom('weights');
  const counts = { often: 0, seldom: 0, never: 0 };
  for (let index = 0; index < 10_000; index += 1) {
    counts[
      random.weighted([
        ['never', 0],
        ['often', 9],
        ['seldom', 1],
      ] as const)
    ] += 1;
  }
  assert.equal(counts.never, 0);
  assert.ok(Math.abs(counts.often - 9000) < 200, String(counts.often));
  assert.throws(() => random.weighted([['nothing', 0]]), RangeError);
});

test('a chance of 0 never comes and a chance of 1 always does', () => {
  const random = createRandom('chance');
  for (let index = 0; index < 1000; index += 1) {
    assert.equal(random.chance(0), false);
    assert.equal(random.chance(1), true);
  }
});

test('a log-normal draw has the median asked for, and a spread of 0 gives it exactly', () => {
  const random = createRandom('prices');
  const values = Array.from({ length: 10_001 }, () => random.logNormal(2, 0.5)).sort(
    (a, b) => a - b,
  );
  const median = values[5000] ?? 0;
  assert.ok(Math.abs(median - 2) < 0.06, `median ${median}`);
  assert.equal(random.logNormal(2, 0), 2);
});

test('picking from nothing is refused', () => {
  assert.throws(() => createRandom(1).pick([]), RangeError);
});

test('hexadecimal ids have the length asked for and do not repeat', () => {
  const random = createRandom('ids');
  const ids = new Set(Array.from({ length: 10_000 }, () => random.hex(12)));
  assert.equal(ids.size, 10_000);
  for (const id of ids) assert.match(id, /^[0-9a-f]{12}$/);
});
