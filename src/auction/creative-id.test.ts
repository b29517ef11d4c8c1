import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundedId, creativeIdOf } from './creative-id.ts';
import { anyCharacter } from '../../test/support/any-character.ts';

test('a creative is called by its crid, else its ad id, else a hash of its markup', () => {
  assert.equal(creativeIdOf({ crid: 'c-1', adid: 'a-1' }, '<p>'), 'c-1');
  assert.equal(creativeIdOf({ adid: 'a-1' }, '<p>'), 'adid:a-1');
  assert.match(creativeIdOf({}, '<p>'), /^adm:[0-9a-f]{16}$/);
  assert.notEqual(creativeIdOf({}, '<p>'), creativeIdOf({}, '<b>'));
});

test('a creative that only its markup tells has no name before it has come', () => {
  assert.equal(creativeIdOf({}, null), '');
});

test('very long ids are cut, and stay different when only their ends are', () => {
  const long = 'c'.repeat(500);
  assert.equal(boundedId(long), boundedId(long));
  assert.ok(boundedId(long).length <= 128);
  assert.notEqual(boundedId(`${long}1`), boundedId(`${long}2`));
});

test('an id is bounded once: what is stored is found again under its stored form', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (id) => {
      const stored = boundedId(id);
      assert.equal(boundedId(stored), stored);
      assert.ok(stored.isWellFormed() && stored.length <= 128);
    }),
  );
});

test('ids that differ are stored under different names', () => {
  const text = fc.string({ minLength: 120, maxLength: 200 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      assert.equal(boundedId(one) === boundedId(other), one === other);
    }),
  );
});
