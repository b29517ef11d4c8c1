import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layering } from './layering.ts';
import { LAYERS } from './layers.ts';

/** The faults of one module with this text. */
function faultsOf(path: string, text: string): string[] {
  return layering([
    { path, text },
    { path: 'src/main.ts', text: '' },
  ]).map((violation) => `${violation.path}:${String(violation.line)}: ${violation.message}`);
}

/** Planted violations: the module, what it says, and what the fault must name. */
const FORBIDDEN: readonly [path: string, text: string, fault: RegExp][] = [
  // Upwards.
  ['src/base/a.ts', `import { b } from '../openrtb/b.ts';`, /src\/base \(base\) may not import/],
  ['src/auction/a.ts', `import '../exchange/b.ts';`, /\(pure\) .* \(work with state\)/],
  ['src/exchange/a.ts', `import '../edge/b.ts';`, /may not import src\/edge \(doors\)/],
  ['src/edge/a.ts', `import '../roles/exchange.ts';`, /may not import src\/roles/],
  ['src/roles/a.ts', `import '../cli/b.ts';`, /may not import src\/cli/],
  ['src/roles/a.ts', `import '../commands/b.ts';`, /may not import src\/commands/],
  ['src/cli/a.ts', `import '../main.ts';`, /may not import src\/main/],
  // Sideways.
  ['src/edge/a.ts', `import '../tracker/b.ts';`, /may not import src\/tracker/],
  ['src/adapters/sqlite/a.ts', `import '../chdb/b.ts';`, /may not import src\/adapters\/chdb/],
  ['src/adapters/sqlite.ts', `import './shared.ts';`, /may not import src\/adapters\/shared/],
  ['src/adapters/sqlite.ts', `import './chdb.ts';`, /may not import src\/adapters\/chdb/],
  ['src/exchange/a.ts', `import '../courier/b.ts';`, /may not import src\/courier/],
  ['src/limits/a.ts', `import '../journal/b.ts';`, /may not import src\/journal/],
  ['src/auction/a.ts', `import '../privacy/b.ts';`, /may not import src\/privacy/],
  ['src/settings/a.ts', `import '../openrtb/b.ts';`, /may not import src\/openrtb/],
  // Reserved folders, though they stand below.
  [
    'src/edge/a.ts',
    `import '../adapters/sqlite/b.ts';`,
    /only src\/roles and src\/commands may import/,
  ],
  [
    'src/cli/a.ts',
    `import '../adapters/sqlite/b.ts';`,
    /only src\/roles and src\/commands may import/,
  ],
  [
    'src/main.ts',
    `import './settings/b.ts';`,
    /only src\/roles and src\/commands and src\/cli may import src\/settings/,
  ],
  [
    'src/exchange/a.ts',
    `import '../settings/b.ts';`,
    /only src\/roles and src\/commands and src\/cli/,
  ],
  // The wire types stay free of everything else.
  ['src/openrtb/a.ts', `import '../base/errors.ts';`, /only typebox and src\/base\/json.ts/],
  ['src/openrtb/a.ts', `import 'undici';`, /not undici/],
  ['src/openrtb/a.ts', `import 'typebox-extra';`, /not typebox-extra/],
  ['src/openrtb/a.ts', `import 'node:fs';`, /not node:fs/],
  // Every form counts.
  ['src/base/a.ts', `import type { B } from '../events/b.ts';`, /may not import src\/events/],
  ['src/base/a.ts', `export { b } from '../events/b.ts';`, /may not import src\/events/],
  ['src/base/a.ts', `export * from '../events/b.ts';`, /may not import src\/events/],
  ['src/base/a.ts', `await import('../events/b.ts');`, /may not import src\/events/],
  ['src/base/a.ts', `type B = import('../events/b.ts').B;`, /may not import src\/events/],
  ['src/base/a.test.ts', `import '../events/b.ts';`, /may not import src\/events/],
  ['src/base/a.ts', `await import(name);`, /computed import/],
  ['src/base/a.ts', `import '#events';`, /by its relative path/],
  // Out of the tree, and into it.
  ['src/cli/a.ts', `import '../../sim/main.ts';`, /stands outside src/],
  ['src/cli/a.ts', `import '../../test/b.ts';`, /stands outside src/],
  ['src/cli/a.ts', `import '../../sim/demo/feed.ts';`, /stands outside src/],
  ['src/roles/a.ts', `import '../../sim/demo/demo.ts';`, /stands outside src/],
  ['sim/a.ts', `import '../src/base/money.ts';`, /types of src\/openrtb, not src\/base\/money.ts/],
  ['sim/a.ts', `import { B } from '../src/openrtb/b.ts';`, /write "import type"/],
  ['tag/a.ts', `import type { B } from '../src/openrtb/b.ts';`, /nothing but itself/],
  ['tag/a.ts', `import { once } from 'node:events';`, /nothing but itself/],
  [
    'console/src/a.ts',
    `import type { B } from '../../src/base/b.ts';`,
    /types of both, of src\/reporting and of schema files/,
  ],
  ['console/src/a.ts', `import { LISTS } from '../../src/openrtb/imp.ts';`, /write "import type"/],
  [
    'console/src/a.ts',
    `import type { B } from '../../src/settings/schema.ts';`,
    /not src\/settings/,
  ],
  ['console/src/a.ts', `import type { B } from '../../tools/b.ts';`, /not tools\/b.ts/],
  ['console/src/a.ts', `import { b } from '../../test/b.ts';`, /not test\/b.ts/],
  ['console/src/a.ts', `import { join } from 'node:path';`, /no module of browsers/],
  ['console/src/a.tsx', `import { B } from '../../src/management/b/schema.ts';`, /import type/],
  // Folders that nobody placed.
  ['src/rooms/a.ts', ``, /src\/rooms\/a.ts:1: no place in the layers/],
  ['src/stray.ts', ``, /no place in the layers/],
  ['src/base.ts', ``, /no place in the layers/],
  ['scripts/a.ts', ``, /no place in the layers/],
  ['src/roles/a.ts', `import '../rooms/b.ts';`, /src\/rooms\/b.ts has no place/],
];

