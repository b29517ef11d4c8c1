import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { parse } from 'yaml';
import { decodeSnapshot, encodeSnapshot } from '../snapshot/wire.ts';
import { compileSnapshot } from './compile.ts';
import type { Database } from './schema.ts';
import {
  applyQuickly,
  openTestStore,
  readExample,
} from '../../test/support/configuration-store.ts';
import { runs } from '../../test/support/effort.ts';
import { anyCharacter } from '../../test/support/any-character.ts';

const PIECES = [
  '\n',
  '  ',
  '- ',
  ': ',
  '{',
  ']',
  '*a',
  '&a ',
  'null',
  '-1',
  '1e99',
  '"',
  '.nan',
  '~',
  '!x ',
  'id: 1',
  'floor: ',
  '__proto__: ',
  'status: ARCHIVED',
];

const VALUES: readonly unknown[] = [
  null,
  '',
  0,
  -1,
  1,
  1e99,
  0.33333,
  true,
  [],
  {},
  [{}],
  [[1]],
  3001,
  4001,
  1001,
  'acme-1',
  'ops',
  '320x50',
  '10.0.0.0/8',
  'ARCHIVED',
];

/** Applies a file and checks what holds whatever it says. */
async function applyAnything(db: Kysely<Database>, text: string): Promise<void> {
  const applied = await applyQuickly(db, text);
  if (!applied.ok) {
    const lines = text.split(/\r\n|\r|\n/).length;
    assert.ok(applied.problems.length > 0);
    for (const { line, column, message } of applied.problems) {
      assert.ok(line >= 1 && line <= lines && column >= 1, `line ${line} of ${lines}`);
      assert.ok(message !== '' && !message.includes('\n') && !/undefined|\[object/.test(message));
    }
    return;
  }
  const again = await applyQuickly(db, text);
  assert.ok(again.ok);
  assert.deepEqual([again.created, again.updated], [0, 0]);
  assert.deepEqual(again.version, applied.version);
  const { version, entities } = await compileSnapshot(db);
  await decodeSnapshot(encodeSnapshot(version, entities));
}

test('the example with any text put in or cut out is applied or refused, and never throws', async (t) => {
  const { db } = await openTestStore(t);
  const example = await readExample();
  const piece = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 8 }),
    fc.constantFrom(...PIECES),
  );
  const edit = fc.record({ at: fc.nat(example.length), cut: fc.nat(12), put: piece });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      let text = example;
      for (const { at, cut, put } of edits) text = text.slice(0, at) + put + text.slice(at + cut);
      await applyAnything(db, text);
    }),
    { numRuns: runs(15) },
  );
});

test('the example with any value at any place is applied or refused, and never throws', async (t) => {
  const { db } = await openTestStore(t);
  const example: unknown = parse(await readExample());
  const paths = pathsOf(example, []);
  const value = fc.oneof(fc.constantFrom(...VALUES), fc.jsonValue({ maxDepth: 2 }));
  const edit = fc.record({ path: fc.constantFrom(...paths), value });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
      const document = structuredClone(example);
      for (const change of edits) setAt(document, change.path, structuredClone(change.value));
      await applyAnything(db, JSON.stringify(document));
    }),
    { numRuns: runs(25) },
  );
});

function pathsOf(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

function setAt(document: unknown, path: readonly string[], value: unknown): void {
  let holder = document;
  for (const key of path.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null) return;
    holder = Reflect.get(holder, key);
  }
  if (typeof holder === 'object' && holder !== null) Reflect.set(holder, path.at(-1) ?? '', value);
}
