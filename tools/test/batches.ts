import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Test files that one process runs, one after the other: what they share is loaded once. */
export type Batch = readonly string[];

/**
 * Writes a module for each batch, which has each of its files as a suite with the file's path for a name.
 * The runner takes them in this order.
 *
 * @param from the directory that the paths start at.
 * @returns the modules' paths, and what removes them.
 */
export function writeBatches(batches: readonly Batch[], from = process.cwd()) {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-batches-'));
  const digits = String(batches.length).length;
  const modules = batches.map((files, index) => {
    const module = join(directory, `${String(index).padStart(digits, '0')}.test.mjs`);
    const urls = files.map((file) => [file, pathToFileURL(resolve(from, file)).href]);
    writeFileSync(listPath(module), JSON.stringify(files));
    writeFileSync(
      module,
      `import { describe } from 'node:test';
for (const [file, url] of ${JSON.stringify(urls)}) {
  describe(file, async () => void (await import(url)));
}
`,
    );
    return module;
  });
  return { modules, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** The files that a module of `writeBatches` runs. */
export function filesOfBatch(module: string): Batch {
  const files: Batch = JSON.parse(readFileSync(listPath(module), 'utf8'));
  return files;
}

function listPath(module: string): string {
  return `${module}.json`;
}
