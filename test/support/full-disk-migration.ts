// Makes an analytics store on a disk that is full from the n-th change of its tables on, and again with
// room; `test/soak/full-disk.soak.ts` runs it and says where, and n. It prints what the first try came to.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { mock } from 'node:test';
import { openChdb } from '../../src/adapters/chdb.ts';
import { migrateAnalytics } from '../../src/analytics/migrate.ts';

const PAGE = Buffer.alloc(4_096);

const [disk = '', change = ''] = process.argv.slice(2);
const filler = join(disk, 'filler');
const directory = join(disk, 'analytics');

/** As another program would, between the look at the room and the statement. */
function fillBefore(wanted: number): void {
  const { statfs } = fsPromises;
  let changes = 0;
  mock.method(fsPromises, 'statfs', async (path: string) => {
    const found = await statfs(path);
    changes += 1;
    if (changes === wanted) fill();
    return found;
  });
  syncBuiltinESMExports();
}

function fill(): void {
  const fd = openSync(filler, 'w');
  try {
    for (;;) writeSync(fd, PAGE);
  } catch {
    closeSync(fd);
  }
}

async function migrateOnce(): Promise<void> {
  const store = await openChdb({ directory });
  try {
    await migrateAnalytics(store);
  } finally {
    await store.close();
  }
}

fillBefore(Number(change));
const outcome = await migrateOnce().then(
  () => 'done',
  (error: unknown) => String(error),
);
rmSync(filler, { force: true });
await migrateOnce();
console.log(outcome.split('\n', 1)[0]);
// The engine keeps threads.
process.exit(0);
