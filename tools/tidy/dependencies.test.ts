import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dependencies } from './dependencies.ts';

/** The faults of a package with these dependencies, beside one decision on `pino` and `node-x`. */
function faultsOf(manifest: object): string[] {
  return dependencies([
    { path: 'package.json', text: JSON.stringify(manifest, null, 2) },
    {
      path: 'docs/decisions/0001-logs.md',
      text: 'We take `pino`, `node-x` and `@types/a`.\n\n**Rejected.**\n\n- `winston`\n',
    },
    { path: 'docs/guide.md', text: 'See `undici`.' },
  ]).map(({ path, line, message }) => `${path}:${String(line)}: ${message}`);
}

test('a dependency without a reason in docs/decisions is refused in every section', () => {
  for (const section of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    assert.deepEqual(faultsOf({ name: 'a', [section]: { pino: '1.0.0', undici: '1.0.0' } }), [
      'package.json:5: undici has no reason: name it in backticks in a file of docs/decisions/',
    ]);
  }
});

test('packages of the console are held to the same as those of the root', () => {
  const text = JSON.stringify({ devDependencies: { vite: '^8.0.0' } }, null, 2);
  const found = dependencies([{ path: 'console/package.json', text }]);
  assert.deepEqual(
    found.map(({ path, line, message }) => `${path}:${String(line)}: ${message}`),
    [
      'console/package.json:3: "^8.0.0" is not one exact version: pin vite',
      'console/package.json:3: vite has no reason: name it in backticks in a file of docs/decisions/',
    ],
  );
});

test('a package that a decision rejected is refused', () => {
  assert.match(faultsOf({ dependencies: { winston: '1.0.0' } }).join(), /winston has no reason/);
});

test('an alias needs a reason under both of its names', () => {
  const alias = { optionalDependencies: { 'node-x': 'npm:node-bin-x@26.0.0' } };
  assert.match(faultsOf(alias).join('\n'), /^package\.json:3: node-bin-x has no reason/);
});

for (const version of [
  '^1.0.0',
  '~1.0.0',
  '1',
  '1.x',
  '>=1.0.0',
  'latest',
  '*',
  'file:../a',
  'npm:pino@^1.0.0',
]) {
  test(`the version ${version} is refused as not exact`, () => {
    assert.match(faultsOf({ dependencies: { pino: version } })[0] ?? '', /not one exact version/);
  });
}

test('exact versions with a reason pass', () => {
  assert.deepEqual(
    faultsOf({
      dependencies: { pino: '2.3.2026061719', '@types/a': '1.0.0-rc.1' },
      optionalDependencies: { 'node-x': 'npm:pino@26.0.0' },
    }),
    [],
  );
});

const VERIFIED = { integrity: 'sha512-AAAA' };

test('a package that runs a script when it is installed is refused', () => {
  const packages = {
    'node_modules/a': { version: '1.0.0', ...VERIFIED },
    'node_modules/b': { hasInstallScript: true, ...VERIFIED },
  };
  const text = JSON.stringify({ packages }, null, 2);
  assert.deepEqual(dependencies([{ path: 'package-lock.json', text }]), [
    {
      path: 'package-lock.json',
      line: 7,
      message: 'node_modules/b runs a script when it is installed: no dependency may',
    },
  ]);
});

test('an install script that does nothing passes in the version that was read, and in no other', () => {
  const faults = (version: string): number => {
    const packages = { 'node_modules/chdb': { version, hasInstallScript: true, ...VERIFIED } };
    return dependencies([{ path: 'package-lock.json', text: JSON.stringify({ packages }) }]).length;
  };
  assert.deepEqual(['3.4.0', '3.4.1'].map(faults), [0, 1]);
});

test('a package of the lock file without a hash of its contents is refused; what is of this tree needs none', () => {
  const packages = {
    '': { version: '0.1.0' },
    console: { name: '@rialto/console' },
    'node_modules/@rialto/console': { resolved: 'console', link: true },
    'node_modules/a': { version: '1.0.0', ...VERIFIED },
    'node_modules/a/node_modules/b': { version: '1.0.0' },
    'node_modules/c': { version: '1.0.0', integrity: 'sha1-AAAA' },
    'node_modules/@chdb/lib-darwin-x64': { version: '26.7.3-stable.1' },
    'node_modules/@chdb/lib-darwin-arm64': { version: '26.7.4' },
  };
  const text = JSON.stringify({ packages }, null, 2);
  assert.deepEqual(
    dependencies([{ path: 'package-lock.json', text }]).map(({ message }) => message.split(' ')[0]),
    ['node_modules/a/node_modules/b', 'node_modules/c', 'node_modules/@chdb/lib-darwin-arm64'],
  );
});
