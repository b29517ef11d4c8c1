import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HeaderV1 } from '@iabgpp/cmpapi';
import { runs } from '../../test/support/effort.ts';
import { GPP_LENGTH_MAX, readGppString } from './gpp-string.ts';

test("the specification's own examples are read", () => {
  const consent = 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA';
  assert.deepEqual(readGppString(`DBABMA~${consent}`), new Map([[2, consent]]));
  assert.deepEqual(
    readGppString(`DBACNYA~${consent}~1YNN`),
    new Map([
      [2, consent],
      [6, '1YNN'],
    ]),
  );
});

test('any sections are found under their ids, as the IAB writes the header', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(ids, (unsorted) => {
      const sorted = unsorted.toSorted((one, other) => one - other);
      const header = new HeaderV1();
      header.setFieldValue('SectionIds', [...sorted]);
      const text = [header.encode(), ...sorted.map((id) => `S${id}`)].join('~');
      assert.deepEqual(readGppString(text), new Map(sorted.map((id) => [id, `S${id}`])));
    }),
    { numRuns: runs(300) },
  );
});

test('a string that is cut off, damaged, too long or of another kind is unreadable', () => {
  const one = 'DBABMA~CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA';
  for (const text of [
    '',
    '~',
    'D',
    'DBAB',
    'DBABMA',
    'DBABMA~a~b',
    'DBAB%A~a',
    'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA',
    `${one}${'A'.repeat(GPP_LENGTH_MAX)}`,
    `DBABMA${'~a'.repeat(200)}`,
  ]) {
    assert.equal(readGppString(text), null, text.slice(0, 60));
  }
});

/** Its type, version, and one entry. */
const HEADER = '000011000001000000000001';

test('an id of any size is refused before anything is made of it', () => {
  // A header of one number in Fibonacci coding: its ones stand after so many zeros.
  for (let zeros = 0; zeros < 2_000; zeros = zeros < 100 ? zeros + 1 : zeros * 2) {
    for (const isRange of ['0', '1']) {
      const number = `${'0'.repeat(zeros)}11`;
      const bits = `${HEADER}${isRange}${number}${isRange === '1' ? number : ''}`;
      const read = readGppString(`${base64url(bits)}~B`);
      // 2 is the second Fibonacci number, 2,584 the seventeenth.
      assert.equal(read !== null, isRange === '0' && zeros < 17, `${zeros} zeros, ${isRange}`);
    }
  }
});

function base64url(bits: string): string {
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const padded = bits.padEnd(Math.ceil(bits.length / 6) * 6, '0');
  return padded.replaceAll(/.{6}/g, (six) => characters.charAt(Number.parseInt(six, 2)));
}

test('for any text: it is read or it is not, within the time that its length takes', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('A', 'B', 'D', 'M', 'w', 'z', '_', '-', '~'),
        maxLength: 200,
      }),
      (text) => {
        const read = readGppString(`DB${text}`);
        assert.ok(read === null || read.size === text.split('~').length - 1);
      },
    ),
    { numRuns: runs(2_000) },
  );
});
