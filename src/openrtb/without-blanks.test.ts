import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import fc from 'fast-check';
import { anyJson, damaged, documentOf } from '../../test/support/schema-arbitrary.ts';
import { advisory, id, integer, object, optional } from './fields.ts';
import { IncomingRequestSchema } from './incoming-request.ts';
import { nodeOf } from './schema-node.ts';
import { withoutBlanks } from './without-blanks.ts';

const node = nodeOf(
  Type.Object({
    id: Type.String(),
    name: Type.Optional(Type.String()),
    deal: Type.Optional(Type.String({ minLength: 1 })),
    inner: Type.Optional(Type.Object({ w: Type.Optional(Type.Integer()) })),
    list: Type.Optional(Type.Array(Type.Object({ w: Type.Optional(Type.Integer()) }))),
    ext: Type.Optional(Type.Unknown()),
  }),
);

test('nulls of optional fields and empty ids are dropped, at any depth', () => {
  const blank = {
    id: 'a',
    deal: '',
    name: null,
    inner: { w: null },
    list: [{ w: 1 }, { w: null, h: 2 }],
  };
  const cleaned = { id: 'a', inner: {}, list: [{ w: 1 }, { h: 2 }] };
  assert.deepEqual(withoutBlanks(node, blank), cleaned);
});

test('required fields, list entries, extensions and texts that may be empty keep what they have', () => {
  const kept = { id: null, name: '', list: [null], ext: null, unknown: null };
  assert.equal(withoutBlanks(node, kept), kept);
  const mixed = { ...kept, deal: null, ext: { a: null } };
  assert.deepEqual(withoutBlanks(node, mixed), { ...kept, ext: { a: null } });
});

test('an advisory field that cannot be read is dropped, with what is inside it or alone', () => {
  const advised = nodeOf(
    object('A thing.', {
      id: optional(id('An id.')),
      year: optional(integer('A year.'), advisory),
      inner: optional(object('Inside.', { w: optional(integer('Wide.'), advisory) }), advisory),
    }),
  );
  const untidy = { id: 7, year: '1987', inner: { w: 'wide', h: 'high' } };
  assert.deepEqual(withoutBlanks(advised, untidy), { id: 7, inner: { h: 'high' } });
  assert.deepEqual(withoutBlanks(advised, { inner: [] }), {});
  const sound = { id: 'a', year: 1987, inner: { w: 1 } };
  assert.equal(withoutBlanks(advised, sound), sound);
});

test('what holds no blank is shared with the original, which is never changed', () => {
  const original = { id: 'a', inner: { w: 1 }, list: [{ w: null }] };
  const cleaned = withoutBlanks(node, original);
  assert.deepEqual(original, { id: 'a', inner: { w: 1 }, list: [{ w: null }] });
  assert.deepEqual(cleaned, { id: 'a', inner: { w: 1 }, list: [{}] });
  assert.equal(Object.getOwnPropertyDescriptor(cleaned, 'inner')?.value, original.inner);
});

test('a field called __proto__ stays a field', () => {
  const cleaned = withoutBlanks(node, JSON.parse('{"id":"a","deal":null,"__proto__":{"w":1}}'));
  assert.equal(JSON.stringify(cleaned), '{"id":"a","__proto__":{"w":1}}');
  assert.equal(Object.getPrototypeOf(cleaned), Object.prototype);
});

test('cleaning twice changes nothing more', () => {
  const schema = nodeOf(IncomingRequestSchema);
  fc.assert(
    fc.property(fc.oneof(damaged(documentOf(schema)), anyJson), (value) => {
      const once = withoutBlanks(schema, value);
      assert.equal(withoutBlanks(schema, once), once);
    }),
  );
});
