import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';

import fc from 'fast-check';

import { anyCharacter } from '../../test/support/any-character.ts';
import { runs } from '../../test/support/effort.ts';
import { checkLine, contentOf, MARK_BYTES_MAX, markLine, readMark } from './checked-line.ts';

/** A line with its mark, with other bytes before and behind it. */
function marked(text: string, line: number): { bytes: Buffer; start: number; end: number } {
  const start = 7;
  const length = Buffer.byteLength(text);
  const bytes = Buffer.alloc(start + length + MARK_BYTES_MAX, '9');
  bytes.write(text, start);
  return { bytes, start, end: markLine(bytes, start, start + length, line) };
}

const text = fc
  .dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue({ noUnicodeString: false }), {
    minKeys: 1,
  })
  .map((value) => JSON.stringify(value));
const number = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

describe('a line with its mark', () => {
  test('is the same object with a number and, last, the CRC-32 of all bytes before', () => {
    const { bytes, start, end } = marked('{"a":"ü"}', 17);
    const said = bytes.toString('utf8', start, end);
    const before = '{"a":"ü","line":17';
    assert.equal(said, `${before},"crc":${crc32(before)}}`);
    assert.deepEqual(JSON.parse(said), { a: 'ü', line: 17, crc: crc32(before) });
  });

  test('is intact, and gives back what was written', () => {
    fc.assert(
      fc.property(text, number, (written, line) => {
        const { bytes, start, end } = marked(written, line);
        const mark = checkLine(bytes, start, end);
        assert.equal(mark?.line, line);
        assert.equal(contentOf(bytes, start, mark), written);
      }),
      { numRuns: runs(200) },
    );
  });

  test('is damaged once any bit of it has changed', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 0, max: 7 }), (written, place, bit) => {
        const { bytes, start, end } = marked(written, 5);
        const at = start + (place % (end - start));
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        assert.equal(checkLine(bytes, start, end), null);
      }),
      { numRuns: runs(500) },
    );
  });

  test('still tells its number where it is damaged before that', () => {
    const { bytes, start, end } = marked('{"price":1000}', 12);
    const { crc } = checkLine(bytes, start, end) ?? {};
    bytes.write('9', start + 10);
    assert.equal(checkLine(bytes, start, end), null);
    assert.deepEqual(
      [readMark(bytes, start, end)?.line, readMark(bytes, start, end)?.crc],
      [12, crc],
    );
  });

  test('is none without a mark, or with a part of one', () => {
    for (const line of [
      '',
      '}',
      '{}',
      '{"a":1}',
      '{"a":1,"line":1}',
      '{"crc":5}',
      '{"line":1,"crc":}',
      '"crc":1}',
    ]) {
      assert.equal(checkLine(Buffer.from(line), 0, line.length), null, line);
    }
  });
});
