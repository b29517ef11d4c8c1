import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { DirectoryChanges } from './directory-changes.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'rialto-changes-'))));
afterEach(() => rmSync(directory, { recursive: true }));

test('a directory is listed again when a name has come or gone', () => {
  const changes = new DirectoryChanges(directory);
  writeFileSync(join(directory, 'a'), '');
  assert.deepEqual(changes.list(), ['a']);
  unlinkSync(join(directory, 'a'));
  assert.deepEqual(changes.list(), []);
});

test('it is not listed again once it has been at rest for a while', () => {
  const hourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(directory, hourAgo, hourAgo);
  const changes = new DirectoryChanges(directory);
  assert.deepEqual(changes.list(), []);
  assert.equal(changes.list(), null);
});

test('of one that has just changed nobody knows yet whether it will again in the same moment', () => {
  const changes = new DirectoryChanges(directory);
  const now = new Date();
  utimesSync(directory, now, now);
  changes.list();
  writeFileSync(join(directory, 'a'), '');
  utimesSync(directory, now, now);
  assert.deepEqual(changes.list(), ['a']);
});

test('a listing that failed is repeated', () => {
  const path = join(directory, 'journal');
  const hourAgo = new Date(Date.now() - 3_600_000);
  // It has a time, and cannot be listed.
  writeFileSync(path, '');
  utimesSync(path, hourAgo, hourAgo);
  const changes = new DirectoryChanges(path);
  assert.throws(() => changes.list(), { code: 'ENOTDIR' });
  unlinkSync(path);
  mkdirSync(path);
  writeFileSync(join(path, 'a'), '');
  utimesSync(path, hourAgo, hourAgo);
  assert.deepEqual(changes.list(), ['a']);
});

test('a change that left no trace in its time is seen within seconds', () => {
  const hourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(directory, hourAgo, hourAgo);
  let nowMs = 0;
  const changes = new DirectoryChanges(directory, () => nowMs);
  assert.deepEqual(changes.list(), []);
  writeFileSync(join(directory, 'a'), '');
  utimesSync(directory, hourAgo, hourAgo);
  nowMs = 4_999;
  assert.equal(changes.list(), null);
  nowMs = 5_000;
  assert.deepEqual(changes.list(), ['a']);
});
