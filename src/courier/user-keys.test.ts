import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { openUserKeys, userKeysPath, type UserKeys } from './user-keys.ts';

function open(t: TestContext, dataDirectory: string): UserKeys {
  const keys = openUserKeys({ dataDirectory, logger: pino({ level: 'silent' }), now: Date.now });
  t.after(() => keys.close());
  return keys;
}

function aDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-user-keys-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('the first process makes a key that nobody else can read, and all others take it', (t) => {
  const directory = aDirectory(t);
  const [first, second] = [open(t, directory), open(t, directory)];
  assert.deepEqual(second.ring.current, first.ring.current);
  assert.equal(statSync(userKeysPath(directory)).mode & 0o777, 0o600);
});

test('a new key that the operator puts beside the old one seals, and the old one still opens', (t) => {
  const directory = aDirectory(t);
  const old = open(t, directory).ring.current;
  const path = userKeysPath(directory);
  const file: { keys: object[] } = JSON.parse(readFileSync(path, 'utf8'));
  const next = { id: old.id ^ 1, seals_from_ms: 1, secret: Buffer.alloc(32).toString('base64url') };
  writeFileSync(path, JSON.stringify({ keys: [...file.keys, next] }));
  const { ring } = open(t, directory);
  assert.equal(ring.current.id, next.id);
  assert.deepEqual(ring.byId.get(old.id), old);
});

test('a file of something else is refused, and not overwritten', (t) => {
  const directory = aDirectory(t);
  open(t, directory);
  writeFileSync(userKeysPath(directory), '{"keys":[]}');
  assert.throws(() => open(t, directory), /holds no keys/);
  assert.equal(readFileSync(userKeysPath(directory), 'utf8'), '{"keys":[]}');
});
