import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { tagScript } from './tag-script.ts';

/** Runs the script of modules given by their paths. */
function run(modules: Readonly<Record<string, string>>): Record<string, unknown> {
  const window: Record<string, unknown> = {};
  const read = (path: string): string => modules[path] ?? assert.fail(`no ${path}`);
  runInNewContext(tagScript(read), { window });
  return window;
}

test('modules become one script, each before what imports it, and leave no global', () => {
  const window = run({
    'tag/main.ts': `import { a } from './a.ts';\nimport type { T } from './types.ts';\nimport {\n  b,\n  type U,\n} from './b.ts';\nconst t: T = a + b();\nwindow.result = t;\n`,
    'tag/a.ts': `/** A sum. */\nimport { b } from './b.ts';\n// Twice.\nexport const a: number = b() + b();\n`,
    'tag/b.ts': `export interface U {}\nexport function b(): number {\n  return 1;\n}\n`,
  });
  assert.deepEqual(window, { result: 3 });
});

test('a name that two modules declare is refused, because they share one scope', () => {
  const modules = {
    'tag/main.ts': `import { b } from './b.ts';\nfunction twice() {}\nb(twice);\n`,
    'tag/b.ts': `function twice() {}\nexport const b = twice;\n`,
  };
  assert.throws(() => run(modules), /main\.ts and tag\/b\.ts both declare twice/);
});

test('the compiler finds no fault in the tag, against what browsers have', () => {
  // The tag has a configuration of its own: no types of Node, those of the DOM.
  const compiler = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname;
  const project = new URL('../../tag', import.meta.url).pathname;
  execFileSync(process.execPath, [compiler, '-p', project], { stdio: 'pipe' });
});

function textOf(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** First cells of the rows of the table under a heading. */
function rowsUnder(heading: string): string[] {
  const [, after = ''] = textOf('docs/reference/tag-js.md').split(`## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return Array.from(section.matchAll(/^\| `([\w-]+)[^|]*`/gm), ([, name = '']) => name);
}

test('the reference has every event, method and option of the tag, and no other', () => {
  const api = textOf('tag/page-api.ts');
  const events = / EventName = ([^;]*);/.exec(api)?.[1]?.match(/\w+/g);
  assert.deepEqual(rowsUnder('Events').toSorted(), events?.toSorted());
  const methods =
    /interface PageApi \{([^]*?)\n\}/.exec(api)?.[1]?.matchAll(/^ {2}(\w+)\(/gm) ?? [];
  assert.deepEqual(
    rowsUnder('Script').toSorted(),
    Array.from(methods, ([, name = '']) => name).toSorted(),
  );
  const [, options = ''] = /interface Definition \{([^]*?)\n\}/.exec(api) ?? [];
  const named = Array.from(options.matchAll(/readonly (\w+)\??:/g), ([, name = '']) => name);
  const documented = Array.from(
    textOf('docs/reference/tag-js.md').matchAll(/^\| `data-rialto[^|]*\| `(\w+)`/gm),
    ([, name = '']) => name,
  );
  assert.deepEqual(documented.concat('element').toSorted(), named.toSorted());
});
