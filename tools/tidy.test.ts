import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { test, type TestContext } from 'node:test';
import { DOCUMENTS } from './gen/documents.ts';
import { tidy } from './tidy.ts';

/** The generated documents, and others with the headings that they link to. */
async function generated(): Promise<Record<string, string>> {
  const documents: Record<string, string> = {};
  for (const { path, render } of DOCUMENTS) documents[path] = await render();
  const linked: Record<string, string> = {};
  for (const [path, text] of Object.entries(documents)) {
    for (const [, target = '', anchor = 'linked'] of text.matchAll(LINK)) {
      const file = posix.join(posix.dirname(path), target);
      linked[file] = `${linked[file] ?? ''}# ${anchor.replaceAll('-', ' ')}\n`;
    }
  }
  return { ...decisionsBefore(Object.keys(linked)), ...linked, ...documents };
}

/** Decisions are numbered without holes: those before the last one that a document links to. */
function decisionsBefore(linked: readonly string[]): Record<string, string> {
  const numberOf = (path: string) => Number(/^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? 0);
  const taken = new Set([1, ...linked.map(numberOf)]);
  const numbers = Array.from({ length: Math.max(...taken) }, (_, index) => index + 1);
  return Object.fromEntries(
    numbers
      .filter((number) => !taken.has(number))
      .map((number) => [`docs/decisions/${String(number).padStart(4, '0')}-more.md`, '# More\n']),
  );
}

const LINK = /\]\(([^)#:]+\.md)(?:#([^)]*))?\)/g;

/** The smallest tree in which nothing is wrong. */
const CLEAN: Readonly<Record<string, string>> = {
  'src/main.ts': `await import('./roles/exchange.ts');\n`,
  'src/roles/exchange.ts': `import '../base/money.ts';\n`,
  'src/base/money.ts': 'export const CENT_MICROS = 10_000;\n',
  'README.md': '# A tree\n\n[licence](LICENSE)\n',
  LICENSE: 'text\n',
  'package.json': '{ "dependencies": { "pino": "1.0.0" } }\n',
  'docs/decisions/0001-logs.md': 'We take `pino`.\n',
  ...(await generated()),
  'node_modules/x/index.ts': `import '../../src/main.ts'; // TODO\n`,
};

/** Everything but what is installed. */
const CLEAN_FILES = Object.keys(CLEAN).length - 1;

/** A tree of these files. */
function plant(t: TestContext, tree: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'rialto-tidy-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Runs tidy on a tree of these files; returns its exit code and the lines that it printed. */
async function tidyOn(
  t: TestContext,
  tree: Readonly<Record<string, string>>,
): Promise<{ status: number | null; lines: string[] }> {
  const lines: string[] = [];
  const { mock } = t.mock.method(console, 'log', (line: string) => lines.push(line));
  const status = await tidy(plant(t, tree));
  mock.restore();
  return { status, lines };
}

test('tidy passes a clean tree and says how much it read', async (t) => {
  assert.deepEqual(await tidyOn(t, CLEAN), {
    status: 0,
    lines: [`tidy: ${CLEAN_FILES} files, 0 violations`],
  });
});

test('tidy refuses an empty tree: it checked nothing', async (t) => {
  const { status, lines } = await tidyOn(t, {});
  assert.equal(status, 1);
  assert.ok(lines.includes('src:1: no module was read, so no layer was checked'), lines.join('\n'));
});

test('tidy reports a planted violation of every rule at once, a line each, and exits 1', (t) => {
  const root = plant(t, {
    ...CLEAN,
    'docs/reference/errors.md': '# Errors\n',
    'package.json': '{ "dependencies": { "pino": "^1.0.0" } }\n',
    'src/auction/rank.ts': 'export const seed = Math.random();\n',
    'src/base/long.ts': 'a();\n'.repeat(501),
    'src/edge/utils.ts': `import '../roles/exchange.ts';\n`,
    'src/edge/words.ts': '// TODO\n',
    'README.md': '[broken](none.md)\n',
  });
  const tool = join(import.meta.dirname, 'tidy.ts');
  const { status, stdout } = spawnSync(process.execPath, [tool, root], { encoding: 'utf8' });
  const lines = stdout.trimEnd().split('\n');
  assert.equal(status, 1);
  assert.deepEqual(
    lines.map((line) => line.replace(/(?<=:\d+:).*/, '')),
    [
      'README.md:1:',
      'docs/reference/errors.md:3:',
      'package.json:1:',
      'src/auction/rank.ts:1:',
      'src/base/long.ts:501:',
      'src/edge/utils.ts:1:',
      'src/edge/utils.ts:1:',
      'src/edge/words.ts:1:',
      `tidy: ${CLEAN_FILES + 4} files, 8 violations`,
    ],
  );
});
