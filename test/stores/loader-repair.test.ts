import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

import { createClient } from '@clickhouse/client';

import { openChdb, platformProblem } from '../../src/adapters/chdb.ts';
import { connect } from '../../src/adapters/chdb-connection.ts';
import { repairDeduplicationLogs } from '../../src/adapters/chdb-repair.ts';
import { insertSql } from '../../src/analytics/insert-sql.ts';
import {
  assertHolds,
  makeDirectory,
  openAnalyticsIn,
  Segment,
  testAnalytics,
} from './loader-fixture.ts';
import { encode, makeRecords, MONTH_END_MS, ofLoad } from './loader-records.ts';

test('a part that a mutation has rewritten is taken for there', async (t) => {
  const root = await makeDirectory(t);
  const table = join(root, 'store/abc/table');
  await mkdir(join(table, 'deduplication_logs'), { recursive: true });
  const log = join(table, 'deduplication_logs/deduplication_log_1.txt');
  await writeFile(log, '1\t20261120_7_7_0\tblock\n');
  await mkdir(join(table, '20261120_1_7_2_9'));
  assert.deepEqual(await repairDeduplicationLogs(root), []);
  await appendFile(log, '1\t20261120_8_8_0\tblock\n');
  assert.deepEqual(await repairDeduplicationLogs(root), ['table/20261120_8_8_0']);
});

