import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isObject } from '../tidy/json.ts';

/** What a browser loads before the console's first page shows, with gzip, in bytes. */
export const FIRST_LOAD_MAX = 250_000;

export interface FirstLoad {
  readonly bytes: number;
  /** The largest first. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

/**
 * Measures a build by its manifest: the page, its entry with everything that is imported statically,
 * and their style sheets. What a dynamic import brings comes later.
 *
 * @throws Error when the manifest has no entry.
 */
export function measureFirstLoad(dist: string): FirstLoad {
  const manifest: unknown = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const chunks = new Map(isObject(manifest) ? Object.entries(manifest) : []);
  const entries = [...chunks].filter(([, chunk]) => isObject(chunk) && chunk['isEntry'] === true);
  if (entries.length === 0) throw new Error(`${dist}/.vite/manifest.json names no entry`);
  const names = new Set<string>();
  for (const [name] of entries) addChunk(name);
  const paths = new Set(['index.html', ...[...names].flatMap((name) => filesOf(chunks.get(name)))]);
  const files = [...paths]
    .map((path) => ({ path, bytes: gzipSync(readFileSync(join(dist, path)), { level: 9 }).length }))
    .toSorted((a, b) => b.bytes - a.bytes);
  return { bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), files };

  function addChunk(name: string): void {
    if (names.has(name)) return;
    names.add(name);
    for (const imported of textsOf(chunks.get(name), 'imports')) addChunk(imported);
  }
}

/** A line with the sum, and one for each file. */
export function describeFirstLoad({ bytes, files }: FirstLoad): string {
  const lines = files.map((file) => `  ${String(file.bytes).padStart(8)}  ${file.path}`);
  return [`First load: ${bytes} bytes with gzip.`, ...lines].join('\n');
}

function filesOf(chunk: unknown): readonly string[] {
  const file = isObject(chunk) && typeof chunk['file'] === 'string' ? [chunk['file']] : [];
  return [...file, ...textsOf(chunk, 'css')];
}

function textsOf(chunk: unknown, key: string): readonly string[] {
  const value = isObject(chunk) ? chunk[key] : undefined;
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
