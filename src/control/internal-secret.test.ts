import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { internalSecret } from './internal-secret.ts';

const base = mkdtempSync(join(tmpdir(), 'rialto-secret-'));
after(() => rmSync(base, { recursive: true }));

test('the secret is made once per data directory, for its user alone', () => {
  const secret = internalSecret(base);
  assert.match(secret, /^[\w-]{43}$/);
  assert.equal(internalSecret(base), secret);
  assert.equal(statSync(join(base, 'secrets', 'internal')).mode & 0o777, 0o600);
  assert.equal(statSync(join(base, 'secrets')).mode & 0o777, 0o700);
});

test('a file that a crash left empty is filled', () => {
  const path = join(base, 'secrets', 'internal');
  writeFileSync(path, '');
  const secret = internalSecret(base);
  assert.ok(secret.length > 20);
  assert.equal(internalSecret(base), secret);
});
