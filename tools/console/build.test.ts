import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildConsole } from './build.ts';

/** Stands in for vite: builds the one source, as vite would lay it out. */
const VITE = `
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const [command, , out] = process.argv.slice(2);
const source = readFileSync('src/main.js', 'utf8');
if (command !== 'build' || process.env.NODE_ENV !== 'production') process.exit(3);
if (source === 'broken') process.exit(1);
if (source === 'endless') setInterval(() => {}, 1_000);
else {
  mkdirSync(out + '/assets');
  mkdirSync(out + '/.vite');
  writeFileSync(out + '/index.html', '<!doctype html>');
  writeFileSync(out + '/assets/main-1.js', source);
  const manifest = { 'index.html': { isEntry: true, file: 'assets/main-1.js' } };
  writeFileSync(out + '/.vite/manifest.json', JSON.stringify(manifest));
}
`;

const SOURCE = 'console.log("rialto");\n'.repeat(100);

function checkout(t: TestContext, files: Readonly<Record<string, string>> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'rialto-build-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const tree = {
    'package-lock.json': '{}',
    'console/package.json': '{"type":"module"}',
    'console/src/main.js': SOURCE,
    'console/node_modules/vite/package.json': '{"type":"module"}',
    'console/node_modules/vite/bin/vite.js': VITE,
    ...files,
  };
  for (const [path, text] of Object.entries(tree)) write(path, text);
  const build = (ifStale = false, signal = new AbortController().signal) =>
    buildConsole({ root, ifStale, signal });
  const read = (path: string): Buffer => readFileSync(join(root, 'console/dist', path));
  const left = (): readonly string[] => readdirSync(join(root, 'console')).toSorted();
  return { root, write, build, read, left };
}

const CLEAN = ['dist', 'node_modules', 'package.json', 'src'];

test('a build replaces the one before, with compressed assets and nothing left over', async (t) => {
  t.mock.method(console, 'log', () => {});
  const { write, build, read, left } = checkout(t);
  write('console/dist/assets/old.js', 'old');
  assert.equal(await build(), null);
  assert.equal(read('assets/main-1.js').toString(), SOURCE);
  assert.equal(brotliDecompressSync(read('assets/main-1.js.br')).toString(), SOURCE);
  assert.equal(gunzipSync(read('assets/main-1.js.gz')).toString(), SOURCE);
  assert.throws(() => read('assets/old.js'), /ENOENT/);
  assert.deepEqual(left(), CLEAN);
});

test('a build of the same sources is left alone; other sources or packages are built', async (t) => {
  const log = t.mock.method(console, 'log', () => {});
  const { write, build } = checkout(t);
  const builds = async (): Promise<boolean> => {
    const before = log.mock.callCount();
    assert.equal(await build(true), null);
    return log.mock.callCount() > before;
  };
  assert.equal(await builds(), true);
  assert.equal(await builds(), false);
  write('console/src/main.test.ts', 'tests are no part of it');
  assert.equal(await builds(), false);
  write('console/src/other.js', 'new');
  assert.equal(await builds(), true);
  write('package-lock.json', '{"other":1}');
  assert.equal(await builds(), true);
});

test('two builds at a time leave one of them whole', async (t) => {
  t.mock.method(console, 'log', () => {});
  const { build, read, left } = checkout(t);
  assert.deepEqual(await Promise.all([build(), build(), build()]), [null, null, null]);
  assert.equal(read('assets/main-1.js').toString(), SOURCE);
  assert.deepEqual(left(), CLEAN);
});

test('a build that fails says so and leaves the one before', async (t) => {
  t.mock.method(console, 'log', () => {});
  const { write, build, read, left } = checkout(t);
  assert.equal(await build(), null);
  write('console/src/main.js', 'broken');
  assert.equal(await build(), 'vite ended with 1.');
  assert.equal(read('assets/main-1.js').toString(), SOURCE);
  assert.deepEqual(left(), CLEAN);
});

test('a build whose first load is too large fails, and names what is large', async (t) => {
  const { root, build } = checkout(t, {
    'console/src/main.js': randomBytes(260_000).toString('latin1'),
  });
  assert.match(
    (await build()) ?? '',
    /too large, at most 250000 bytes[^]*\d{6} {2}assets\/main-1\.js/,
  );
  assert.equal(existsSync(join(root, 'console/dist')), false);
});

test('without vite it is said where to build, without a console that there is none', async (t) => {
  const { root, build } = checkout(t);
  rmSync(join(root, 'console/node_modules'), { recursive: true });
  assert.match((await build()) ?? '', /vite, a development dependency[^]*npm run build/);
  rmSync(join(root, 'console'), { recursive: true });
  assert.match((await build()) ?? '', /no console\//);
});

test('a build that is ended leaves nothing', async (t) => {
  const { build, left } = checkout(t, { 'console/src/main.js': 'endless' });
  const ended = new AbortController();
  const built = build(false, ended.signal);
  setImmediate(() => ended.abort());
  assert.equal(await built, 'The build was ended.');
  assert.deepEqual(left(), ['node_modules', 'package.json', 'src']);
});

test('what a killed build left is removed once it is old', async (t) => {
  t.mock.method(console, 'log', () => {});
  const { root, write, build, left } = checkout(t);
  write('console/.dist-old/x', '');
  write('console/.dist-new/x', '');
  utimesSync(join(root, 'console/.dist-old'), 0, 0);
  assert.equal(await build(), null);
  assert.deepEqual(left(), ['.dist-new', ...CLEAN]);
});
