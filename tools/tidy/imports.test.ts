import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importsOf } from './imports.ts';

/** The modules that a text names; type-only ones carry the word. */
function named(text: string): (string | undefined)[] {
  return importsOf({ path: 'src/base/a.ts', text }).map(({ specifier, typeOnly }) =>
    typeOnly ? `type ${String(specifier)}` : specifier,
  );
}

test('every form that names a module is found, with its line', () => {
  const text = [
    `import './a.ts';`,
    `import b from "./b.ts";`,
    `import * as c from './c.ts'`,
    `import {\n  d,\n  e,\n} from './d.ts';`,
    `export { f } from './f.ts';`,
    `export * from './g.ts';`,
    `const h = await import('./h.ts');`,
    `const i = import(\n  './i.ts',\n);`,
    `type J = typeof import('./j.ts');`,
    `const k = require('./k.ts');`,
    `import l from './l.json' with { type: 'json' };`,
    'const m = import(`./m.ts`);',
  ].join('\n');
  const found = importsOf({ path: 'src/base/a.ts', text });
  assert.deepEqual(
    found.map(({ specifier }) => specifier),
    'abcdfghijk'
      .split('')
      .map((name) => `./${name}.ts`)
      .concat('./l.json', './m.ts'),
  );
  assert.deepEqual(
    found.map(({ line }) => line),
    [1, 2, 3, 7, 8, 9, 10, 12, 14, 15, 16, 17],
  );
});

test('an import or re-export of types alone is told from one that loads the module', () => {
  assert.deepEqual(named(`import type { A } from 'a'; export type { B } from 'b';`), [
    'type a',
    'type b',
  ]);
  assert.deepEqual(named(`import type A from 'a'; import type * as B from 'b';`), [
    'type a',
    'type b',
  ]);
  assert.deepEqual(named(`import { type A } from 'a'; import type, { B } from 'b';`), ['a', 'b']);
  assert.deepEqual(named(`import type from 'a';`), ['a']);
});

test('comments, strings and methods of the same name are no imports', () => {
  assert.deepEqual(named(`// import './a.ts';\n/* from 'b' */ const c = "import './d.ts'";`), []);
  assert.deepEqual(named(`Array.from('abc'); loader.import('./a.ts'); import.meta.main;`), []);
});

test('a computed specifier is found and has no name', () => {
  assert.deepEqual(named('await import(name); await import("./a" + b); import(`./${c}.ts`);'), [
    undefined,
    undefined,
    undefined,
  ]);
});
