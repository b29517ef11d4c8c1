import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { measureFirstLoad } from './first-load.ts';

test('the first load is the page, the entry, what it imports statically, and their styles, each once', (t) => {
  const dist = mkdtempSync(join(tmpdir(), 'rialto-load-'));
  t.after(() => rmSync(dist, { recursive: true }));
  for (const folder of ['assets', '.vite']) mkdirSync(join(dist, folder));
  const paths = ['index.html', 'assets/a.js', 'assets/b.js', 'assets/b.css', 'assets/later.js'];
  for (const path of paths) writeFileSync(join(dist, path), path.repeat(50));
  const manifest = {
    'index.html': {
      isEntry: true,
      file: 'assets/a.js',
      imports: ['_b.js'],
      css: ['assets/b.css'],
      dynamicImports: ['later.js'],
    },
    // Imports may go round.
    '_b.js': { file: 'assets/b.js', imports: ['index.html'], css: ['assets/b.css'] },
    'later.js': { isDynamicEntry: true, file: 'assets/later.js' },
  };
  writeFileSync(join(dist, '.vite/manifest.json'), JSON.stringify(manifest));
  const load = measureFirstLoad(dist);
  const loaded = paths.slice(0, 4);
  assert.deepEqual(load.files.map(({ path }) => path).toSorted(), loaded.toSorted());
  const sizes = loaded.map((path) => gzipSync(path.repeat(50), { level: 9 }).length);
  assert.equal(
    load.bytes,
    sizes.reduce((sum, size) => sum + size, 0),
  );

  writeFileSync(join(dist, '.vite/manifest.json'), '{}');
  assert.throws(() => measureFirstLoad(dist), /names no entry/);
});
