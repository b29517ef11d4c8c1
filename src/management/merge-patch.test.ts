import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergePatch } from './merge-patch.ts';

/** RFC 7396, Appendix A: original, patch, result. */
const EXAMPLES = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
] as const;

test('the examples of RFC 7396 come out as they stand there', () => {
  for (const [original, patch, result] of EXAMPLES) {
    assert.equal(JSON.stringify(mergePatch(JSON.parse(original), JSON.parse(patch))), result);
  }
});

/** The algorithm of RFC 7396 section 2, over lists of members instead of objects. */
function reference(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  let members: [string, unknown][] = isObject ? Object.entries(target) : [];
  for (const [name, value] of Object.entries(patch)) {
    const found = members.find(([key]) => key === name);
    if (value === null) members = members.filter(([key]) => key !== name);
    else if (found === undefined) members.push([name, reference(undefined, value)]);
    else found[1] = reference(found[1], value);
  }
  return Object.fromEntries(members);
}

const NAMES = fc.constantFrom('a', 'b', 'c', '', '__proto__', 'constructor', 'toString', '0');
const { value: JSON_VALUE } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    fc.constantFrom<unknown>(null, 0, 'x', true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(NAMES, tie('value')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members)),
  ),
}));

test('any two documents merge as the algorithm of RFC 7396 says, and neither is changed', () => {
  fc.assert(
    fc.property(JSON_VALUE, JSON_VALUE, (before, patch) => {
      const texts = [JSON.stringify(before), JSON.stringify(patch)];
      const merged = mergePatch(before, patch);
      assert.equal(JSON.stringify(merged), JSON.stringify(reference(before, patch)));
      assert.deepEqual([JSON.stringify(before), JSON.stringify(patch)], texts);
      assert.equal(JSON.stringify(mergePatch(merged, patch)), JSON.stringify(merged));
    }),
    { numRuns: 1_000 },
  );
});

test('an object in place of a list has nothing of the list, not even by position', () => {
  assert.deepEqual(mergePatch([{ a: 1 }], { 0: { b: 2 } }), { 0: { b: 2 } });
});

test('a key that objects inherit is a key like any other', () => {
  const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":1},"toString":{"a":1}}'));
  assert.equal(JSON.stringify(merged), '{"__proto__":{"polluted":1},"toString":{"a":1}}');
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});
