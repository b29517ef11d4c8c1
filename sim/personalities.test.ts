import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaultRates } from './faults.ts';
import { personalityOf } from './personalities.ts';
import { createRandom } from './random.ts';

const partner = { id: '1', name: 'Acme', endpoint: 'http://127.0.0.1:1/bid', seats: ['acme-1'] };
const dealt = (index: number, seed = 1) =>
  personalityOf(partner, index, createRandom(seed).fork(index));

test('a personality keeps the name and seats of its partner', () => {
  assert.partialDeepStrictEqual(dealt(0), { name: 'Acme', seats: ['acme-1'] });
});

test('five partners differ in price and latency, one is slow and one has faults', () => {
  const five = [0, 1, 2, 3, 4].map((index) => dealt(index));
  assert.equal(new Set(five.map(({ price }) => price.medianUsd)).size, 5);
  assert.equal(new Set(five.map(({ latency }) => latency.medianMs)).size, 5);
  assert.equal(five.filter(({ latency }) => latency.medianMs > 100).length, 1);
  const faulty = five.filter(({ faults }) => Object.keys(faults).length > 0);
  assert.equal(faulty.length, 1);
  for (const { faults } of faulty) assertFaultRates(faults);
});

test('a sixth partner is like the first at prices and with advertisers of its own', () => {
  const [first, sixth] = [dealt(0), dealt(5)];
  assert.deepEqual(first.latency, sixth.latency);
  assert.notEqual(first.price.medianUsd, sixth.price.medianUsd);
  assert.notDeepEqual(first.adomains, sixth.adomains);
  assert.equal(sixth.adomains.length, sixth.categories.length);
});

test('the same seed deals the same', () => {
  assert.deepEqual(dealt(1), dealt(1));
  assert.notDeepEqual(dealt(1), dealt(1, 2));
});
