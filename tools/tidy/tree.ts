import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from './source.ts';

/** What `.gitignore` keeps out of the repository, and what is not ours to judge. */
const IGNORED_NAMES: ReadonlySet<string> = new Set(['.git', 'node_modules']);
const IGNORED_PATHS: ReadonlySet<string> = new Set([
  'data',
  'demo-data',
  'bench/results',
  'console/dist',
]);
/** Builds of the console that are under way, or were killed. */
const UNFINISHED = /^console\/\.dist-[^/]*$/;

/** The extensions whose text the rules read; of any other file they see the path alone. */
const TEXT = /\.(?:ts|tsx|js|mjs|cjs|mts|cts|json|md|sql|ya?ml)$/;

/**
 * Reads every file below `root`, sorted by path, so that two runs report in the same order.
 * It walks the folders instead of asking git: what an engineer has not added yet is judged as well,
 * and a tree unpacked from an archive can be checked.
 */
export function readTree(root: string): SourceFile[] {
  return pathsBelow(root, '')
    .toSorted()
    .map((path) => ({ path, text: TEXT.test(path) ? readFileSync(join(root, path), 'utf8') : '' }));
}

function pathsBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (IGNORED_NAMES.has(entry.name) || IGNORED_PATHS.has(path)) return [];
    if (UNFINISHED.test(path)) return [];
    if (entry.isDirectory()) return pathsBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}
