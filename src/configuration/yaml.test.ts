import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { FILE_MAX_BYTES } from './yaml-limits.ts';
import { readYaml } from './yaml.ts';
import { runs } from '../../test/support/effort.ts';
import { anyCharacter } from '../../test/support/any-character.ts';
import { cpuTimer } from '../../test/support/cpu.ts';

function valueOf(text: string): unknown {
  const file = readYaml(text);
  assert.deepEqual(file.problems, []);
  return 'value' in file ? file.value : assert.fail('the file was not read');
}

test('an anchor may be used by any number of aliases', () => {
  const aliases = Array.from({ length: 1_000 }, () => '*t').join(', ');
  const value = valueOf(`first: &t { a: [1, 2] }\nrest: [${aliases}]`);
  assert.deepEqual(value, {
    first: { a: [1, 2] },
    rest: Array.from({ length: 1_000 }, () => ({ a: [1, 2] })),
  });
});

test('a place costs the same at the end of a long list or mapping as at its beginning', () => {
  const count = 20_000;
  const list = readYaml(`a:\n${'- { b: 1 }\n'.repeat(count)}`);
  const keys = Array.from({ length: count }, (_, at) => `  k${at}: 1\n`);
  const mapping = readYaml(`a:\n${keys.join('')}`);
  assert.ok('place' in list && 'place' in mapping);
  const places = (from: number) => {
    const cpuMs = cpuTimer();
    for (let at = from; at < from + 1_000; at += 1) {
      assert.equal(list.place({ path: ['a', at, 'b'], message: '' }).line, at + 2);
      assert.equal(mapping.place({ path: ['a', `k${at}`], message: '' }).line, at + 2);
    }
    return cpuMs();
  };
  places(0);
  const [first, last] = [places(1_000), places(count - 1_000)];
  assert.ok(last < first * 10 + 20, `${last} ms of CPU at the end, ${first} at the beginning`);
});

test('directives that would change what a text means are refused where they stand', () => {
  for (const [text, line, message] of [
    ['%YAML 1.1\n---\na: yes', 1, /YAML 1\.2/],
    ['# of old\n%YAML 1.3\n---\na: 1', 2, /YAML 1\.2/],
    ['# %TAG\n%YAML 1.2\n%TAG ! tag:yaml.org,2002:\n---\na: !str 1', 3, /%TAG/],
    ['\n  \n%TAG !e! tag:example.com,2000:\n---\na: 1', 3, /%TAG/],
    ['\ufeff%TAG\t!e! tag:example.com,2000:\r\n---\r\na: 1', 1, /%TAG/],
  ] as const) {
    const file = readYaml(text);
    assert.ok(!('value' in file), text);
    assert.deepEqual(
      file.problems.map((problem) => problem.line),
      [line],
      text,
    );
    assert.match(file.problems[0]?.message ?? '', message);
  }
  assert.deepEqual(valueOf('%YAML 1.2\n---\na: 1'), { a: 1 });
  assert.deepEqual(valueOf('a: "%YAML 1.1"\nb: |\n  %TAG ! x\n'), {
    a: '%YAML 1.1',
    b: '%TAG ! x\n',
  });
});

