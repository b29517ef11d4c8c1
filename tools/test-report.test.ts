import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { writeBatches } from './test/batches.ts';

const REPORTER = import.meta.resolve('./test-report.ts');
const IMPORT = "import { test } from 'node:test';\n";

/** Runs these files of tests as `npm test` does, in one batch. */
function run(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
) {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-report-'));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const { modules, remove } = writeBatches([Object.keys(files)], directory);
  t.after(remove);
  // A runner that finds itself in another's test says nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(
    process.execPath,
    ['--test', `--test-reporter=${REPORTER}`, ...flags, ...modules],
    { cwd: directory, env, encoding: 'utf8' },
  );
}

test('tests that pass are a line for each file and a summary', (t) => {
  const { status, stdout } = run(t, {
    'a.test.mjs': `${IMPORT}test('one', () => {});\ntest('two', () => {});\n`,
    'b.test.mjs': `${IMPORT}test('three', () => {});\n`,
  });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^✔ a\.test\.mjs {2}2 of 2/m);
  assert.match(stdout, /^ℹ tests 3\nℹ pass 3\nℹ fail 0\nℹ skipped 0\n/m);
});

test('a failure has its error, what its file wrote, and a command that runs that test alone', (t) => {
  const { status, stdout } = run(t, {
    'a.test.mjs': `${IMPORT}test("it's (bad)", () => {
      console.error('seed 12');
      throw new TypeError('no such bid');
    });\ntest('good', () => {});\n`,
    'b.test.mjs': `${IMPORT}test('still runs', () => {});\n`,
  });
  assert.equal(status, 1);
  assert.match(stdout, /✖ a\.test\.mjs: it's \(bad\)\n {2}TypeError.*no such bid/);
  assert.match(stdout, /a\.test\.mjs and the files beside it wrote:\n {2}seed 12/);
  assert.ok(
    stdout.includes(String.raw`--test-name-pattern='^it'\''s \(bad\)$' a.test.mjs`),
    stdout,
  );
  assert.match(stdout, /✔ b\.test\.mjs {2}1 of 1/);
  assert.match(stdout, /^ℹ fail 1$/m);
});

const LEFT_OUT: Readonly<Record<string, string>> = {
  'a skipped test': `${IMPORT}test('a', { skip: true }, () => {});\n`,
  'a test to do': `${IMPORT}test.todo('a');\n`,
  'a file without a test': 'export {};\n',
  'a file that cannot be loaded': "throw new Error('at load');\n",
};
for (const [what, text] of Object.entries(LEFT_OUT)) {
  test(`${what} fails the run`, (t) => {
    const { status, stdout } = run(t, {
      'a.test.mjs': text,
      'b.test.mjs': `${IMPORT}test('b', () => {});\n`,
    });
    assert.equal(status, 1, stdout);
    assert.match(stdout, /^✖ a\.test\.mjs/m);
  });
}

test('a name that no test has fails the run', (t) => {
  const files = { 'a.test.mjs': `${IMPORT}test('a', () => {});\n` };
  assert.equal(run(t, files, ['--test-name-pattern=^a$']).status, 0);
  assert.equal(run(t, files, ['--test-name-pattern=^b$']).status, 1);
});

test('a process that ends early fails what it had not come to', (t) => {
  const { status, stdout } = run(t, {
    'a.test.mjs': `${IMPORT}test('a', () => {});\n`,
    'b.test.mjs': `${IMPORT}test('b', () => process.exit(0));\n`,
    'c.test.mjs': `${IMPORT}test('c', () => {});\n`,
  });
  assert.equal(status, 1, stdout);
  assert.match(stdout, /^✖ b\.test\.mjs did not come to its end/m);
  assert.match(stdout, /^✖ c\.test\.mjs did not come to its end/m);
});

test('a hook of a file that fails fails the run', (t) => {
  const { status, stdout } = run(t, {
    'a.test.mjs': `import { after, test } from 'node:test';
      after(() => { throw new Error('left open'); });
      test('a', () => {});\n`,
    'b.test.mjs': `${IMPORT}test('b', () => {});\n`,
  });
  assert.equal(status, 1, stdout);
  assert.match(stdout, /✖ a\.test\.mjs: a\.test\.mjs\n.*left open/);
  assert.match(stdout, /^✔ b\.test\.mjs {2}1 of 1/m);
});
