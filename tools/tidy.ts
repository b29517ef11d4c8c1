/**
 * The house rules that neither the compiler nor the linter knows, as a step of `npm run check`:
 * prints every violation as `path:line: message` and exits 1 if there was one. It judges the tree
 * that it stands in, or the one named as its argument.
 */
import { join } from 'node:path';
import { apiDescription } from './tidy/api-description.ts';
import { circles } from './tidy/circles.ts';
import { dependencies } from './tidy/dependencies.ts';
import { glossary } from './tidy/glossary.ts';
import { layering } from './tidy/layering.ts';
import { lengths } from './tidy/lengths.ts';
import { links } from './tidy/links.ts';
import { names } from './tidy/names.ts';
import { parity } from './tidy/parity.ts';
import { purity } from './tidy/purity.ts';
import type { Rule } from './tidy/source.ts';
import { readTree } from './tidy/tree.ts';
import { words } from './tidy/words.ts';

const RULES: readonly Rule[] = [
  (files) => layering(files),
  (files) => circles(files),
  (files) => purity(files),
  (files) => lengths(files),
  (files) => names(files),
  (files) => words(files),
  (files) => glossary(files),
  (files) => links(files),
  (files) => dependencies(files),
  (files) => parity(files),
  (files) => apiDescription(files),
];

if (import.meta.main) {
  process.exitCode = await tidy(process.argv[2] ?? join(import.meta.dirname, '..'));
}

/** Judges the tree at `root`; returns the exit code. */
export async function tidy(root: string): Promise<number> {
  const files = readTree(root);
  const found = await Promise.all(RULES.map(async (rule) => rule(files)));
  const violations = found
    .flat()
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || a.line - b.line);
  for (const { path, line, message } of violations) {
    console.log(`${path}:${String(line)}: ${message}`);
  }
  const count = violations.length === 1 ? '1 violation' : `${String(violations.length)} violations`;
  console.log(`tidy: ${String(files.length)} files, ${count}`);
  return violations.length === 0 ? 0 : 1;
}
