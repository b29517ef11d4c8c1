import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { objectAt } from './tidy/json.ts';

const ROOT = join(import.meta.dirname, '..');

/** For every rule that `.oxlintrc.json` sets by name, a module that breaks it. */
const PLANTED: Readonly<Record<string, string>> = {
  'typescript/no-explicit-any': 'export function f(a: any): unknown {\n  return a;\n}\n',
  'typescript/no-non-null-assertion': 'export const f = (a: { b?: number }): number => a.b!;\n',
  'typescript/no-floating-promises':
    'async function g(): Promise<void> {}\nexport function f(): void {\n  g();\n}\n',
  'typescript/no-misused-promises':
    'async function g(): Promise<boolean> {\n  return true;\n}\nexport const f = (): number => (g() ? 1 : 2);\n',
  'typescript/switch-exhaustiveness-check':
    "export function f(a: 'b' | 'c'): void {\n  switch (a) {\n    case 'b':\n      break;\n  }\n}\n",
  'typescript/consistent-type-imports':
    "import { Clean } from './clean.ts';\nexport const f = (a: Clean): Clean => a;\n",
  eqeqeq: 'export const f = (a: unknown): boolean => a == 1;\n',
  'no-param-reassign': 'export function f(a: number): number {\n  a = 2;\n  return a;\n}\n',
  'prefer-const': 'let a = 1;\nexport const f = (): number => a;\n',
  'no-console': "console.log('a');\nexport {};\n",
  'no-unused-vars': 'export function f(a: number): number {\n  return 1;\n}\n',
  'max-params':
    'export const f = (a: number, b: number, c: number, d: number, e: number): number => a + b + c + d + e;\n',
  complexity: `export function f(a: number): number {\n${Array.from({ length: 21 }, (_, n) => `  if (a === ${String(n)}) return ${String(n * 2)};\n`).join('')}  return 0;\n}\n`,
  'import/no-cycle': "import { b } from './cycle.ts';\nexport const a = (): number => b();\n",
};

const CLEAN: Readonly<Record<string, string>> = {
  'clean.ts': 'export interface Clean {\n  readonly b: number;\n}\n',
  'clean.test.ts': "import { test } from 'node:test';\n\ntest('a', async () => {});\n",
};

/** The other half of the cycle: it breaks the rule as well. */
const CYCLE = "import { a } from './import-no-cycle.ts';\nexport const b = (): number => a();\n";

test('every rule that the configuration sets has a planted violation below', () => {
  assert.deepEqual(Object.keys(PLANTED).toSorted(), rulesSet().toSorted());
});

test('the linter step of "npm run check" refuses each planted violation by its rule', () => {
  const tree = Object.entries(PLANTED).map(([rule, text]) => [fileOf(rule), text] as const);
  const { status, stdout } = lint(
    new Map([...Object.entries(CLEAN), ...tree, ['cycle.ts', CYCLE]]),
  );
  assert.notEqual(status, 0);
  for (const rule of Object.keys(PLANTED)) {
    const found = stdout
      .split('\n')
      .filter((line) => line.startsWith(`${fileOf(rule)}:`) && line.includes(`(${nameOf(rule)})`));
    assert.notEqual(found.length, 0, `${rule} did not fire:\n${stdout}`);
  }
  assert.doesNotMatch(stdout, /^clean/m);
});

test('the linter step refuses a promise that a test forgot to await', () => {
  const text =
    "import { test } from 'node:test';\n\nasync function g(): Promise<void> {}\n\ntest('a', () => {\n  g();\n});\n";
  const { status, stdout } = lint(new Map([['planted.test.ts', text]]));
  assert.notEqual(status, 0);
  assert.match(stdout, /^planted\.test\.ts:6:.*no-floating-promises/m);
});

/** Of what the console's pages are held to besides: some of what the configuration names, and of each plugin one. */
const PLANTED_IN_PAGES: Readonly<Record<string, string>> = {
  'react/rules-of-hooks':
    "import { useState } from 'react';\n\nexport function Page({ a }: { a: boolean }) {\n  if (a) useState(1);\n  return null;\n}\n",
  'react/no-danger': "export const Page = () => <p dangerouslySetInnerHTML={{ __html: 'a' }} />;\n",
  'react/button-has-type': 'export const Page = () => <button>Go</button>;\n',
  'react/jsx-no-target-blank':
    'export const Page = ({ a }: { a: string }) => <a href={a} target="_blank">Go</a>;\n',
  'react/exhaustive-deps':
    "import { useEffect } from 'react';\n\nexport function Page({ a }: { a: () => void }) {\n  useEffect(() => a(), []);\n  return null;\n}\n",
  'jsx-a11y/alt-text': 'export const Page = () => <img src="/assets/a.png" />;\n',
};

test('the linter step holds pages of the console to the rules of React and of accessibility', () => {
  const pages = Object.entries(PLANTED_IN_PAGES).map(
    ([rule, text]) => [`console/src/${fileOf(rule)}x`, text] as const,
  );
  const clean = 'export const Page = () => <p>Rialto</p>;\n';
  const { status, stdout } = lint(new Map([...pages, ['console/src/clean.tsx', clean]]));
  assert.notEqual(status, 0);
  for (const rule of Object.keys(PLANTED_IN_PAGES)) {
    const found = stdout
      .split('\n')
      .filter((line) => line.includes(`${fileOf(rule)}x:`) && line.includes(`(${nameOf(rule)})`));
    assert.notEqual(found.length, 0, `${rule} did not fire:\n${stdout}`);
  }
  assert.doesNotMatch(stdout, /clean\.tsx/);
});

test('the linter step passes a clean tree', () => {
  const { status, stdout } = lint(new Map(Object.entries(CLEAN)));
  assert.equal(status, 0, stdout);
});

/** The rules that `.oxlintrc.json` names and does not turn off. */
function rulesSet(): string[] {
  const config: unknown = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8'));
  const rules = objectAt(config, 'rules');
  return Object.keys(rules).filter((rule) => rules[rule] !== 'off');
}

/** Runs the very step that `npm run check` runs, with our configuration, on a tree of its own. */
function lint(files: ReadonlyMap<string, string>): { status: number | null; stdout: string } {
  const root = mkdtempSync(join(tmpdir(), 'rialto-lint-'));
  try {
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
    const tsconfig = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')], jsx: 'preserve' },
      include: ['**/*.ts', '**/*.tsx'],
    };
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(tsconfig));
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const [command = '', ...args] = lintStep();
    const tool = join(ROOT, 'node_modules/.bin', command);
    // It looks for its helper where npm puts programs, whoever has started this.
    const env = {
      ...process.env,
      PATH: `${dirname(tool)}${delimiter}${process.env['PATH'] ?? ''}`,
    };
    const options = { cwd: root, encoding: 'utf8', env } as const;
    const { status, stdout } = spawnSync(tool, [...args, '--format=unix'], options);
    return { status, stdout };
  } finally {
    rmSync(root, { recursive: true });
  }
}

function lintStep(): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const steps = String(objectAt(manifest, 'scripts')['check']).split('&&');
  const step = steps.find((part) => part.trim().startsWith('oxlint'));
  assert.ok(step !== undefined, 'npm run check has no linter step');
  return step.trim().split(/\s+/);
}

function fileOf(rule: string): string {
  return `${rule.replace('/', '-')}.ts`;
}

function nameOf(rule: string): string {
  return rule.slice(rule.indexOf('/') + 1);
}
