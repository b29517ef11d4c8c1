import assert from 'node:assert/strict';
import test from 'node:test';
import {
  formatAlike,
  formatApart,
  formatCount,
  formatCpm,
  formatMs,
  formatPart,
  formatShare,
  formatShort,
  formatUsd,
  type Format,
} from './format.ts';

test('a lone figure has as many digits as say something', () => {
  assert.equal(formatUsd(1_234.5), '$1,234.50');
  assert.equal(formatUsd(0.00125), '$0.00125');
  assert.equal(formatCpm(1.5), '$1.50');
  assert.equal(formatCpm(1.2345), '$1.2345');
  assert.equal(formatPart(0.5), '50%');
  assert.equal(formatPart(null), '–');
  assert.equal(formatShare(1, 0), '–');
  assert.equal(formatMs(12.34), '12.3 ms');
});

test('the figures of a column have the same digits', () => {
  const column = (format: Format, values: readonly (number | null)[]) =>
    values.map(formatAlike(format, values));
  assert.deepEqual(column(formatUsd, [12.5, 0.004, null]), ['$12.50', '$0.00', '–']);
  assert.deepEqual(column(formatUsd, [0.5, 0.0312]), ['$0.5000', '$0.0312']);
  assert.deepEqual(column(formatUsd, [0.001, 0]), ['$0.001000', '$0.000000']);
  assert.deepEqual(column(formatUsd, [0, null]), ['$0.00', '–']);
  assert.deepEqual(column(formatCpm, [1, 2.5]), ['$1.00', '$2.50']);
  assert.deepEqual(column(formatCpm, [1, 2.1234]), ['$1.0000', '$2.1234']);
  assert.deepEqual(column(formatPart, [1, 0.123, null]), ['100.0%', '12.3%', '–']);
  assert.deepEqual(column(formatCount, [1_000, 0]), ['1,000', '0']);
});

test('no two labels of an axis are the same', () => {
  assert.deepEqual(formatApart(formatShort, [0, 1_000, 2_000]), ['0', '1K', '2K']);
  assert.deepEqual(formatApart(formatShort, [0, 0.25, 0.5]), ['0.00', '0.25', '0.50']);
  assert.deepEqual(formatApart(formatShort, [1_000, 1_010, 1_020]), ['1.00K', '1.01K', '1.02K']);
  assert.deepEqual(formatApart(formatUsd, [0, 0.002, 0.004]), ['$0.000', '$0.002', '$0.004']);
  assert.deepEqual(formatApart(formatUsd, [0, 5, 10]), ['$0.00', '$5.00', '$10.00']);
  assert.deepEqual(formatApart(formatPart, [0, 0.0005, 0.001]), ['0.00%', '0.05%', '0.10%']);
  assert.deepEqual(formatApart(formatPart, [0, 0.5, 1]), ['0%', '50%', '100%']);
});
