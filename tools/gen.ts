/**
 * `node tools/gen.ts [--check] [ROOT]` writes every generated document (`npm run gen`). With
 * `--check` it writes nothing, names what is out of date and exits 1; tidy does the same as a part
 * of `npm run check`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { DOCUMENTS } from './gen/documents.ts';
import { parity } from './tidy/parity.ts';
import { readTree } from './tidy/tree.ts';

if (import.meta.main) process.exitCode = await gen(process.argv.slice(2));

/** Returns the exit code. @throws TypeError for an option that there is not. */
export async function gen(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { check: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const root = positionals[0] ?? join(import.meta.dirname, '..');
  return values.check ? check(root) : write(root);
}

/** Returns the exit code: 1 if a document in the tree at `root` is not what the code says. */
async function check(root: string): Promise<number> {
  const stale = await parity(readTree(root));
  for (const { path, line, message } of stale) console.log(`${path}:${String(line)}: ${message}`);
  return stale.length === 0 ? 0 : 1;
}

async function write(root: string): Promise<number> {
  for (const { path, render } of DOCUMENTS) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), await render());
    console.log(`wrote ${path}`);
  }
  return 0;
}
