import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isKeepable, isUid, mergeMatches, type Match } from './match.ts';

test('an id is of visible characters that no macro, markup or header is made of', () => {
  for (const id of ['a', 'CAESE-_x=/+', 'a|b,c:d@e', 'x'.repeat(256)]) assert.ok(isUid(id), id);
  for (const id of [
    '',
    'a b',
    '$UID',
    '${UID}',
    '{uid}',
    '<b>',
    'a"b',
    "a'b",
    'ä',
    'a\n',
    'x'.repeat(257),
  ]) {
    assert.ok(!isUid(id), id);
  }
});

test('data of more than 256 bytes is not kept', () => {
  assert.ok(isKeepable('ä'.repeat(128)));
  assert.ok(!isKeepable('ä'.repeat(129)));
  assert.ok(!isKeepable('x'.repeat(257)));
});

test('in which order matches are brought together does not matter', () => {
  const times = fc.nat(3);
  const one = fc.record({ uidSetS: times, customdataSetS: times, offeredS: times }).map(
    // A value belongs to its second.
    ({ uidSetS, customdataSetS, offeredS }): Match => {
      return {
        uid: `u${uidSetS}`,
        uidSetS,
        customdata: `d${customdataSetS}`,
        customdataSetS,
        offeredS,
      };
    },
  );
  fc.assert(
    fc.property(one, one, one, (a, b, c) => {
      const expected = mergeMatches(mergeMatches(a, b), c);
      assert.deepEqual(mergeMatches(c, mergeMatches(b, a)), expected);
      assert.equal(expected.uidSetS, Math.max(a.uidSetS, b.uidSetS, c.uidSetS));
    }),
  );
});
