import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ConsoleSource } from './source.ts';

function openSource(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'rialto-console-'));
  t.after(() => rmSync(root, { recursive: true }));
  const directory = join(root, 'dist');
  const clock = { ms: 0 };
  const unreadable: unknown[] = [];
  const source = new ConsoleSource({
    directory,
    now: () => clock.ms,
    onUnreadable: (error) => unreadable.push(error),
  });
  return { root, directory, clock, unreadable, source };
}

function write(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

test('a console that is built later is there a second later, or at once when it is said so', async (t) => {
  const { root, directory, clock, source } = openSource(t);
  assert.equal(await source.current(), null);
  write(directory, { 'index.html': 'one', 'assets/a-1.js': 'one' });
  assert.equal(await source.current(), null);
  clock.ms += 1_000;
  assert.equal((await source.current())?.index, 'one');

  renameSync(directory, join(root, 'old'));
  write(directory, { 'index.html': 'two', 'assets/a-2.js': 'two' });
  source.lookAgain();
  const files = await source.current();
  assert.equal(files?.index, 'two');
  assert.deepEqual([...files.assets.keys()].toSorted(), ['a-1.js', 'a-2.js']);
});

test('assets of the build before stay for open pages, those of earlier ones go', async (t) => {
  const { directory, source } = openSource(t);
  for (const name of ['1', '22', '333']) {
    rmSync(directory, { recursive: true, force: true });
    write(directory, { 'index.html': name, [`assets/${name}.js`]: name });
    source.lookAgain();
    await source.current();
  }
  const files = await source.current();
  assert.deepEqual([...(files?.assets.keys() ?? [])].toSorted(), ['22.js', '333.js']);
});

test('what was read stays when the folder goes', async (t) => {
  const { directory, source } = openSource(t);
  write(directory, { 'index.html': 'one', 'assets/a.js': 'one' });
  await source.current();
  rmSync(directory, { recursive: true });
  source.lookAgain();
  assert.equal((await source.current())?.index, 'one');
});

test('a build that cannot be read is told once, and none is served', async (t) => {
  const { directory, clock, unreadable, source } = openSource(t);
  write(directory, { 'index.html': 'one' });
  for (let look = 0; look < 4; look += 1) {
    assert.equal(await source.current(), null);
    clock.ms += 1_000;
  }
  assert.equal(unreadable.length, 1);
  assert.match(String(unreadable[0]), /assets/);
});

test('files beside their originals are their codings; links are not followed', async (t) => {
  const { root, directory, source } = openSource(t);
  write(root, { secret: 'secret' });
  write(directory, {
    'index.html': '',
    'assets/a.js': 'plain',
    'assets/a.js.br': 'brotli',
    'assets/a.js.gz': 'gzip',
    'assets/fonts/b.woff2': 'font',
    'assets/data.gz': 'alone',
  });
  symlinkSync(join(root, 'secret'), join(directory, 'assets', 'c.js'));
  const files = await source.current();
  assert.deepEqual([...(files?.assets.keys() ?? [])].toSorted(), [
    'a.js',
    'data.gz',
    'fonts/b.woff2',
  ]);
  const encoded = files?.assets.get('a.js')?.encoded;
  assert.deepEqual([...(encoded?.keys() ?? [])], ['br', 'gzip']);
  assert.equal(encoded?.get('br')?.toString(), 'brotli');
});

test('a folder with more than a console can have is refused', async (t) => {
  const { directory, clock, unreadable, source } = openSource(t);
  write(directory, { 'index.html': '', 'assets/a.js': '' });
  // A hole, which takes no disk.
  truncateSync(join(directory, 'assets/a.js'), 65 * 1024 * 1024);
  assert.equal(await source.current(), null);
  clock.ms += 1_000;
  assert.equal(await source.current(), null);
  assert.match(String(unreadable[0]), /more than 67108864 bytes/);
});
