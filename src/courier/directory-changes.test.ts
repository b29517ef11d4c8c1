import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
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
