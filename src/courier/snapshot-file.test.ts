import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import {
  readSnapshotFile,
  removeHalfWritten,
  snapshotPath,
  writeSnapshotFile,
} from './snapshot-file.ts';

const base = mkdtempSync(join(tmpdir(), 'rialto-snapshot-'));
after(() => rmSync(base, { recursive: true }));

test('what was written last is read, and no other file stays beside it', async () => {
  const directory = join(base, 'written');
  await writeSnapshotFile(directory, 'one\n');
  await writeSnapshotFile(directory, 'two\n');
  assert.equal(await readSnapshotFile(directory), 'two\n');
  assert.deepEqual(readdirSync(dirname(snapshotPath(directory))), ['current.ndjson']);
  assert.equal(statSync(snapshotPath(directory)).mode & 0o777, 0o600);
});

test('a reader sees a whole snapshot at any time while others are written', async () => {
  const directory = join(base, 'read');
  const texts = ['a', 'b', 'c'].map((letter) => `${letter.repeat(200_000)}\n`);
  await writeSnapshotFile(directory, texts[0] ?? '');
  const reads: (string | undefined)[] = [];
  for (const text of [...texts, ...texts]) {
    const reading = Promise.all(Array.from({ length: 4 }, () => readSnapshotFile(directory)));
    await writeSnapshotFile(directory, text);
    reads.push(...(await reading));
  }
  assert.ok(reads.every((read) => read !== undefined && texts.includes(read)));
});

test('a node that never had a snapshot has none', async () => {
  assert.equal(await readSnapshotFile(join(base, 'nothing')), undefined);
});

test('a snapshot that cannot be written leaves nothing behind and says so', async () => {
  const directory = join(base, 'blocked');
  writeFileSync(directory, '');
  await assert.rejects(writeSnapshotFile(directory, 'x'), /ENOTDIR|EEXIST/);
});

test('what a killed courier left half written is removed, the snapshot is not', async () => {
  const directory = join(base, 'killed');
  await removeHalfWritten(directory);
  await writeSnapshotFile(directory, 'whole\n');
  writeFileSync(`${snapshotPath(directory)}.123.tmp`, 'who');
  await removeHalfWritten(directory);
  assert.deepEqual(readdirSync(dirname(snapshotPath(directory))), ['current.ndjson']);
});
