import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeProblem, showPath, showValue } from './finding.ts';

test('a path is shown as people write it', () => {
  const path = ['demand_partners', 0, 'line_items', 1, 'floor'];
  assert.equal(showPath(path), 'demand_partners[0].line_items[1].floor');
  assert.equal(showPath(['deals', 0, 'a key: with\nmore']), 'deals[0]["a key: with\\nmore"]');
  assert.equal(showPath([]), '');
});

test('a problem is one line that reads as a sentence', () => {
  const problem = { path: 'deals[0].price', line: 88, column: 3, message: 'must be a price' };
  assert.equal(describeProblem(problem), 'line 88: deals[0].price must be a price');
  assert.equal(describeProblem({ ...problem, path: '', message: 'Broken.' }), 'line 88: Broken.');
});

test('what was found is shown short, on one line, and without credentials', () => {
  assert.equal(showValue('a\nb'), '"a\\nb"');
  assert.equal(showValue('x'.repeat(100)), `"${'x'.repeat(60)}…"`);
  assert.equal(showValue('https://user:secret@host/path'), '"https://…@host/path"');
  assert.equal(showValue(null), 'nothing');
  assert.equal(showValue([1, 2]), 'a list of 2');
  assert.equal(showValue({ a: 1 }), 'a mapping');
  assert.equal(showValue(Number.NaN), 'NaN');
});

test('whatever was found, what is shown has one line and a bounded length', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const shown = showValue(value);
      assert.ok(!shown.includes('\n') && shown.length <= 400, shown);
    }),
  );
});
