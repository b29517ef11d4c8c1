import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const ENTRIES = ['typebox', 'typebox/compile', 'typebox/value', 'kysely', 'kysely/migration'];

test('a library as one file exports what its package does, and its entries share their parts', (t) => {
  const checkout = checkoutWith(t, ['typebox', 'kysely', 'rolldown', '@rolldown', '@oxc-project']);
  const asPackages = run(checkout, []);
  assert.match(asPackages.resolved[0] ?? '', /\/node_modules\/typebox\//);
  pack(checkout);
  const cache = join(checkout, 'node_modules/.cache/rialto-libraries');
  const [made = ''] = readdirSync(cache);
  assert.equal(statSync(join(cache, made)).mode & 0o777, 0o755, 'another user runs the service');
  const asFiles = run(checkout, ['--import=./bin/use-libraries.js']);
  for (const url of asFiles.resolved)
    assert.match(url, /\/rialto-libraries\/typebox@[\d.]+-kysely@/);
  assert.deepEqual(asFiles.exported, asPackages.exported);
  assert.equal(asFiles.refusal, '/a must be string');
});

test('files that are there in part are left alone', (t) => {
  const checkout = checkoutWith(t, ['typebox', 'kysely', 'rolldown', '@rolldown', '@oxc-project']);
  pack(checkout);
  const cache = join(checkout, 'node_modules/.cache/rialto-libraries');
  const [made = ''] = readdirSync(cache);
  rmSync(join(cache, made, 'typebox_compile.mjs'));
  const { resolved } = run(checkout, ['--import=./bin/use-libraries.js']);
  for (const url of resolved) assert.match(url, /\/node_modules\/(?:typebox|kysely)\//);
});

test('without what makes the files, or without the libraries, nothing is made and all else works', (t) => {
  const checkout = checkoutWith(t, ['typebox', 'kysely']);
  assert.notEqual(pack(checkout), 0);
  const asBefore = run(checkout, ['--import=./bin/use-libraries.js']);
  assert.match(asBefore.resolved[0] ?? '', /\/node_modules\/typebox\//);
  const empty = checkoutWith(t, []);
  const { stderr } = spawnSync(process.execPath, [join(empty, 'bin/node.js'), '-e', ''], {
    encoding: 'utf8',
  });
  assert.match(stderr, /run "npm ci" in the checkout/);
});

/** A checkout that has `bin/` and these packages alone. */
function checkoutWith(t: TestContext, packages: readonly string[]): string {
  const checkout = mkdtempSync(join(tmpdir(), 'rialto-libraries-'));
  t.after(() => rmSync(checkout, { recursive: true }));
  cpSync(join(ROOT, 'bin'), join(checkout, 'bin'), { recursive: true });
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}');
  mkdirSync(join(checkout, 'node_modules'));
  for (const name of packages) {
    symlinkSync(join(ROOT, 'node_modules', name), join(checkout, 'node_modules', name));
  }
  writeFileSync(join(checkout, 'shows.js'), SHOWS);
  return checkout;
}

const SHOWS = `
const entries = ${JSON.stringify(ENTRIES)};
const exported = {};
for (const name of entries) exported[name] = Object.keys(await import(name)).sort();
const { Type } = await import('typebox');
const { Compile } = await import('typebox/compile');
const [error] = Compile(Type.Object({ a: Type.String() })).Errors({ a: 1 });
const refusal = error.instancePath + ' ' + error.message;
const resolved = entries.map((name) => import.meta.resolve(name));
console.log(JSON.stringify({ exported, refusal, resolved }));
`;

interface Shown {
  readonly exported: Readonly<Record<string, readonly string[]>>;
  readonly refusal: string;
  readonly resolved: readonly string[];
}

function run(checkout: string, flags: readonly string[]): Shown {
  const { stdout, stderr } = node(checkout, [...flags, 'shows.js']);
  assert.equal(stderr, '');
  const shown: Shown = JSON.parse(stdout);
  return shown;
}

function pack(checkout: string): number | null {
  return node(checkout, ['bin/pack-libraries.js']).status;
}

/** Node as it is, without the files that this process has itself. */
function node(checkout: string, args: readonly string[]) {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8', env });
}