for (const [path, text, fault] of FORBIDDEN) {
  test(`${path} is refused: ${text === '' ? 'no layer' : text}`, () => {
    const faults = faultsOf(path, text);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0] ?? '', fault);
  });
}

const ALLOWED: readonly [path: string, text: string][] = [
  ['src/main.ts', `await import('./roles/exchange.ts'); await import('./cli/start.ts');`],
  ['src/cli/start.ts', `import '../settings/a.ts'; import '../roles/supervisor.ts';`],
  ['src/cli/start.ts', `import manifest from '../../package.json' with { type: 'json' };`],
  ['src/roles/control.ts', `await import('../adapters/sqlite/a.ts'); import '../settings/a.ts';`],
  ['src/commands/a.ts', `import '../roles/b.ts'; import '../adapters/chdb.ts';`],
  ['src/cli/program.ts', `await import('../../sim/demo/demo.ts');`],
  ['sim/demo/demo.ts', `import '../../src/roles/b.ts'; import '../main.ts';`],
  ['src/edge/a.ts', `import '../exchange/b.ts'; import '../auction/b.ts'; import './c.ts';`],
  ['src/management/line-items/routes.ts', `import '../partners/schema.ts';`],
  ['src/adapters/sqlite/a.ts', `import './b.ts'; import '../../configuration/c.ts';`],
  [
    'src/adapters/bidder-http-call.ts',
    `import './bidder-http-body.ts'; import './bidder-http.ts';`,
  ],
  ['src/adapters/sqlite.test.ts', `import './sqlite.ts'; import './sqlite/a.ts';`],
  ['src/exchange/a.ts', `import '../journal/b.ts'; import '../enrich/b.ts';`],
  ['src/openrtb/a.ts', `import '../base/problem.ts'; import { Compile } from 'typebox/compile';`],
  ['src/openrtb/a.test.ts', `import 'node:test'; import 'fast-check'; import './a.ts';`],
  ['src/edge/a.test.ts', `import { request } from '../../test/fixtures/request.ts';`],
  ['src/base/a.ts', `import 'node:fs'; // import '../edge/b.ts';`],
  ['sim/a.ts', `import type { B } from '../src/openrtb/b.ts'; import 'undici'; import './c.ts';`],
  ['tag/a.ts', `import { b } from './b.ts';`],
  ['console/src/a.tsx', `import type { B } from '../../src/management/b/schema.ts';`],
  ['console/src/a.tsx', `import type { B } from '../../src/reporting/b.ts'; import 'react';`],
  ['console/src/a.tsx', `import { LISTS } from '../../src/openrtb/lists.ts'; import './b.tsx';`],
  ['console/src/a.test.ts', `import 'node:test'; import { b } from '../../test/support/b.ts';`],
  ['console/vite.config.ts', `import { join } from 'node:path';`],
  ['test/a.test.ts', `import '../src/adapters/sqlite/a.ts'; await import(name);`],
  ['bench/a.ts', `import '../src/edge/a.ts';`],
  ['tools/a.ts', `import '../src/base/errors.ts';`],
];

for (const [path, text] of ALLOWED) {
  test(`${path} may say: ${text}`, () => {
    assert.deepEqual(faultsOf(path, text), []);
  });
}

test('a fault names the line of the import', () => {
  const text = `import './b.ts';\nimport {\n  c,\n} from '../edge/c.ts';\n`;
  assert.match(faultsOf('src/base/a.ts', text).join('\n'), /^src\/base\/a\.ts:4: /);
});

test('a tree without a module is refused', () => {
  const expected = [
    { path: 'src', line: 1, message: 'no module was read, so no layer was checked' },
  ];
  assert.deepEqual(layering([]), expected);
  assert.deepEqual(layering([{ path: 'README.md', text: '' }]), expected);
  assert.deepEqual(layering([{ path: 'tools/a.ts', text: '' }]), expected);
});

test('no folder stands in two layers', () => {
  const folders = LAYERS.flatMap((layer) => layer.folders);
  assert.equal(new Set(folders).size, folders.length);
});