describe('a process that was killed between announcing a part and making it', () => {
  /** As it was left behind: every log names the part, and the part is not there. */
  async function unmakeLastPart(analytics: string, table: string): Promise<string> {
    const path = await tablePath(analytics, table);
    const log = await readFile(join(path, 'deduplication_logs/deduplication_log_1.txt'), 'utf8');
    const part = log.trimEnd().split('\n').at(-1)?.split('\t')[1] ?? '';
    await rm(join(path, part), { recursive: true });
    return part;
  }

  /** The directory of a table: the one whose newest part has a column that no other table has. */
  async function tablePath(analytics: string, column: string): Promise<string> {
    const store = join(analytics, 'data/store');
    for (const prefix of await readdir(store)) {
      for (const id of await readdir(join(store, prefix))) {
        const path = join(store, prefix, id);
        const parts = (await readdir(path)).filter((name) => /_\d+_\d+_\d+$/.test(name));
        for (const part of parts) {
          const columns = await readFile(join(path, part, 'columns.txt'), 'utf8');
          if (columns.includes(`\`${column}\``)) return path;
        }
      }
    }
    throw new Error(`no table has a column ${column}`);
  }

  /** One column that each table has alone. */
  const tables = { money: 'auction_id', lineitem: 'bids_in_auction', inventory: 'hour' };

  for (const column of [tables.money, tables.lineitem, tables.inventory]) {
    test(`does not lose what is inserted again (${column})`, async (t) => {
      const root = await makeDirectory(t);
      const records = makeRecords('announced', 200, MONTH_END_MS, 5);
      const batch = new Segment().batch(records);
      const isRaw = column === tables.money;
      const first = await openAnalyticsIn(t, root, (parts) => ({
        ...parts,
        offsets: {
          ...parts.offsets,
          commit: (pending) =>
            isRaw ? Promise.reject(new Error('killed')) : parts.offsets.commit(pending),
        },
      }));
      const loaded = first.loader.load(batch);
      await (isRaw ? assert.rejects(loaded, /killed/) : loaded);
      await first.close();
      const part = await unmakeLastPart(join(root, 'analytics'), column);

      const repaired: string[] = [];
      const chdb = await openChdb({
        directory: join(root, 'analytics'),
        onRepair: (parts) => repaired.push(...parts),
      });
      await chdb.close();
      assert.deepEqual(
        repaired.map((name) => name.split('/')[1]),
        [part],
      );

      const second = await openAnalyticsIn(t, root);
      const again = await second.loader.load(batch);
      assert.equal(again.kind, isRaw ? 'loaded' : 'already');
      await assertHolds(second.store, records);
      await second.close();
    });
  }

  test('would lose it without the repair', async (t) => {
    const root = await makeDirectory(t);
    const records = makeRecords('unrepaired', 100, Date.UTC(2026, 10, 20));
    const first = await openAnalyticsIn(t, root);
    await first.store.insert(insertSql('money', [1], false), encode(ofLoad(1, records)));
    await first.close();
    await unmakeLastPart(join(root, 'analytics'), tables.money);
    const bare = createClient({ connection: await connect(join(root, 'analytics/data')) });
    const { stream } = await bare.exec({
      query: insertSql('money', [1], false),
      values: Readable.from([encode(ofLoad(1, records))]),
    });
    stream.resume();
    const count = await bare.query({ query: 'SELECT count() AS n FROM money' });
    assert.deepEqual(
      (await count.json<{ n: number }>()).data.map(({ n }) => n),
      [0],
    );
    await bare.close();
    const { drainPending } = await import('chdb');
    await drainPending();
  });

  test('is repaired once, and what is whole is left alone', async (t) => {
    const root = await makeDirectory(t);
    const data = join(root, 'analytics/data');
    const first = await openAnalyticsIn(t, root);
    await first.loader.load(new Segment().batch(makeRecords('whole', 50, MONTH_END_MS, 10)));
    await first.close();
    assert.deepEqual(await repairDeduplicationLogs(data), []);
    const part = await unmakeLastPart(join(root, 'analytics'), tables.inventory);
    assert.deepEqual((await repairDeduplicationLogs(data)).length, 1, part);
    assert.deepEqual(await repairDeduplicationLogs(data), []);
  });

  test('a part that a mutation renamed, or that was merged with one, is there', async (t) => {
    const root = await makeDirectory(t);
    const table = join(root, 'store/abc/table');
    await mkdir(join(table, 'deduplication_logs'), { recursive: true });
    const log = join(table, 'deduplication_logs/deduplication_log_1.txt');
    await writeFile(log, '1\t202611_7_7_0\tblock\n');
    for (const name of ['202611_7_7_0_8', '202611_1_7_1_3']) {
      await mkdir(join(table, name));
      assert.deepEqual(await repairDeduplicationLogs(root), [], name);
      await rm(join(table, name), { recursive: true });
    }
    await mkdir(join(table, '202611_1_6_1_3'));
    assert.deepEqual(await repairDeduplicationLogs(root), ['table/202611_7_7_0']);
  });

  test('a line that a power cut tore is cut off', async (t) => {
    const root = await makeDirectory(t);
    const first = await openAnalyticsIn(t, root);
    const records = makeRecords('torn', 50, Date.UTC(2026, 10, 20));
    await first.store.insert(insertSql('money', [1], false), encode(ofLoad(1, records)));
    await first.close();
    const path = await tablePath(join(root, 'analytics'), tables.money);
    await appendFile(join(path, 'deduplication_logs/deduplication_log_1.txt'), '1\t2026');
    const second = await openAnalyticsIn(t, root);
    await second.store.insert(insertSql('money', [1], false), encode(ofLoad(1, records)));
    await second.steps.fill();
    await assertHolds(second.store, records);
    await second.close();
  });
});

describe('the directory of the store', () => {
  test('belongs to one process at a time', async (t) => {
    const { directory: root } = await testAnalytics(t);
    const script = `
      import { openChdb } from '${join(import.meta.dirname, '../../src/adapters/chdb.ts')}';
      await openChdb({ directory: '${join(root, 'analytics')}', lockWaitMs: 60 }).catch((error) => {
        console.log(error.message);
      });`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      script,
    ]);
    assert.match(stdout, /lock\.sqlite is in use by another process/);
  });

  test('is free again after the store was closed', async (t) => {
    const root = await makeDirectory(t);
    for (let times = 0; times < 2; times += 1) {
      const store = await openChdb({ directory: root });
      await store.close();
      await assert.rejects(store.query('SELECT 1'), /is closed/);
    }
  });
});

test('where chdb cannot run, the message says where it can', () => {
  assert.equal(platformProblem('linux', 'x64', '2.36'), null);
  assert.equal(platformProblem('darwin', 'arm64', null), null);
  assert.match(
    platformProblem('linux', 'x64', null) ?? '',
    /this system has musl; run the control/,
  );
  assert.match(platformProblem('win32', 'x64', null) ?? '', /does not run on win32; run the/);
  assert.match(platformProblem('linux', 'riscv64', '2.40') ?? '', /does not run on riscv64; run/);
});
