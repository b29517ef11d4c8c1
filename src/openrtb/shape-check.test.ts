import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import fc from 'fast-check';
import { anyJson, damaged, documentOf } from '../../test/support/schema-arbitrary.ts';
import { BidSchema } from './bid-response.ts';
import { IncomingRequestSchema } from './incoming-request.ts';
import { nodeOf } from './schema-node.ts';
import { createShapeCheck } from './shape-check.ts';
import { strictSchema } from './strict-schema.ts';
import { runs } from '../../test/support/effort.ts';

test('a field that is undefined counts as absent', () => {
  const check = createShapeCheck(
    Type.Object({ id: Type.String(), w: Type.Optional(Type.Integer()) }),
  );
  assert.ok(check({ id: 'a', w: undefined }));
  assert.ok(!check({ id: undefined, w: 1 }));
});

test('a list must hold as many entries as allowed, each of them right', () => {
  const check = createShapeCheck(Type.Array(Type.Integer(), { minItems: 1, maxItems: 2 }));
  const answers = [[], [1], [1, 2], [1, 2, 3], [1, '2']].map(check);
  assert.deepEqual(answers, [false, true, true, false, false]);
});

test('what has no type in its schema may be anything', () => {
  const check = createShapeCheck(Type.Object({ any: Type.Optional(Type.Unknown()) }));
  for (const any of [null, 1, 'x', [], {}]) assert.ok(check({ any }));
});

test('a type that no schema of OpenRTB has is refused at start', () => {
  assert.throws(() => createShapeCheck(Type.Boolean({ description: 'Odd.' })), /"Odd\."/);
});

test("the check agrees with the schema library's own", () => {
  const incoming = nodeOf(IncomingRequestSchema);
  for (const node of [incoming, strictSchema(incoming), nodeOf(BidSchema)]) {
    const check = createShapeCheck(node);
    const library = Compile(Type.Unsafe(node));
    const documents = documentOf(node);
    fc.assert(
      fc.property(fc.oneof(documents, damaged(documents), anyJson), (value) => {
        assert.equal(check(value), library.Check(value));
      }),
      { numRuns: runs(30) },
    );
  }
});
