import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { createForgetfulDisk, type ForgetfulDisk } from './forgetful-disk.ts';
import { isSealed, removeDrafts, sealSegment, type SealFs } from './seal.ts';

let directory: string;
let path: string;
let disk: ForgetfulDisk;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rialto-seal-'));
  path = join(directory, 'money.ndjson');
  disk = createForgetfulDisk();
});
afterEach(() => rmSync(directory, { recursive: true }));

const sealed = (): boolean => isSealed(statSync(path).mode);
const content = (): string => readFileSync(path, 'utf8');

/** Opens the file and writes into the kernel's cache. */
function write(text: string): number {
  const fd = disk.fs.openSync(path, 'a', 0o600);
  disk.fs.writeSync(fd, Buffer.from(text), 0, text.length);
  return fd;
}

function sync(fd: number): Promise<Error | null> {
  return new Promise((resolve) => {
    disk.fs.fdatasync(fd, resolve);
  });
}

/** Leaves what the disk has refused and the cache still shows. */
async function writeInVain(text: string): Promise<number> {
  disk.fs.syncs = false;
  const fd = write(text);
  assert.match(String(await sync(fd)), /EIO/);
  disk.fs.syncs = true;
  return fd;
}

test('the disk of these tests forgets what it failed to write, as disks do', async () => {
  assert.equal(await sync(write('one')), null);
  const fd = await writeInVain('x'.repeat(8192));
  assert.equal(await sync(fd), null, 'as if all were well');
  assert.ok(content().endsWith('x'));
  disk.cutPower();
  assert.equal(content(), `one${'\0'.repeat(8192)}`);
});

test('a segment is sealed with every byte as it was, also those that a sync has failed on', async () => {
  const text = 'a line\n'.repeat(500_000);
  await writeInVain(text);
  await sealSegment(path, disk.sealFs);
  assert.ok(sealed());
  assert.equal(content(), text);
  assert.deepEqual(readdirSync(directory), ['money.ndjson']);
  disk.cutPower();
  assert.equal(content(), text);
});

test('who has the segment open goes on reading the same bytes', async () => {
  await writeInVain('one\ntwo\n');
  const reader = await fsPromises.open(path);
  await sealSegment(path, disk.sealFs);
  assert.equal(await reader.readFile('utf8'), content());
  await reader.close();
});

test('what the disk refuses again is not sealed, and can be sealed later', async () => {
  await writeInVain('lines\n');
  disk.fs.syncs = false;
  await assert.rejects(sealSegment(path, disk.sealFs), /EIO/);
  assert.deepEqual([sealed(), content()], [false, 'lines\n']);
  disk.fs.syncs = true;
  await removeDrafts(directory);
  assert.deepEqual(readdirSync(directory), ['money.ndjson']);
  await sealSegment(path, disk.sealFs);
  disk.cutPower();
  assert.equal(content(), 'lines\n');
});

test('a segment that is removed meanwhile stays away', async () => {
  writeFileSync(path, 'lines\n');
  const open: SealFs['open'] = (name, flags, mode) => {
    if (flags === 'wx') rmSync(path);
    return disk.sealFs.open(name, flags, mode);
  };
  await sealSegment(path, { ...disk.sealFs, open });
  assert.deepEqual(readdirSync(directory), []);
});

test('a file system without modes is none the worse', async () => {
  writeFileSync(path, 'lines\n');
  const fs: SealFs = {
    rename: (from, to) => fsPromises.rename(from, to),
    open: async (name, flags, mode) => {
      const file = await fsPromises.open(name, flags, mode);
      return {
        read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
        writeFile: (bytes) => file.writeFile(bytes),
        chmod: () => Promise.reject(new Error('ENOTSUP')),
        stat: () => file.stat(),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
  };
  await sealSegment(path, fs);
  assert.deepEqual([sealed(), content()], [false, 'lines\n']);
});
