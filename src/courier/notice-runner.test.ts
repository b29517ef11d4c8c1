import assert from 'node:assert/strict';
import nodeFs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';

import { until } from '../../test/support/wait.ts';
import { JournalNews } from './journal-news.ts';
import { noticeDatabasePath } from './notice-database.ts';
import {
  auctionRecord,
  beaconRecord,
  TestClock,
  TestNode,
  TestPartners,
} from './notice-fixture.ts';
import { NoticeRunner } from './notice-runner.ts';

let node: TestNode;
let partners: TestPartners;
/** How many couriers have the lock, of which there may be one. */
let locked: number;
const runners: NoticeRunner[] = [];

beforeEach(() => {
  node = new TestNode();
  partners = new TestPartners(new TestClock());
  locked = 0;
});
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop(0);
  node.close();
});

function runnerOf(): NoticeRunner {
  const runner = new NoticeRunner({
    news: new JournalNews(),
    dataDirectory: node.dataDirectory,
    journalDirectory: node.journalDirectory,
    incarnation: node.incarnation,
    lock: () => {
      if (locked > 0) return null;
      locked += 1;
      return {
        release: () => {
          locked -= 1;
        },
      };
    },
    openJournal: () => ({
      append: (record, done) => node.journal('courier').append(record, done),
      close: () => {},
    }),
    client: partners,
    logger: node.logger,
    now: Date.now,
    monotonic: () => performance.now(),
  });
  runners.push(runner);
  return runner;
}

test('a replacement begins when the courier before it has ended, and takes over what waits', async () => {
  partners.behave = () => ({ kind: 'error', code: 'ECONNREFUSED' });
  const first = runnerOf();
  void first.run();
  await node.write('tracker', [beaconRecord(1, { at_ms: Date.now() })]);
  await until('it is called', 5_000, () => partners.calls.length === 1);
  const second = runnerOf();
  void second.run();
  await node.write('exchange', [auctionRecord(2, [{}])]);
  await until('the next one is called', 5_000, () => partners.calls.length === 2);
  const [name = ''] = node.segments('tracker').names;
  assert.equal(second.hasPassed(name, 0), false);
  assert.deepEqual(second.figures.pending, { win: 0, billing: 0, loss: 0 });
  await first.stop(0);
  await until('the second has begun', 5_000, () => second.hasPassed(name, 0));
  assert.equal(second.figures.pending.billing, 1);
  assert.equal(partners.calls.length, 2);
  assert.equal(locked, 1);
});

test('a runner that is stopped while it waits has taken nothing', async () => {
  locked = 1;
  const waiting = runnerOf();
  void waiting.run();
  await waiting.stop(0);
  assert.equal(locked, 1);
  assert.equal(nodeFs.existsSync(noticeDatabasePath(node.dataDirectory)), false);
});

test('a store that becomes unreadable is moved aside, and ends the process', async () => {
  const runner = runnerOf();
  const ended = assert.rejects(runner.run(), { code: 'ERR_SQLITE_ERROR' });
  await node.write('tracker', [beaconRecord(1)]);
  await until('it is called', 5_000, () => partners.calls.length === 1);
  const path = noticeDatabasePath(node.dataDirectory);
  damage(path);
  await node.write('tracker', [beaconRecord(2)]);
  await ended;
  assert.equal(nodeFs.existsSync(path), false);
  runners.splice(0);
});

/** Makes an index lead to a page that is not there. */
function damage(path: string): void {
  const database = new DatabaseSync(path, { defensive: false, timeout: 1_000 });
  database.exec(`PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'notices_next';
    PRAGMA schema_version = 99`);
  database.close();
}
