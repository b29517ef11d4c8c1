import assert from 'node:assert/strict';
import { test } from 'node:test';
import { circles } from './circles.ts';

/** The circles of a tree, as lines of a report. */
function circlesOf(tree: Readonly<Record<string, string>>): string[] {
  const files = Object.entries(tree).map(([path, text]) => ({ path, text }));
  return circles(files).map(({ path, line, message }) => `${path}:${line}: ${message}`);
}

const FORMS: Readonly<Record<string, string>> = {
  value: "import { b } from './b.ts';",
  type: "import type { B } from './b.ts';",
  're-export': "export { b } from './b.ts';",
  dynamic: "const b = () => import('./b.ts');",
  'type in place': "type B = import('./b.ts').B;",
};
for (const [name, text] of Object.entries(FORMS)) {
  test(`a circle through an import of a ${name} is refused`, () => {
    const tree = { 'src/x/a.ts': text, 'src/x/b.ts': "\nimport type { A } from './a.ts';" };
    assert.deepEqual(circlesOf(tree), [
      'src/x/b.ts:2: a circle of imports: src/x/a.ts → src/x/b.ts → src/x/a.ts',
    ]);
  });
}

test('a circle of several modules, entered from outside, is told once', () => {
  const tree = {
    'src/main.ts': "import './x/b.ts';",
    'src/x/a.ts': "import './b.ts';",
    'src/x/b.ts': "import '../y/c.ts';",
    'src/y/c.ts': "import '../x/a.ts';",
  };
  assert.deepEqual(circlesOf(tree), [
    'src/x/a.ts:1: a circle of imports: src/x/b.ts → src/y/c.ts → src/x/a.ts → src/x/b.ts',
  ]);
});

test('two ways to one module are no circle', () => {
  const tree = {
    'src/a.ts': "import './b.ts';\nimport './c.ts';",
    'src/b.ts': "import './d.ts';",
    'src/c.ts': "import './d.ts';",
    'src/d.ts': '',
  };
  assert.deepEqual(circlesOf(tree), []);
});
