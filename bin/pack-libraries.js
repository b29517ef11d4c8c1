// Makes the libraries' files, which appear in their place all at once or not at all.
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { libraryEntries, libraryFiles } from './libraries.js';

const parent = fileURLToPath(new URL('..', libraryFiles));
mkdirSync(parent, { recursive: true });
const made = mkdtempSync(join(parent, 'unfinished-'));
try {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries(libraryEntries.map(({ specifier, file }) => [file, specifier])),
    platform: 'node',
  });
  await bundle.write({
    dir: made,
    format: 'esm',
    entryFileNames: '[name]',
    chunkFileNames: '[name]-[hash].mjs',
  });
  // A service runs as another user than the one who has installed it.
  chmodSync(made, 0o755);
  renameSync(made, libraryFiles);
} finally {
  rmSync(made, { recursive: true, force: true });
}
