import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { checkSchema } from './check-schema.ts';
import { mapping, nullable, whole } from '../resources/vocabulary.ts';

const SCHEMA = mapping('a thing', {
  id: whole(1, 9),
  line_items: Type.Optional(Type.Array(whole(1, 9), { description: 'a list of numbers' })),
  password: Type.Optional(
    Type.String({ minLength: 8, writeOnly: true, description: 'a long text' }),
  ),
  pos: Type.Optional(nullable(whole(0, 7))),
});
const validator = Compile(SCHEMA);

function messagesOf(value: unknown): Record<string, string> {
  const findings = checkSchema(validator, value);
  return Object.fromEntries(findings.map(({ path, message }) => [path.join('/'), message]));
}

test('a sound value has no findings', () => {
  assert.deepEqual(checkSchema(validator, { id: 1, line_items: [2], pos: null }), []);
});

test('a message says what would be right and what was found', () => {
  assert.deepEqual(messagesOf({ id: 12, line_items: [1, 'x'], pos: 8 }), {
    id: 'must be a whole number from 1 to 9, found 12',
    'line_items/1': 'must be a whole number from 1 to 9, found "x"',
    pos: 'must be a whole number from 0 to 7, found 8',
  });
  assert.deepEqual(messagesOf('text'), {
    '': 'must be a mapping of the keys of a thing, found "text"',
  });
});

test('a missing key is told with what it must be', () => {
  assert.deepEqual(messagesOf({}), {
    id: 'is missing; it must be a whole number from 1 to 9',
  });
});

test('a secret that breaks a rule is not shown', () => {
  assert.deepEqual(messagesOf({ id: 1, password: 'hunter2' }), {
    password: 'must be a long text',
  });
  assert.deepEqual(messagesOf({ id: 1, password: 1234567 }), {
    password: 'must be a long text',
  });
});

test('an unknown key is told with the key that was meant, or with all that there are', () => {
  const near = ['Id', 'line-items', 'line_item', 'line_iterms', 'pasword', 'passwrod', 'posi'];
  for (const key of near) {
    assert.match(messagesOf({ id: 1, [key]: 1 })[key] ?? '', /did you mean "/, key);
  }
  assert.equal(
    messagesOf({ id: 1, colour: 'red' })['colour'],
    'is not a key of a thing; the keys are id, line_items, password, pos',
  );
  assert.match(
    Object.values(messagesOf(JSON.parse('{"id":1,"__proto__":1}')))[0] ?? '',
    /is not a key of a thing/,
  );
});

test('errors beyond the eight that TypeBox lists are found, and its setting stays as it was', () => {
  const before = Settings.Get().maxErrors;
  const findings = checkSchema(validator, {
    id: 1,
    line_items: Array.from({ length: 500 }, () => 0),
  });
  assert.equal(findings.length, 500);
  assert.equal(Settings.Get().maxErrors, before);
});

test('more errors than a person would read are cut, and that is said', () => {
  const zeros = Array.from({ length: 5_000 }, () => 0);
  const findings = checkSchema(validator, { id: 1, line_items: zeros });
  assert.equal(findings.length, 1_001);
  assert.match(findings[0]?.message ?? '', /more problems than are listed/);
});
