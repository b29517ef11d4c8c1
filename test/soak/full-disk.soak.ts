import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createRandom } from '../../sim/random.ts';
import { effortMs, SEED } from '../support/effort.ts';

const MIGRATION = join(import.meta.dirname, '../support/full-disk-migration.ts');
/** What all migrations change together, about. */
const CHANGES_MAX = 60;
/** A disk in memory that only the command sees and that goes with it. */
const ON_A_SMALL_DISK =
  'mount -t tmpfs -o size=40m none "$1" && exec "$2" --disable-warning=ExperimentalWarning "$3" "$1" "$4"';

const run = promisify(execFile);

/** Where root may, on Linux. */
const mayMount = await run('unshare', ['-m', 'true']).then(
  () => true,
  () => false,
);

if (mayMount) {
  test('a disk that fills at any change of the analytics store’s tables ends nothing for good', async (t) => {
    const random = createRandom(SEED).fork('full disk');
    const disk = mkdtempSync(join(tmpdir(), 'rialto-disk-'));
    t.after(() => rmSync(disk, { recursive: true }));
    const endsMs = performance.now() + effortMs(10, 120);
    let refused = 0;
    for (let round = 1; performance.now() < endsMs; round += 1) {
      const change = String(random.integer(1, CHANGES_MAX));
      const { stdout } = await run('unshare', [
        '-m',
        'sh',
        '-c',
        ON_A_SMALL_DISK,
        'sh',
        disk,
        process.execPath,
        MIGRATION,
        change,
      ]);
      t.diagnostic(`seed ${SEED}, round ${round}, change ${change}: ${stdout.trim()}`);
      if (!stdout.startsWith('done')) refused += 1;
    }
    assert.ok(refused > 0, 'the disk was full in time');
  });
}
