import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShippedMark } from './shipped-mark.ts';

function acknowledgedAt(offsets: Readonly<Record<string, number>>) {
  return new Map(Object.entries(offsets).map(([name, offset]) => [name, { offset, atMs: 0 }]));
}

function sizes(bytes: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(bytes));
}

test('a journal without anything unacknowledged is whole until now', () => {
  const mark = new ShippedMark();
  assert.equal(mark.wholeUntilMs, null);
  mark.look(1_000, sizes({}), acknowledgedAt({}));
  assert.equal(mark.wholeUntilMs, 1_000);
  mark.look(2_000, sizes({}), acknowledgedAt({ a: 10 }));
  assert.equal(mark.wholeUntilMs, 2_000);
});

test('under steady writing the journal is whole until the last mark that all segments have passed', () => {
  const mark = new ShippedMark();
  mark.look(1_000, sizes({ a: 100, b: 50 }), acknowledgedAt({ a: 60 }));
  assert.equal(mark.wholeUntilMs, null);
  mark.look(2_000, sizes({ a: 150, b: 70 }), acknowledgedAt({ a: 120 }));
  assert.equal(mark.wholeUntilMs, null, 'b has not come to its mark');
  mark.look(3_000, sizes({ a: 200, b: 90 }), acknowledgedAt({ a: 120, b: 50 }));
  assert.equal(mark.wholeUntilMs, 1_000);
  mark.look(4_000, sizes({ a: 300 }), acknowledgedAt({ a: 200, b: 90 }));
  assert.equal(mark.wholeUntilMs, 3_000, 'b holds nothing that is not acknowledged');
});

test('a segment that cannot be shipped holds the time back for as long as it is there', () => {
  const mark = new ShippedMark();
  mark.look(1_000, sizes({}), acknowledgedAt({}));
  for (const atMs of [2_000, 3_000, 4_000]) {
    mark.look(atMs, sizes({ unreadable: 10 }), acknowledgedAt({}));
    assert.equal(mark.wholeUntilMs, 1_000);
  }
  mark.look(5_000, sizes({}), acknowledgedAt({}));
  assert.equal(mark.wholeUntilMs, 5_000);
});
