import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import fc from 'fast-check';
import { anyJson, damaged, documentOf } from '../../test/support/schema-arbitrary.ts';
import type { Problem } from '../base/problem.ts';
import { BidSchema } from './bid-response.ts';
import { explain } from './explain.ts';
import { IncomingRequestSchema } from './incoming-request.ts';
import { nodeOf, type SchemaNode } from './schema-node.ts';
import { strictSchema } from './strict-schema.ts';
import { runs } from '../../test/support/effort.ts';

function problemsOf(node: SchemaNode, value: unknown, problemsMax = 50): Problem[] {
  const problems: Problem[] = [];
  explain(node, value, '', { problems, problemsMax });
  return problems;
}

function messageOf(schema: Type.TSchema, value: unknown): string | undefined {
  return problemsOf(nodeOf(schema), value)[0]?.message;
}

test('a message says what was found and what is allowed', () => {
  const text = Type.String({ minLength: 1, maxLength: 2048 });
  const count = Type.Integer({ minimum: 0, maximum: 10_000 });
  const cases: [Type.TSchema, unknown, string][] = [
    [text, 5, 'Found the number 5; allowed is a text of 1 to 2,048 characters.'],
    [text, '', 'Found an empty text; allowed is a text of 1 to 2,048 characters.'],
    [text, null, 'Found null; allowed is a text of 1 to 2,048 characters.'],
    [count, '7', 'Found the text "7"; allowed is a whole number from 0 to 10,000.'],
    [count, 7.5, 'Found the number 7.5; allowed is a whole number from 0 to 10,000.'],
    [count, -1, 'Found the number -1; allowed is a whole number from 0 to 10,000.'],
    [count, true, 'Found true; allowed is a whole number from 0 to 10,000.'],
    [Type.Number(), Infinity, 'Found a number too large to be read; allowed is a number.'],
    [Type.Number({ minimum: 0 }), -2, 'Found the number -2; allowed is a number of at least 0.'],
    [Type.Number({ maximum: 9 }), 10, 'Found the number 10; allowed is a number of at most 9.'],
    [Type.Literal('USD'), 'EUR', 'Found the text "EUR"; allowed is "USD".'],
    [Type.Enum([0, 1]), 2, 'Found the number 2; allowed is one of 0, 1.'],
    [Type.Object({}), [1], 'Found a list of 1 entry; allowed is an object.'],
    [Type.Array(text), {}, 'Found an empty object; allowed is a list.'],
    [
      Type.Array(text, { maxItems: 1 }),
      ['a', 'b'],
      'Found a list of 2 entries; allowed is a list of at most 1 entries.',
    ],
    [
      Type.Unsafe({ type: ['string', 'integer'] }),
      1.5,
      'Found the number 1.5; allowed is a text or a whole number.',
    ],
    [
      Type.String({ pattern: '^[a-z]{2}$', 'x-allowed': 'two letters' }),
      'abc',
      'Found the text "abc"; allowed is two letters.',
    ],
  ];
  for (const [schema, value, message] of cases) assert.equal(messageOf(schema, value), message);
});

test('a long text is quoted by its start and counted', () => {
  const message = messageOf(Type.String({ maxLength: 64 }), 'x'.repeat(1500));
  const start = 'x'.repeat(40);
  assert.equal(
    message,
    `Found the text "${start}…" of 1,500 characters; allowed is a text of at most 64 characters.`,
  );
});

test('a missing field is pointed at where it belongs, a needless one where it stands', () => {
  const node = nodeOf(
    Type.Object(
      { id: Type.String(), w: Type.Optional(Type.Integer()) },
      { additionalProperties: false },
    ),
  );
  assert.deepEqual(problemsOf(node, { 'x/y~z': 1 }), [
    { pointer: '/id', message: 'This field is required: it must be a text.' },
    {
      pointer: '/x~1y~0z',
      message: 'Found a field that may not be here; allowed are id, w.',
    },
  ]);
  assert.equal(problemsOf(node, { id: 'a', w: 'x' })[0]?.pointer, '/w');
});

test('an explanation ends at its cap, however much is wrong', () => {
  const list = nodeOf(Type.Array(Type.Integer()));
  assert.equal(problemsOf(list, Array(100_000).fill('x'), 50).length, 50);
  const closed = nodeOf(Type.Object({}, { additionalProperties: false }));
  assert.equal(problemsOf(closed, { a: 1, b: 2, c: 3 }, 2).length, 2);
});

test('an explanation finds something exactly when the compiled check fails', () => {
  const incoming = nodeOf(IncomingRequestSchema);
  for (const node of [incoming, strictSchema(incoming), nodeOf(BidSchema)]) {
    const shape = Compile(Type.Unsafe(node));
    fc.assert(
      fc.property(fc.oneof(damaged(documentOf(node)), anyJson), (value) => {
        assert.equal(problemsOf(node, value).length === 0, shape.Check(value));
      }),
      { numRuns: runs(30) },
    );
  }
});
