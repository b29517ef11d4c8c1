import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const UNIT = fileURLToPath(new URL('../ops/systemd/rialto.service', import.meta.url));

/** What systemd minds about a unit; null, which is said, on a machine without it. */
function complaintsOf(t: TestContext, path: string): string | null {
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', path], {
    encoding: 'utf8',
  });
  if (error === undefined) return status === 0 ? stderr : `${stderr}ended with ${status}`;
  t.diagnostic(`the unit is not checked here: systemd-analyze cannot be run (${error.message})`);
  return null;
}

test('systemd takes the unit as it stands, and a key that it does not know is found', (t) => {
  const complaints = complaintsOf(t, UNIT);
  if (complaints === null) return;
  assert.equal(complaints, '');
  const directory = mkdtempSync(join(tmpdir(), 'rialto-unit-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'rialto.service');
  writeFileSync(path, readFileSync(UNIT, 'utf8').replace('\nRestart=', '\nRestrat='));
  assert.match(complaintsOf(t, path) ?? '', /Restrat/);
});
