import assert from 'node:assert/strict';
import { test } from 'node:test';
import { names } from './names.ts';

const REFUSED: readonly [path: string, fault: RegExp][] = [
  ['src/edge/utils.ts', /"utils" says nothing/],
  ['src/edge/helpers/a.ts', /"helpers" says nothing/],
  ['src/common/a.ts', /"common" says nothing/],
  ['test/test-helpers.ts', /"helpers" says nothing/],
  ['sim/string-utils.ts', /"utils" says nothing/],
  ['src/edge/index.ts', /a barrel/],
  ['sim/index.ts', /a barrel/],
  ['src/edge/AdSpace.ts', /"AdSpace.ts" is not in kebab-case/],
  ['src/edge/ad_space.ts', /not in kebab-case/],
  ['src/lineItems/a.ts', /"lineItems" is not in kebab-case/],
  ['docs/How To.md', /not in kebab-case/],
  ['src/edge/a.js', /TypeScript/],
  ['tools/a.mjs', /TypeScript/],
  ['console/src/common/a.ts', /"common" says nothing/],
  ['console/src/SignIn.tsx', /"SignIn.tsx" is not in kebab-case/],
  ['console/src/index.tsx', /a barrel/],
  ['console/src/a.jsx', /TypeScript/],
  ['src/a/b/c/d/e.ts', /4 folders below src/],
];

for (const [path, fault] of REFUSED) {
  test(`the name ${path} is refused`, () => {
    const faults = names([{ path, text: '' }]);
    assert.equal(faults.length, 1);
    assert.match(faults[0]?.message ?? '', fault);
  });
}

test('names that say what they are pass', () => {
  const paths = [
    'src/openrtb/index.ts',
    'src/base/utils.ts',
    'src/management/line-items/schema.test.ts',
    'src/adapters/sqlite/migrations/0001-partners.ts',
    'docs/decisions/0001-record-decisions.md',
    'sim/README.md',
    'console/src/app.tsx',
    'console/vite.config.ts',
    'console/index.html',
    'test/auctions/exemplary/second-price.json',
    'bin/rialto.js',
    'CONTRIBUTING.md',
    'src/base/.gitkeep',
  ];
  assert.deepEqual(names(paths.map((path) => ({ path, text: '' }))), []);
});

test('decisions and the files of the schema are numbered without holes', () => {
  const paths = ['sql/0001-a.sql', 'sql/0002-b.sql', 'docs/decisions/0001-a.md'];
  const faultsOf = (...more: string[]) =>
    names([...paths, ...more].map((path) => ({ path, text: '' }))).map(({ message }) => message);
  assert.deepEqual(faultsOf(), []);
  assert.deepEqual(faultsOf('sql/0004-d.sql'), ['numbered 0004, where 0003 comes next']);
  assert.deepEqual(faultsOf('docs/decisions/0001-b.md'), ['numbered 0001, where 0002 comes next']);
});
