import assert from 'node:assert/strict';
import { test } from 'node:test';
import { words } from './words.ts';

const REFUSED: readonly [path: string, text: string, fault: RegExp][] = [
  ['src/edge/a.ts', 'a();\n// TODO: later', /^TODO: /],
  ['src/edge/a.ts', 'a();\n/* FIXME */', /^FIXME: /],
  ['bin/a.js', 'a();\n// XXX', /^XXX: /],
  ['docs/a.md', '# A\nThis is a HACK.', /^HACK: /],
  ['sql/a.sql', 'SELECT 1;\n-- TODO', /^TODO: /],
  ['examples/a.yaml', 'a: 1\n# TODO', /^TODO: /],
  ['src/edge/a.test.ts', `\ntest.only('x', () => {});`, /"\.only\("/],
  ['src/edge/a.test.ts', `\ntest('x', (t) => { t.skip(); });`, /"\.skip\("/],
  ['src/edge/a.test.ts', `\ndescribe.skip('x', () => {});`, /"\.skip\("/],
  ['src/edge/a.test.ts', `\nit.todo('x');`, /"\.todo\("/],
  ['src/edge/a.test.ts', `\ntest('x', { skip: true }, run);`, /"skip:"/],
  ['src/edge/a.test.ts', '\ntest(`x ${y}`, { timeout: 9, skip: !here }, run);', /"skip:"/],
  ['src/edge/a.test.ts', '\ntest({ only: true }, run);', /"only:"/],
  ['src/edge/a.test.ts', `\ntest('x', { todo: 'later' }, run);`, /"todo:"/],
  ['test/suite.ts', `import { test } from 'node:test';\ntest.only('x', run);`, /"\.only\("/],
  ['src/edge/a.ts', `a();\nconst b = 'open;`, /this literal never ends/],
];

for (const [path, text, fault] of REFUSED) {
  test(`${path} may not hold: ${JSON.stringify(text)}`, () => {
    const faults = words([{ path, text }]);
    assert.equal(faults.length, 1);
    assert.equal(faults[0]?.line, 2);
    assert.match(faults[0].message, fault);
  });
}

test('the same words in code, strings and examples are no marks', () => {
  const files = [
    { path: 'src/edge/a.ts', text: `const TODO = 'FIXME'; // A todo list, hacked.` },
    { path: 'docs/a.md', text: 'Write no `TODO`:\n\n```ts\n// TODO\n```\n' },
    { path: 'src/edge/b.ts', text: `reader.skip(4); const options = { only: true };` },
    {
      path: 'src/edge/c.test.ts',
      text: `test('x', () => { bid({ video: { ...video, skip: 1 } }, { todo: [] }); });`,
    },
    { path: 'src/edge/b.test.ts', text: `// test.only\ntest('t.skip()', { skip: false }, run);` },
  ];
  assert.deepEqual(words(files), []);
});
