import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import { readUtf8 } from './utf8.ts';

function placeOf(bytes: Buffer): readonly [line: number, column: number, message: string] {
  const read = readUtf8(bytes);
  assert.ok('problem' in read);
  const { line, column, message } = read.problem;
  return [line, column, message];
}

test('a file in Latin-1 is refused with the place of its first letter that is not ASCII', () => {
  const file = Buffer.from('publishers:\n  - name: Café\n', 'latin1');
  assert.deepEqual(placeOf(file), [
    2,
    14,
    'Byte 26 of the file, 0xE9 in column 14, is not UTF-8; save the file in UTF-8.',
  ]);
});

test('columns count characters, and what is cut short ends where it begins', () => {
  assert.deepEqual(
    placeOf(Buffer.concat([Buffer.from('é€'), Buffer.from([0xff])])).slice(0, 2),
    [1, 3],
  );
  assert.deepEqual(placeOf(Buffer.from('a\n€').subarray(0, 4)).slice(0, 2), [2, 1]);
});

test('whatever the bytes are, the text before the place is UTF-8 and that with it is none', () => {
  const piece = fc.oneof(fc.uint8Array({ maxLength: 4 }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const bytes = Buffer.concat(pieces.map((each) => Buffer.from(each)));
      const read = readUtf8(bytes);
      assert.equal('text' in read, isUtf8(bytes));
      if ('text' in read) return;
      const offset = Number(/^Byte (\d+)/.exec(read.problem.message)?.[1]) - 1;
      assert.ok(isUtf8(bytes.subarray(0, offset)));
      for (let end = offset + 1; end <= Math.min(bytes.length, offset + 4); end += 1) {
        assert.ok(!isUtf8(bytes.subarray(0, end)));
      }
    }),
  );
});