test('"__proto__" is a key like any other', () => {
  const value = valueOf('__proto__: { polluted: true }');
  assert.ok(typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'));
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('a place is where the key stands, through aliases too, or what would hold it', () => {
  const file = readYaml('a: &x\n  b: 1\nc: *x\nd:\n  - e: 2\n  - f: 3\n');
  assert.ok('place' in file);
  const lineOf = (...path: (string | number)[]): number => file.place({ path, message: '' }).line;
  assert.equal(lineOf('a', 'b'), 2);
  assert.equal(lineOf('c', 'b'), 2);
  assert.equal(lineOf('d', 1), 6);
  assert.equal(lineOf('d', 1, 'f'), 6);
  assert.equal(lineOf('d', 1, 'missing'), 6);
  assert.equal(lineOf('d', 9), 4);
  assert.equal(lineOf('missing', 3), 1);
  assert.equal(lineOf(), 1);
  assert.deepEqual(file.place({ path: ['d', 1, 'f'], message: 'm' }), {
    path: 'd[1].f',
    pointer: '/d/1/f',
    line: 6,
    column: 5,
    message: 'm',
  });
});

const BROKEN: readonly [text: string, line: number, message: RegExp][] = [
  ['a: 1\n\tb: 2', 2, /Indent with spaces/],
  ['a: 1\nb: "open', 2, /A character is missing/],
  ['a: [1, 2', 1, /A character is missing|indented/],
  ['a: 1\n  b: 2', 1, /indent the next line as this one/],
  ['a: b: c', 1, /holds another "key:"; put it in quotes/],
  ['password: @home', 1, /must stand in quotes/],
  ['password: !hunter2', 1, /text that starts with ! in quotes/],
  ['password: %a\n%b', 1, /quotes|% directive/],
  ['a: 1\n---\nb: 2', 2, /second document/],
  ['{[a]: 1}', 1, /A key must be a text/],
  ['a: "\\q"', 1, /escape is unknown/],
];

for (const [text, line, message] of BROKEN) {
  test(`broken YAML is told by its line and without quoting it: ${JSON.stringify(text)}`, () => {
    const file = readYaml(text);
    assert.ok(!('value' in file));
    const [problem] = file.problems;
    assert.ok(problem !== undefined);
    assert.equal(problem.line, line);
    assert.match(problem.message, message);
    assert.doesNotMatch(JSON.stringify(file.problems), /hunter2|home/);
  });
}

test('what one key says twice is told, and the rest is read', () => {
  const file = readYaml('a: 1\nb: 2\na: 3');
  assert.deepEqual(file.problems, [
    { path: 'a', pointer: '/a', line: 3, column: 1, message: 'stands here a second time' },
  ]);
  assert.ok('value' in file);
  assert.deepEqual(file.value, { a: 1, b: 2 });
});

test('an alias without an anchor, or of what it stands in, is told', () => {
  for (const text of ['a: *missing', 'a: &x [*x]', 'a: &x { b: *x }']) {
    const [problem] = readYaml(text).problems;
    assert.match(problem?.message ?? '', /an alias without an anchor before it/, text);
  }
});

test('text that no store could give back is told', () => {
  for (const text of ['a: "x\\0y"', 'a: "\\uD800"', '"\\0": 1']) {
    const [problem] = readYaml(text).problems;
    assert.match(problem?.message ?? '', /a character that is not valid in a text/, text);
  }
});

test('an alias bomb is refused before it takes memory or time', () => {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const items = level === 0 ? '"lol"' : `*l${level - 1}`;
    return `l${level}: &l${level} [${Array.from({ length: 10 }, () => items).join(', ')}]`;
  });
  const cpuMs = cpuTimer();
  const { problems } = readYaml(levels.join('\n'));
  assert.match(problems[0]?.message ?? '', /more than 1000000 values/);
  assert.equal(problems.length, 1);
  assert.ok(cpuMs() < 1_000);
});

test('a file that is too large or too deep is refused', () => {
  const large = readYaml(`a: ${'x'.repeat(FILE_MAX_BYTES)}`);
  assert.match(large.problems[0]?.message ?? '', /the most that is read is 4194304/);
  const deep = readYaml(`${'['.repeat(40)}${']'.repeat(40)}`);
  assert.match(deep.problems[0]?.message ?? '', /nested more than 32 deep/);
});

test('every kind of nesting is read to 32 levels, and refused beyond before it takes time', () => {
  const block = (levels: number): string =>
    Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
  for (const nested of [
    (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`,
    (levels: number) => `${'{a: '.repeat(levels)}1${'}'.repeat(levels)}`,
    (levels: number) => '- '.repeat(levels),
    (levels: number) => `${'[{"a": '.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`,
    block,
  ]) {
    valueOf(nested(32));
    for (const levels of [34, 40, 1_000]) {
      const { problems } = readYaml(nested(levels));
      assert.match(problems[0]?.message ?? '', /nested more than 32 deep/, nested(2));
      assert.equal(problems.length, 1);
    }
  }
  // As many as a file may have, of which each alone took the library half a minute.
  for (const piece of ['[', '{a: ', '- ', '? ', '&a [', '!t [']) {
    const { problems } = readYaml(piece.repeat(FILE_MAX_BYTES / piece.length));
    assert.match(problems[0]?.message ?? '', /nested more than 32 deep/, piece);
  }
});

test('a second document is refused where it begins', () => {
  const { problems } = readYaml('a: 1\n---\nb: 2\n---\nc: 3\n');
  assert.equal(problems.length, 1);
  assert.match(problems[0]?.message ?? '', /A second document starts here/);
});

test('many keys in one mapping take time in step with their number', () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n');
  const cpuMs = cpuTimer();
  valueOf(text);
  assert.ok(cpuMs() < 3_000);
});

const PIECES = [
  'a: ',
  '- ',
  '\n',
  '  ',
  '{',
  '}',
  '[',
  ']',
  ',',
  ': ',
  '&x ',
  '*x',
  '!t ',
  '"',
  "'",
  '#',
  '|',
  '>',
  '? ',
  '---\n',
  '\t',
  '1',
  'null',
  '\\',
  '%',
  '\ufeff',
  '\r',
  '\u0000',
  '<<: ',
];

test('any text gives a value or problems with a place in it', () => {
  const piece = fc.constantFrom(...PIECES);
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(text, (input) => {
      const file = readYaml(input);
      for (const problem of file.problems) {
        assert.ok(problem.line >= 1 && problem.column >= 1 && problem.message !== '');
      }
      assert.ok('value' in file || file.problems.length > 0);
    }),
    { numRuns: runs(100) },
  );
});

const WORDS = `1 -0 +12 017 0o17 0x1F 1_000 0b11 1. .5 -.inf .NaN 1e3 12345678901234567890 ~ null Null nULL true
  TRUE yes on 2026-01-01 = << a#b -x :x ?x "\\x41\\n"`;
const SCALARS = [...WORDS.split(/\s+/), '"a: b"', "'it''s'", '!!str 1', '!!int "3"', 'a b'];

test('a parser that was written by others reads the same values', () => {
  const scalar = fc.constantFrom(...SCALARS);
  const line = fc.tuple(fc.nat(3), fc.constantFrom('', '- ', 'k: ', 'k:', '- j: ', '? '), scalar);
  const block = fc
    .array(line, { maxLength: 8 })
    .map((lines) => lines.map(([by, start, end]) => `${'  '.repeat(by)}${start}${end}`).join('\n'));
  const flow = fc
    .array(scalar, { maxLength: 6 })
    .map(
      (items) => `[${items.join(', ')}, { ${items.map((item) => `${item}: ${item}`).join(', ')} }]`,
    );
  // Which of the two is right about a line that ends in a carriage return alone is known: it is this one.
  const pieces = fc.array(
    fc.constantFrom(...PIECES.filter((piece) => piece !== '\r'), ...SCALARS),
    { maxLength: 20 },
  );
  const text = fc.oneof(
    block,
    flow,
    scalar,
    pieces.map((all) => all.join('')),
  );
  let compared = 0;
  fc.assert(
    fc.property(text, (input) => {
      // An indented marker is a text to the other parser and a marker to this one, and so is a byte order
      // mark after the beginning to one and nothing to the other.
      fc.pre(!/^[ \t]+---/m.test(input) && !input.slice(1).includes('\uFEFF'));
      const file = readYaml(input);
      const options = { uniqueKeys: false, stringKeys: true, resolveKnownTags: false } as const;
      const document = parseDocument(input, { ...options, logLevel: 'silent' });
      const isSound = document.errors.length === 0 && document.warnings.length === 0;
      if (!('value' in file) || file.problems.length > 0 || !isSound) return;
      compared += 1;
      assert.deepEqual(file.value, document.toJS(), input);
    }),
    { numRuns: runs(1_000) },
  );
  assert.ok(compared > 200);
});
