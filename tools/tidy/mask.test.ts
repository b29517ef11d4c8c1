import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mask } from './mask.ts';

test('comments are blanked in the code and alone remain in the comments', () => {
  const { code, comments } = mask('a(); // why\n/* two\nlines */ b();');
  assert.equal(code, 'a();       \n      \n         b();');
  assert.equal(comments, '     // why\n/* two\nlines */     ');
});

test('the insides of strings are blanked, their quotes stay', () => {
  assert.equal(mask(`f('it\\'s', "x // y");`).code, `f('     ', "      ");`);
});

test('code inside a template stays, its text goes, at any depth of nesting', () => {
  const { code } = mask('`a ${b({ c: `d${e}f` })} g` + h');
  assert.equal(code, '`  ${b({ c: ` ${e} ` })}  ` + h');
});

test('a regular expression is a literal and a division is not', () => {
  assert.equal(mask(`x.test(/'[/"]/g); a = b / c; // d`).code, 'x.test(/     /g); a = b / c;     ');
  assert.equal(mask('return /`/;').code, 'return / /;');
  assert.equal(mask('(a + b) / 2 / c').code, '(a + b) / 2 / c');
});

for (const text of [
  "const a = 'open;\n",
  'const a = `open ${b',
  'ok();\n/* open',
  'f("',
  '`${{}',
]) {
  test(`what never ends is reported, not passed over: ${JSON.stringify(text)}`, () => {
    assert.notEqual(mask(text).unterminatedAt, undefined);
  });
}

test('code and comments keep the length and the line breaks of any text', () => {
  const pieces = [
    '`',
    '${',
    '}',
    '{',
    "'",
    '"',
    '/',
    '*',
    '\\',
    '\n',
    'a',
    ' ',
    '(',
    ')',
    '[',
    '😀',
  ];
  const text = fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join(''));
  const breaks = (of: string): string => of.replaceAll(/[^\n]/g, '');
  fc.assert(
    fc.property(text, (source) => {
      const { code, comments } = mask(source);
      assert.equal(code.length, source.length);
      assert.equal(comments.length, source.length);
      assert.equal(breaks(code), breaks(source));
      assert.equal(breaks(comments), breaks(source));
    }),
    { numRuns: 2000 },
  );
});

test('any string, whatever it holds, hides nothing that follows it', () => {
  fc.assert(
    fc.property(fc.string(), (inside) => {
      const { code, unterminatedAt } = mask(`const a = ${JSON.stringify(inside)}; seen();`);
      assert.equal(unterminatedAt, undefined);
      assert.ok(code.endsWith('; seen();'));
    }),
  );
});
